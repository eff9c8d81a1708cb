//go:build linux

package peer

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/iocache"
)

// BenchmarkExchange is a request with its answer, until the peer is quiet.
func BenchmarkExchange(b *testing.B) {
	g, err := NewGroup([]Spec{helper(Server, "echo", "{addr}")})
	if err != nil {
		b.Fatal(err)
	}
	defer g.Close()
	p, err := g.Start(connection("server", 0))
	if err != nil {
		b.Fatal(err)
	}
	defer p.Stop()
	ask := func(r iocache.Request) {
		if err := p.Do(r); err != nil {
			b.Fatal(err)
		}
		for {
			r, err := p.Poll()
			if err != nil {
				b.Fatal(err)
			}
			if r.Kind == iocache.Quiet {
				return
			}
		}
	}
	ask(iocache.Request{Kind: iocache.Open, Conn: out(0)})
	for b.Loop() {
		ask(iocache.Request{Kind: iocache.Write, Conn: out(0), Data: []byte("hello\n")})
	}
	s := g.Stats()
	b.ReportMetric(float64(s.Looks)/float64(b.N), "looks/op")
}

// BenchmarkLook is one look at all threads of a peer.
func BenchmarkLook(b *testing.B) {
	g, err := NewGroup([]Spec{helper(Server, "echo", "{addr}")})
	if err != nil {
		b.Fatal(err)
	}
	defer g.Close()
	for b.Loop() {
		if _, err := g.shared["server"].sample(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRestart launches a client and lets it go on until it is quiet.
func BenchmarkRestart(b *testing.B) {
	g, err := NewGroup([]Spec{helper(Client, "client", "{addr}", "hello")})
	if err != nil {
		b.Fatal(err)
	}
	defer g.Close()
	for b.Loop() {
		p, err := g.Start(iocache.HistoryID{Peer: "client", Conn: in(0)})
		if err != nil {
			b.Fatal(err)
		}
		for {
			r, err := p.Poll()
			if err != nil {
				b.Fatal(err)
			}
			if r.Kind == iocache.Quiet {
				break
			}
		}
		p.Stop()
	}
}
