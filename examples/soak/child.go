package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"syscall"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/twmb/franz-go/pkg/kfake"
)

// childVariable holds what a child is to be. The program starts itself with it.
const childVariable = "SLOTKEY_SOAK_CHILD"

// A childConfig is what a child is told: one of these.
type childConfig struct {
	Member *memberConfig `json:"member,omitempty"`
	NATS   *natsConfig   `json:"nats,omitempty"`
	Redis  *redisConfig  `json:"redis,omitempty"`
	Kafka  *kafkaConfig  `json:"kafka,omitempty"`
}

type natsConfig struct {
	Name        string   `json:"name"`
	Port        int      `json:"port"`
	Dir         string   `json:"dir"`
	ClusterPort int      `json:"cluster_port,omitempty"` // 0: no cluster
	Routes      []string `json:"routes,omitempty"`
}

type redisConfig struct {
	Port int    `json:"port"`
	Dir  string `json:"dir"`
}

type kafkaConfig struct {
	Port int    `json:"port"`
	Dir  string `json:"dir"`
}

// childMain is the whole of a child, and returns its exit status. A child ends when ctx does, or
// when its standard input does: so it does not outlive the program that started it.
func childMain(ctx context.Context, config string, stdin io.Reader, stderr io.Writer) int {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	lines := make(chan string)
	go func() {
		defer cancel()
		for scanner := bufio.NewScanner(stdin); scanner.Scan(); {
			select {
			case lines <- scanner.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	var c childConfig
	err := json.Unmarshal([]byte(config), &c)
	switch {
	case err != nil:
	case c.Member != nil:
		err = c.Member.run(ctx, lines)
	case c.NATS != nil:
		err = c.NATS.run(ctx)
	case c.Redis != nil:
		err = c.Redis.run(ctx, lines, stderr)
	case c.Kafka != nil:
		err = c.Kafka.run(ctx)
	default:
		err = errors.New("a child of no kind")
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	return 0
}

// run is a NATS server with JetStream, alone or as a node of a cluster. It does not sync each write
// to disk: what it has written survives the end of the process, and the machine does not end here.
func (c *natsConfig) run(ctx context.Context) error {
	options := &natsserver.Options{
		ServerName: c.Name, Host: "127.0.0.1", Port: c.Port, JetStream: true, StoreDir: c.Dir, NoSigs: true, NoLog: true,
		JetStreamMaxMemory: 256 << 20, JetStreamMaxStore: 16 << 30,
	}
	if c.ClusterPort != 0 {
		options.Cluster = natsserver.ClusterOpts{Name: "soak", Host: "127.0.0.1", Port: c.ClusterPort}
		for _, route := range c.Routes {
			options.Routes = append(options.Routes, natsserver.RoutesFromStr(route)...)
		}
	}
	srv, err := natsserver.NewServer(options)
	if err != nil {
		return err
	}
	srv.Start()
	<-ctx.Done()
	srv.Shutdown()
	srv.WaitForShutdown()
	return nil
}

// run keeps a redis-server, which would not notice that the program that started it is gone. The
// line "kill" kills it by SIGKILL.
func (c *redisConfig) run(ctx context.Context, lines <-chan string, stderr io.Writer) error {
	cmd := exec.Command("redis-server", "--bind", "127.0.0.1", "--port", strconv.Itoa(c.Port), "--dir", c.Dir, "--daemonize", "no",
		"--appendonly", "yes", "--appendfsync", "always", "--save", "", "--loglevel", "warning")
	cmd.Stdout, cmd.Stderr = stderr, stderr
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		return fmt.Errorf("redis-server ended: %w", err)
	case line := <-lines:
		if line != "kill" {
			return fmt.Errorf("%q is not a word for the keeper of redis-server", line)
		}
		cmd.Process.Kill()
		<-ended
		return nil
	case <-ctx.Done():
		cmd.Process.Signal(syscall.SIGTERM)
		return <-ended
	}
}

// partitions is how many the topic of events has: a member keeps a position in each.
const partitions = 3

// run is kfake with its data on disk, each write synced.
func (c *kafkaConfig) run(ctx context.Context) error {
	if err := os.MkdirAll(c.Dir, 0o755); err != nil {
		return err
	}
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.Ports(c.Port), kfake.DataDir(c.Dir), kfake.SyncWrites())
	if err != nil {
		return err
	}
	<-ctx.Done()
	cluster.Close()
	return nil
}
