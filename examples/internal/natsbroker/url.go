package natsbroker

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

var schemes = []string{"nats", "tls", "ws", "wss"}

// CheckURL says what is wrong with the addresses of a server or cluster: one, or several with commas between,
// each scheme://host:port or host:port. It does not connect.
func CheckURL(urls string) error {
	for text := range strings.SplitSeq(urls, ",") {
		u, err := parse(text)
		switch {
		case err != nil: // its text would show a password
			return fmt.Errorf("-url has a malformed address; wanted is one like nats://localhost:4222")
		case !slices.Contains(schemes, u.Scheme):
			return fmt.Errorf("-url %q: the scheme is none of %s", bare(u), strings.Join(schemes, ", "))
		case u.Hostname() == "":
			return fmt.Errorf("-url %q: no host; wanted is an address like nats://localhost:4222", bare(u))
		}
	}
	return nil
}

func parse(text string) (*url.URL, error) {
	text = strings.TrimSpace(text)
	if !strings.Contains(text, "://") {
		text = "nats://" + text
	}
	return url.Parse(text)
}

// redact leaves out who connects: a name may be a token.
func redact(urls string) string {
	parts := strings.Split(urls, ",")
	for i, text := range parts {
		parts[i] = "(malformed)"
		if u, err := parse(text); err == nil {
			parts[i] = bare(u)
		}
	}
	return strings.Join(parts, ",")
}

func bare(u *url.URL) string {
	public := *u
	public.User = nil
	return public.String()
}
