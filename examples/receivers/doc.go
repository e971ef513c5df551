// Package receivers tests cloudevent/receiver with protocols of the CloudEvents SDK over real
// servers in this process: NATS, JetStream and Kafka.
//
// For each of them: every message of every member is finished once, with nil; every event is
// handled by one member and a command by all; with one poll goroutine and blocking callbacks in the
// order of publishing; and with the client's own settings a handler that takes its time does not
// stop the dropping of what is foreign.
package receivers
