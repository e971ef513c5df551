package commit

// A flight holds the unfinished positions: a list in the order of their beginning, which is that of
// the positions, and an index. Entries that are finished are used again, so a steady flow does not
// allocate.
type flight struct {
	index   map[Position]int
	entries []entry
	first   int // of the list, -1 or entries empty: none
	last    int
	free    int // of a list by next
}

type entry struct {
	at         Position
	before     Position // the highest position reported before it; all in between that is in flight stands earlier in the list
	hasBefore  bool
	own, left  int      // events begun, and unfinished
	finished   []uint64 // a bit for each event; nil while own is 1
	prev, next int
}

const none = -1

// keep is how many entries stay allocated when all are finished.
const keep = 1024

func (l *flight) len() int { return len(l.index) }

func (l *flight) oldest() *entry {
	if len(l.index) == 0 {
		return nil
	}
	return &l.entries[l.first]
}

func (l *flight) find(p Position) *entry {
	i, ok := l.index[p]
	if !ok {
		return nil
	}
	return &l.entries[i]
}

func (l *flight) add(p, before Position, hasBefore bool, own int) {
	if l.index == nil {
		l.index = map[Position]int{}
		l.first, l.last, l.free = none, none, none
	}
	i := l.free
	if i != none {
		l.free = l.entries[i].next
	} else {
		i = len(l.entries)
		l.entries = append(l.entries, entry{})
	}
	e := entry{at: p, before: before, hasBefore: hasBefore, own: own, left: own, prev: l.last, next: none}
	if own > 1 {
		e.finished = make([]uint64, (own+63)/64)
	}
	l.entries[i] = e
	l.index[p] = i
	if l.last == none {
		l.first = i
	} else {
		l.entries[l.last].next = i
	}
	l.last = i
}

func (l *flight) remove(p Position) {
	i := l.index[p]
	delete(l.index, p)
	if len(l.index) == 0 && len(l.entries) > keep {
		*l = flight{} // a burst is over: give its memory back
		return
	}
	e := l.entries[i]
	if e.prev == none {
		l.first = e.next
	} else {
		l.entries[e.prev].next = e.next
	}
	if e.next == none {
		l.last = e.prev
	} else {
		l.entries[e.next].prev = e.prev
	}
	l.entries[i] = entry{next: l.free}
	l.free = i
}

// finish marks an event and reports whether it was the last.
func (e *entry) finish(event int) bool {
	if e.own > 1 {
		word, bit := event/64, uint64(1)<<(event%64)
		if e.finished[word]&bit != 0 {
			return false
		}
		e.finished[word] |= bit
	}
	e.left--
	return e.left == 0
}
