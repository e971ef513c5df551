package resize

// EachDeal lets members into a deal one by one, up to as many as there are slots, so that tests can
// look at every step of every size. It calls yield with what the newcomer gets and with what each
// member then has.
func EachDeal(slots int, yield func(newcomer []int, hands [][]int)) {
	d := newDealer(slots)
	for {
		yield(d.hands[len(d.hands)-1], d.hands)
		if len(d.hands) == slots {
			return
		}
		d.admit()
	}
}
