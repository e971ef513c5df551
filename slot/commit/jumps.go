package commit

// jumps remembers the last ranges of positions that were passed over: each a range from a position,
// included, to another, not included. The zero value is empty.
type jumps struct {
	ranges [64]struct{ from, to Position }
	count  uint64 // of all that were ever added
}

func (j *jumps) add(from, to Position) {
	r := &j.ranges[j.count%uint64(len(j.ranges))]
	r.from, r.to = from, to
	j.count++
}

// over reports whether p was passed over.
func (j *jumps) over(p Position) bool {
	for i := range min(j.count, uint64(len(j.ranges))) {
		if r := &j.ranges[i]; !p.Before(r.from) && p.Before(r.to) {
			return true
		}
	}
	return false
}
