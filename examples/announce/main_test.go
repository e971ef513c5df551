package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/slotkey/slotkey/examples/internal/report"
)

// The members' processes are this test binary, started again.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "member" {
		main()
	}
	goleak.VerifyTestMain(m)
}

// try runs the whole program in this process, its members in processes of their own.
func try(ctx context.Context, args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = run(ctx, args, strings.NewReader(""), &out, &errs)
	return status, out.String(), errs.String()
}

func TestEmbedded(t *testing.T) {
	status, out, errs := try(t.Context(), "-interval", "100ms")
	checkPassed(t, status, out, errs)
	if got, want := strings.Count(out, "embedded in this process"), 2; got != want {
		t.Errorf("%d embedded stores, want %d:\n%s", got, want, out)
	}
}

// Servers that run already are used, and left without a trace.
func TestGivenServers(t *testing.T) {
	natsURL, stopNATS, err := embedNATS()
	if err != nil {
		t.Fatal(err)
	}
	defer stopNATS()
	redisURL, stopRedis, err := embedRedis()
	if err != nil {
		t.Fatal(err)
	}
	defer stopRedis()

	status, out, errs := try(t.Context(), "-interval", "100ms", "-url", natsURL, "-redis", redisURL)
	checkPassed(t, status, out, errs)
	if got, want := strings.Count(out, "the server given"), 2; got != want {
		t.Errorf("%d given stores, want %d:\n%s", got, want, out)
	}

	nc, err := nats.Connect(natsURL)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	for name := range js.KeyValueStoreNames(t.Context()).Name() {
		t.Errorf("bucket %s is left", name)
	}
	how, err := redis.ParseURL(redisURL)
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(how)
	defer client.Close()
	if keys, err := client.Keys(t.Context(), "*").Result(); err != nil || len(keys) > 0 {
		t.Errorf("keys %v are left, %v", keys, err)
	}
}

func checkPassed(t *testing.T, status int, out, errs string) {
	t.Helper()
	if status != 0 || errs != "" || strings.Contains(out, "FAIL") || !strings.HasSuffix(out, "\nPASS: all 18 phases\n") {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
	for _, want := range []string{
		"slot 2 of 3 has no member, so events wait: start web-2 again",
		"slot 0 of 3 has 2 members, web-0, web-3, so",
		"slot 1 of 3 has 2 members, all named web-1 (",
		"sizes differ, 3 (web-0, web-2), 4 (web-1); 1/4 (25 %) of the keys have no owner",
		`"fnv1a32-fmix32 subject,id percent" (web-1)`,
	} {
		if strings.Count(out, want) != 2 { // over NATS, and over Redis
			t.Errorf("%q is not there twice:\n%s", want, out)
		}
	}
}

func TestWrongUse(t *testing.T) {
	t.Setenv(storeVar, "")
	for _, tt := range []struct {
		args   string
		status int
		want   string // the line on stderr, or its beginning
	}{
		{"-x", 2, "announce: flag provided but not defined: -x (-h shows how to use it)"},
		{"x", 2, `announce: "x" is not a flag; there are no other arguments (-h shows how to use it)`},
		{"-url=", 2, "announce: -url is empty (-h shows how to use it)"},
		{"-url http://host", 2, `announce: -url "http://host": the scheme is none of nats, tls, ws, wss (-h`},
		{"-redis localhost:6379", 2, "announce: -redis has a malformed address; wanted is one like redis://localhost:6379/0 (-h"},
		{"-interval 1ms", 2, "announce: -interval 1ms is not between 50ms and 1m (-h"},
		{"-interval 2m", 2, "announce: -interval 2m0s is not between 50ms and 1m (-h"},
		{"-interval x", 2, `announce: invalid value "x" for flag -interval: parse error (-h`},
		{"-url nats://127.0.0.1:1", 1, "announce: NATS: no NATS server there: "},
		{"member -space s -name n", 2, "announce member: -store is missing (-h"},
		{"member -store redis://127.0.0.1:1 -name n", 2, "announce member: -space is missing (-h"},
		{"member -store redis://127.0.0.1:1 -space s", 2, "announce member: -name is missing (-h"},
		{"member -member pairs:3/3", 2, `announce member: invalid value "pairs:3/3" for flag -member: slot: slot 3 is not below the group's size of 3 (indexes count from 0) (-h`},
		{"member -rule data", 2, `announce member: invalid value "data" for flag -rule: routing: bad rule "data": at byte 0: "data" is not an attribute and makes no key (-h`},
		{"member -store redis://127.0.0.1:1 -space s -name n -member pairs:0/3", 1, "announce member: no Redis server at 127.0.0.1:1: "},
		{"member -store nats://127.0.0.1:1 -space s -name n -member pairs:0/3", 1, "announce member: no NATS server there: "},
	} {
		status, out, errs := try(t.Context(), strings.Fields(tt.args)...)
		if status != tt.status || !strings.HasPrefix(errs, tt.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s\n got status %d, %q (%q)\nwant status %d, %q", tt.args, status, errs, out, tt.status, tt.want)
		}
	}
	for _, args := range []string{"-h", "member -h"} {
		if status, out, errs := try(t.Context(), strings.Fields(args)...); status != 0 || out != usage || errs != "" {
			t.Errorf("%s: status %d, %q, %q; want the usage", args, status, out, errs)
		}
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	status, out, errs := try(ctx)
	if status != 1 || errs != "announce: interrupted\n" {
		t.Errorf("status %d, %q, %q", status, out, errs)
	}
}

// What is expected and does not come is a FAIL: the example cannot pass by itself.
func TestFail(t *testing.T) {
	var out bytes.Buffer
	r := report.New(&out)
	st := &stage{ctx: t.Context(), o: options{interval: time.Millisecond}, ob: newObserver(time.Second), report: r, via: "NATS", patience: 10 * time.Millisecond}
	if err := st.expect("killed", "nobody was killed", 0, "missing [2] web-2"); err != nil {
		t.Fatal(err)
	}
	if ok := r.End(); ok || !strings.Contains(out.String(), `  FAIL  got [], want ["missing [2] web-2"]`) {
		t.Errorf("ok %v\n%s", ok, &out)
	}
	st.members = map[string]*process{"web-0": {incarnation: "never heard of"}}
	if err := st.expect("healthy", "nobody announces", 1); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "healthy: nobody announces\n  FAIL") {
		t.Errorf("silence passes for health:\n%s", &out)
	}
}

// A member whose starter is gone, and with it its standard input, ends and takes its announcement back.
func TestMemberEndsWithItsStarter(t *testing.T) {
	url, stopServer, err := embedRedis()
	if err != nil {
		t.Fatal(err)
	}
	defer stopServer()
	o := options{interval: 50 * time.Millisecond}
	s, err := openRedis(t.Context(), url, "here", o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	p, err := start(o, url, "here", "web-0", "pairs:0/1")
	if err != nil {
		t.Fatal(err)
	}
	client := s.(*redisStore).client
	if n, err := client.Exists(t.Context(), "here:"+p.incarnation).Result(); n != 1 || err != nil {
		t.Errorf("the announcement is not there: %d, %v", n, err)
	}
	p.stdin.Close()
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("the member ends with %v: %s", err, p.stderr)
	}
	if n, err := client.Exists(t.Context(), "here:"+p.incarnation).Result(); n != 0 || err != nil {
		t.Errorf("the announcement is still there: %d, %v", n, err)
	}
}

// A member that cannot start says why.
func TestMemberThatDoesNotStart(t *testing.T) {
	_, err := start(options{interval: time.Second}, "redis://127.0.0.1:1", "here", "web-0", "pairs:0/1")
	if want := "web-0 does not start: announce member: no Redis server at 127.0.0.1:1: "; err == nil || !strings.HasPrefix(fmt.Sprint(err), want) {
		t.Errorf("got %v, want %s…", err, want)
	}
}
