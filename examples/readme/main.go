// Command readme is the consumer of the project's README: the loop of a NATS subscriber with the filter in front. Run
// it once for each member, with -index 0, 1 and 2, beside a NATS server:
//
//	go -C examples run ./readme -url nats://127.0.0.1:4222 -index 1
package main

import (
	"flag"
	"log"
	"os"
	"os/signal"

	"github.com/nats-io/nats.go"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/slot"
)

func main() {
	url := flag.String("url", nats.DefaultURL, "address of the NATS server")
	index := flag.Int("index", 1, "slot of this member, from 0")
	flag.Parse()
	nc, err := nats.Connect(*url)
	if err != nil {
		log.Fatalf("%s: %v", *url, err)
	}
	defer nc.Close()
	if err := consume(nc, *index, func(msg *nats.Msg) { log.Printf("%s %s", msg.Subject, msg.Data) }); err != nil {
		log.Fatal(err)
	}
	interrupt := make(chan os.Signal, 1)
	signal.Notify(interrupt, os.Interrupt)
	<-interrupt
}

// consume subscribes one member of three.
func consume(nc *nats.Conn, index int, handle func(*nats.Msg)) error {
	member, err := slot.New(slot.Config{Group: "orders", Size: 3, Index: index})
	if err != nil {
		return err
	}
	filter := slot.NewFilter(member)

	_, err = nc.Subscribe("orders.>", func(msg *nats.Msg) {
		verdict := cloudevent.DecideMessage(filter, cloudevent.Message{
			Topic: msg.Subject, Header: cloudevent.NATS.Values(msg.Header), Body: msg.Data})
		if !verdict.Admit() {
			return // another member has it
		}
		handle(msg)
	})
	return err
}
