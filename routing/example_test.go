package routing_test

import (
	"errors"
	"flag"
	"fmt"

	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/routing"
)

func ExampleEvent() {
	tick := routing.Event{Topic: "ticks.eurusd", Subject: "EUR/USD", ID: "1"}
	key, ok := routing.Key(tick)
	fmt.Println(key, ok)

	heartbeat := routing.Event{Topic: "ticks.eurusd", ID: "heartbeat-7"} // no subject
	key, ok = routing.Key(heartbeat)
	fmt.Println(key, ok)
	// Output:
	// EUR/USD true
	// heartbeat-7 true
}

// A publisher that sends each event to its slot's own topic, instead of all events to all members.
func ExamplePartitionTopic() {
	const size = 3
	for _, subject := range []string{"EUR/USD", "USD/JPY", "EUR/JPY"} {
		key, _ := routing.Key(routing.Event{Subject: subject})
		slot := hashpin.Sum32String(key) % size
		fmt.Println(subject, "->", routing.PartitionTopic("ticks", int(slot)))
	}
	// Output:
	// EUR/USD -> ticks.part.1
	// USD/JPY -> ticks.part.0
	// EUR/JPY -> ticks.part.2
}

func ExampleIsCommand() {
	fmt.Println(routing.IsCommand("wrk.feed.command.7"))
	fmt.Println(routing.IsCommand("wrk.feed.event.7"))
	// Output:
	// true
	// false
}

func ExampleRoute() {
	var rule routing.Rule // the default rule

	tick := rule.Route(routing.Event{Topic: "ticks", Subject: "EUR/USD"})
	sum, ok := tick.Sum()
	fmt.Printf("%08x %t\n", sum, ok)

	stop := rule.Route(routing.Event{Topic: "wrk.feed.command.7", Subject: "EUR/USD"})
	fmt.Println(stop.Command())

	empty := rule.Route(routing.Event{Topic: "ticks"})
	_, ok = empty.Sum()
	fmt.Println(ok)
	// Output:
	// b429da2d true
	// true
	// false
}

// A caller that has only a key makes the same route as the event would.
func ExampleHashed() {
	byKey := routing.Hashed(hashpin.Sum32String("EUR/USD"))
	byEvent := routing.Rule{}.Route(routing.Event{Subject: "EUR/USD"})
	fmt.Println(byKey == byEvent)
	// Output: true
}

func ExampleRule() {
	// Orders of one tenant stay together; where there is no tenant, those of one shop, the second token of the topic.
	rule, err := routing.ParseRule("tenant+subject,topic[1]")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(rule)
	fmt.Println("fetch", rule.Attributes())

	tenant := map[string]string{"tenant": "acme"}
	fmt.Println(rule.Key(routing.Event{Topic: "shops.42", Subject: "order-7", Attributes: tenant}))
	none := map[string]string{}
	fmt.Println(rule.Key(routing.Event{Topic: "shops.42", Subject: "order-7", Attributes: none}))
	// Without a map the tenant is not known to be absent: no key, rather than another member's.
	fmt.Println(rule.Key(routing.Event{Topic: "shops.42", Subject: "order-7"}))
	// Output:
	// fnv1a32-fmix32 tenant+subject,topic[1]
	// fetch [tenant subject]
	// 4:acme7:order-7 true
	// 42 true
	//  false
}

// Commands on other topics than the default ones.
func ExampleRule_Command() {
	rule, err := routing.ParseRule("subject,id bypass=control.>,wrk.*.command.*")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(rule.Command("control.pause"))
	fmt.Println(rule.Command("wrk.feed.command.7"))
	fmt.Println(rule.Command("ticks.eurusd"))
	// Output:
	// true
	// true
	// false
}

// Texts that mean the same are the same rule, and print as one.
func ExampleParseRule() {
	for _, text := range []string{
		"subject,id",
		"fnv1a32-fmix32 subject,id bypass=wrk.*.command.*",
		"id bypass=b.*,a.> percent",
	} {
		rule, err := routing.ParseRule(text)
		fmt.Printf("%v, default %t, error %v\n", rule, rule == routing.Rule{}, err)
	}
	// Output:
	// fnv1a32-fmix32 subject,id, default true, error <nil>
	// fnv1a32-fmix32 subject,id, default true, error <nil>
	// fnv1a32-fmix32 id bypass=a.>,b.* percent, default false, error <nil>
}

func ExampleRuleError() {
	_, err := routing.ParseRule("subject,data")
	fmt.Println(err)

	var fault *routing.RuleError
	if errors.As(err, &fault) {
		fmt.Printf("%s\n%*s\n", fault.Text, fault.Offset+1, "^")
	}
	// Output:
	// routing: bad rule "subject,data": at byte 8: "data" is not an attribute and makes no key
	// subject,data
	//         ^
}

func ExampleRule_UnmarshalText() {
	flags := flag.NewFlagSet("consumer", flag.ContinueOnError)
	var rule routing.Rule
	flags.TextVar(&rule, "rule", routing.Rule{}, "what places an event")

	fmt.Println(flags.Parse([]string{"-rule", "source+id"}))
	fmt.Println(rule)
	// Output:
	// <nil>
	// fnv1a32-fmix32 source+id
}
