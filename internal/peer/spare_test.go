//go:build linux

package peer

import (
	"path/filepath"
	"testing"

	"github.com/heddle-mc/heddle/internal/iocache"
)

// TestSpares: servers that are started again and again are there before they are needed, and those that cannot
// be are started nevertheless. How many there were does not depend on time.
func TestSpares(t *testing.T) {
	const starts = 8
	for _, test := range []struct {
		name   string
		server Spec
		alone  bool
	}{
		{"any number", helper(Server, "echo", "{addr}"), false},
		{"one at a time", helper(Server, "single", "{addr}", filepath.Join(t.TempDir(), "lock")), true},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := newGroup(t, test.server)
			for range starts {
				l := start(t, g, iocache.HistoryID{Peer: "server", Whole: true})
				l.hear("")
				l.say(iocache.Open, out(0), "", "")
				l.say(iocache.Write, out(0), "hello\n", "main#0 hello")
				l.p.Stop()
			}
			if got := g.Stats().Launches; got != starts {
				t.Errorf("got %d launches, want %d", got, starts)
			}
			p := g.spares["server"]
			if p.alone != test.alone || !p.alone && len(p.ready) != maxSpares {
				t.Errorf("got %d spares, alone %v, want alone %v and else %d spares", len(p.ready), p.alone, test.alone, maxSpares)
			}
		})
	}
}

// TestFreshServer: a server that others are connected to is none that was told nothing.
func TestFreshServer(t *testing.T) {
	g := newGroup(t, helper(Server, "chat", "{addr}"))
	one := start(t, g, connection("server", 0))
	one.say(iocache.Open, out(0), "", "")
	one.say(iocache.Write, out(0), "hello\n", "main#0 welcome 1")
	whole := start(t, g, iocache.HistoryID{Peer: "server", Whole: true})
	whole.hear("")
	whole.say(iocache.Open, out(1), "", "")
	whole.say(iocache.Write, out(1), "hello\n", "main#1 welcome 1")
	one.say(iocache.Close, out(0), "", "")
	if got := g.Stats().Launches; got != 2 {
		t.Errorf("got %d launches, want 2", got)
	}
}
