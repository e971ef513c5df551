// Command publisher routes events where they are published: each to a topic that only its owner
// reads, by the same rule by which the owner's filter decides. So no member receives what it would
// drop.
//
// The publisher's part is the function route, in route.go, and the members' part the function
// consume, in consumer.go. The rest of the program shows that both agree, on NATS core inside the
// process or, with -url, on your server or cluster.
//
// What to know of routing by the publisher:
//
//   - It saves the delivery as well as the work. In exchange every publisher has to know the size
//     of the group, and to change it at the same time as the members: see docs/brokers.md for when
//     that is worth it.
//   - Members keep their filter. It costs little, and a member that drops anything says that a
//     publisher has another size or rule: that is the alarm, and a test of this program shows it.
//     Without the filter the event would be handled by the wrong member.
//   - Commands stay on their topic, which all members read.
//   - What the broker does not keep is lost as elsewhere: here that is what is published while a
//     member is away, and an event that its handler could not handle. Put such an event aside
//     before the callback returns; see the example nats.
//   - Events without a key go to the member that answers for them, the holder of the empty key's slot.
//   - A rule such as topic[1] sees the topic as it is published and as it is received. A partition
//     topic has two tokens more at its end, so tokens counted from the start are the same.
//   - The partition function of NATS's subject mapping, Kafka's default partitioner and the
//     consistent-hash exchange of RabbitMQ hash in other ways: they divide a stream, but not as the
//     filter does.
//   - One event for several groups of different sizes is published once for each of them.
package main

import (
	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// route returns the topic on which a message is published: base.part.<slot> in place of its topic,
// and its own topic for a command. The filter is that of an outsider of the group,
// slot.NewSet(group, size).
func route(outsider *slot.Filter, m cloudevent.Message) string {
	verdict := cloudevent.DecideMessage(outsider, m)
	if verdict.Slot < 0 {
		return m.Topic
	}
	return routing.PartitionTopic(m.Topic, verdict.Slot)
}
