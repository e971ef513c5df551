package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// A server is one of the broker's processes. It has the same address and the same data each time it is started.
type server struct {
	name    string
	address string // host:port
	config  childConfig
	lost    func(error)
	process *process // nil while it is down
	used    time.Duration
}

// A broker is the servers of an engine.
type broker struct {
	engine  string
	servers []*server
}

// newBroker chooses free ports and lays out the servers' data under dir. It starts nothing.
func newBroker(o options, dir string, lost func(error)) (*broker, error) {
	b := &broker{engine: o.engine}
	ports, err := freePorts(2 * o.nodes)
	if err != nil {
		return nil, err
	}
	var routes []string
	for i := range o.nodes {
		routes = append(routes, fmt.Sprintf("nats://127.0.0.1:%d", ports[o.nodes+i]))
	}
	for i := range o.nodes {
		s := &server{name: o.engine, address: "127.0.0.1:" + strconv.Itoa(ports[i]), lost: lost}
		data := filepath.Join(dir, "server-"+strconv.Itoa(i))
		if err := os.MkdirAll(data, 0o755); err != nil {
			return nil, err
		}
		switch o.engine {
		case "jetstream":
			s.name = "node-" + strconv.Itoa(i)
			s.config.NATS = &natsConfig{Name: s.name, Port: ports[i], Dir: data}
			if o.nodes > 1 {
				s.config.NATS.ClusterPort, s.config.NATS.Routes = ports[o.nodes+i], routes
			}
		case "redis":
			s.config.Redis = &redisConfig{Port: ports[i], Dir: data}
		case "kafka":
			s.config.Kafka = &kafkaConfig{Port: ports[i], Dir: data}
		}
		b.servers = append(b.servers, s)
	}
	return b, nil
}

func (b *broker) addresses() []string {
	var all []string
	for _, s := range b.servers {
		all = append(all, s.address)
	}
	return all
}

// start starts all servers that are down. Whether they are ready shows when they answer.
func (b *broker) start() error {
	for _, s := range b.servers {
		if err := s.start(); err != nil {
			return err
		}
	}
	return nil
}

// stop ends all servers, first asking all: the nodes of a cluster wait for each other.
func (b *broker) stop(hard bool) error {
	for _, s := range b.servers {
		if err := s.stop(hard); err != nil {
			return err
		}
	}
	return nil
}

func (s *server) start() (err error) {
	if s.process == nil {
		s.process, err = start(s.name, s.config, s.lost)
	}
	return err
}

// stop ends the server, by SIGKILL or as an operator does.
func (s *server) stop(hard bool) error {
	p := s.process
	if p == nil {
		return nil
	}
	s.process = nil
	var err error
	switch {
	case hard && s.config.Redis != nil: // the process is its keeper
		err = p.end(func() error { return p.say("kill") })
	case hard:
		err = p.kill()
	default:
		err = p.stop()
	}
	if !p.running() {
		s.used += p.cpu()
	}
	return err
}

// freePorts returns ports of the loopback interface that are free now. They are ours only once a
// server listens; the few moments until then are a risk that a program takes that has to name its
// ports beforehand.
func freePorts(n int) ([]int, error) {
	var ports []int
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}
