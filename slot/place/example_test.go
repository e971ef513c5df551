package place_test

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/place"
)

// All three variables are set, for example by the manifest.
func ExampleFromEnv() {
	lookup := func(name string) (string, bool) { // os.LookupEnv in a program
		value, ok := map[string]string{
			"SLOTKEY_GROUP":       "pairs",
			"SLOTKEY_GROUP_SIZE":  "3",
			"SLOTKEY_GROUP_INDEX": "1",
		}[name]
		return value, ok
	}
	config, err := place.FromEnv(lookup)
	if err != nil {
		fmt.Println(err)
		return
	}
	member, err := slot.New(config)
	fmt.Println(member, err)
	// Output: pairs:1/3 <nil>
}

// Nothing set is an error of its own; a program that may run without a group says so.
func ExampleFromEnv_dedicated() {
	config, err := place.FromEnv(func(string) (string, bool) { return "", false })
	if errors.Is(err, place.ErrNotSet) {
		config, err = slot.Config{}, nil // broadcast: this program handles every event
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	member, err := slot.New(config)
	fmt.Println(member, err)
	// Output: dedicated <nil>
}

// A StatefulSet: the manifest gives group, size and the pod's name, and the index is in the name.
func ExampleFromEnvAt() {
	os.Setenv("SLOTKEY_GROUP", "pairs")
	os.Setenv("SLOTKEY_GROUP_SIZE", "3")
	os.Setenv("POD_NAME", "pairs-worker-2")
	defer os.Unsetenv("SLOTKEY_GROUP")
	defer os.Unsetenv("SLOTKEY_GROUP_SIZE")

	index, err := place.Ordinal(os.Getenv("POD_NAME"), 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	config, err := place.FromEnvAt(os.LookupEnv, index)
	if err != nil {
		fmt.Println(err)
		return
	}
	member, err := slot.New(config)
	fmt.Println(member, err)
	// Output: pairs:2/3 <nil>
}

// Docker Swarm counts its task slots from 1, Heroku its dynos too.
func ExampleNumber() {
	swarm, err := place.Number("1", 1)
	fmt.Println(swarm, err)

	_, afterDot, _ := strings.Cut("worker.2", ".") // DYNO
	heroku, err := place.Number(afterDot, 1)
	fmt.Println(heroku, err)

	_, err = place.Number("0", 1)
	fmt.Println(err)
	// Output:
	// 0 <nil>
	// 1 <nil>
	// place: index "0" is below the base of 1
}

func ExampleOrdinal() {
	fmt.Println(place.Ordinal("web-1", 0))
	fmt.Println(place.Ordinal("web-1.ns.svc", 0))
	// Output:
	// 1 <nil>
	// 0 place: name "web-1.ns.svc" is a domain name; give the instance's name alone, such as web-1
}

func ExampleError() {
	lookup := func(name string) (string, bool) {
		value, ok := map[string]string{"SLOTKEY_GROUP": "pairs", "SLOTKEY_GROUP_SIZE": "3", "SLOTKEY_GROUP_INDEX": "3"}[name]
		return value, ok
	}
	_, err := place.FromEnv(lookup)
	var fault *place.Error
	if errors.As(err, &fault) {
		fmt.Println(fault.Name, fault.Value, errors.Is(err, slot.ErrIndex))
	}
	// Output: SLOTKEY_GROUP_INDEX "3" true
}
