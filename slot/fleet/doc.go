// Package fleet watches over the members of groups. The slot rule is exact only while every slot
// has one member that runs and all members agree on size and rule; this package says where that is
// not so.
//
//   - [Registry] is for one process that hosts workers. It refuses to start a second member on a
//     slot, or one that disagrees with those that run, and reports what is covered: "group pairs on
//     [ticks, trades] has 2 of 3 members running".
//   - [Audit] is for many processes. Members announce their place, an observer collects the announcements, and
//     Audit says who is missing, double or different, and what to do.
//
// A worker is the host's thing that runs as a member of a group. Groups are compared per topic:
// members of one group on topics that share no event are free of each other. Topics that overlap by
// pattern are shared; patterns are written as NATS writes them, tokens between dots, "*" for one
// token and ">" at the end for one or more, whatever the broker. Topics that carry only commands,
// which every member takes, count for nothing.
//
// Nothing here starts a goroutine, reads a clock, or logs on its own. How announcements travel is the host's
// choice; examples/announce does it with NATS and with Redis.
package fleet
