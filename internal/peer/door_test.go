//go:build linux

package peer

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/iocache"
)

// TestSameAddress: a client that mentions the address it connects to says the same
// after each launch.
func TestSameAddress(t *testing.T) {
	g := newGroup(t, helper(Client, "client", "{addr}", "to {addr}"))
	id := iocache.HistoryID{Peer: "client", Conn: in(0)}
	said := ""
	for i := range 3 {
		p, err := g.Start(id)
		if err != nil {
			t.Fatal(err)
		}
		got, err := teller{t, p}.heard()
		p.Stop()
		if i == 0 {
			said = got
		}
		if err != nil || got != said || len(got) < len("@0 incoming|@0 to 127.0.0.1:1") {
			t.Errorf("launch %d: got %q %v, want %q", i+1, got, err, said)
		}
	}
	first, err := g.takeDoor("client")
	if err != nil {
		t.Fatal(err)
	}
	second, err := g.takeDoor("client")
	if err != nil {
		t.Fatal(err)
	}
	if first.addr == second.addr {
		t.Errorf("got %v for two runs at once", first.addr)
	}
	g.giveDoor(second)
	g.giveDoor(first)
	if again, _ := g.takeDoor("client"); again != first {
		t.Errorf("got %v, want the oldest free one, %v", again.addr, first.addr)
	}
}

// TestPeersPorts: a server that listens where the environment says can be reached
// at any port, as one whose command mentions it. One that chooses its port has it.
func TestPeersPorts(t *testing.T) {
	g := newGroup(t, helper(Server, "echo env"))
	if got := g.Peers()[0].Port; got != 0 {
		t.Errorf("got port %d, want 0", got)
	}
	g = newGroup(t, helper(Server, "echo", "127.0.0.1:0"))
	if got, want := g.Peers()[0].Port, int(g.shared["server"].real.Port()); got != want || got == 0 {
		t.Errorf("got port %d, want %d", got, want)
	}
}
