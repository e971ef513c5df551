package commit

// Capacity returns how many entries a Frontier holds memory for.
func (f *Frontier) Capacity() int { return cap(f.flight.entries) }
