// Package resize changes the number of members of a group: which slots each has before and after,
// what share of the keys moves, in which order members change, and how a change can take effect at
// one place of a log for all of them at once.
//
// There are three ways, and docs/resize.md helps to choose:
//
//   - [Deal] many slots, whose number never changes, to the members there are. This is the way to
//     take where nothing speaks against it.
//   - [Plan]: over one ordered log, the position of an event picks the layout that holds for it.
//   - [Simulate] a rolling change of the size, which is safe for whole multiples and shows its gaps for all else.
//
// All of it is pure: no state, no clock, no input or output, and safe for concurrent use. SPEC
// sections 10, 11 and 14 define it (https://github.com/slotkey/slotkey/blob/main/SPEC.md);
// testdata/vectors/deal.v1.json, plan.v1.json and simulate.v1.json pin it.
package resize
