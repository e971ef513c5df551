package main

import (
	"net"
	"sync"
	"testing"
)

// A proxy stands between a client and a server, and can cut a connection where it is told to.
type proxy struct {
	listener net.Listener
	server   string
	copying  sync.WaitGroup

	mu  sync.Mutex
	cut func(chunk string) bool // nil: never; called for each chunk, of either side, before it goes on
}

func startProxy(t *testing.T, server string) *proxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: listener, server: server}
	p.copying.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", p.server)
			if err != nil {
				t.Error(err)
				client.Close()
				return
			}
			p.copying.Go(func() { p.pass(client, server) })
			p.copying.Go(func() { p.pass(server, client) })
		}
	})
	t.Cleanup(func() {
		listener.Close()
		p.copying.Wait()
	})
	return p
}

func (p *proxy) pass(from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil || p.cuts(string(buffer[:n])) {
			return
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// cuts asks once more and once only: the connection after the one that was cut is a good one.
func (p *proxy) cuts(chunk string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cut == nil || !p.cut(chunk) {
		return false
	}
	p.cut = nil
	return true
}

// once cuts the first connection that carries a chunk of which is says so.
func (p *proxy) once(is func(chunk string) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = is
}
