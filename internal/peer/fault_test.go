//go:build linux

package peer

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/heddle-mc/heddle/internal/iocache"
)

func TestDied(t *testing.T) {
	tests := []struct{ line, status, said, output string }{
		{"status\n", "exit status 3", "last words\n", "this is the log\n"},
		{"signal\n", "signal: killed", "", ""},
	}
	for _, test := range tests {
		g := newGroup(t, helper(Server, "doomed", "{addr}"))
		l := start(t, g, connection("server", 0))
		l.say(iocache.Open, out(0), "", "")
		err := l.fails(iocache.Write, out(0), test.line)
		var died *Died
		if !errors.As(err, &died) {
			t.Fatalf("%q: got %v, want a Died", test.line, err)
		}
		if died.Status != test.status || string(died.Talk.Sent) != test.line || string(died.Talk.Said) != test.said || died.Output != test.output {
			t.Errorf("%q: got %+v, want %+v", test.line, died, test)
		}
		if _, err := g.Start(connection("server", 1)); !errors.As(err, &died) {
			t.Errorf("%q: start after death: got %v, want a Died", test.line, err)
		}
	}
}

// TestEnding: who looks while a process ends sees no end without a status.
func TestEnding(t *testing.T) {
	for range 20000 {
		r := &run{end: make(chan struct{}), gone: make(chan struct{})}
		notices := make(chan notice, 2)
		notices <- notice{Kind: exited, Status: 7 << 8}
		notices <- notice{Kind: killed}
		go r.follow(notices)
		for {
			s, err := r.ending()
			if err != nil {
				t.Fatal(err)
			}
			if s != nil {
				break
			}
		}
	}
	r := &run{end: make(chan struct{}), gone: make(chan struct{})}
	notices := make(chan notice)
	close(notices)
	r.follow(notices)
	if _, err := r.ending(); err != errKeeper {
		t.Errorf("without a keeper: got %v, want %v", err, errKeeper)
	}
}

// TestEndedWell: a server that ends with status 0 is started again when needed.
func TestEndedWell(t *testing.T) {
	g := newGroup(t, helper(Server, "doomed", "{addr}"))
	for i := range 3 {
		l := start(t, g, connection("server", i))
		l.say(iocache.Open, out(i), "", "")
		l.say(iocache.Write, out(i), "bye\n", fmt.Sprintf("main#%d bye|main#%d eof", i, i))
	}
	if got := g.Stats().Launches; got != 3 {
		t.Errorf("got %d launches, want 3", got)
	}
	for i, r := range g.Runs() {
		if r.Number != i+1 || r.Status != "exit status 0" || r.Peer != "server" {
			t.Errorf("got run %+v, want number %d and exit status 0", r, i+1)
		}
	}
}

func TestHung(t *testing.T) {
	for line, want := range map[string]string{"spin\n": "runs", "stop\n": "is stopped"} {
		// A peer on a busy machine may need more time until it does what the line says.
		for answer := 500 * time.Millisecond; ; answer *= 4 {
			g := newGroup(t, helper(Server, "doomed", "{addr}"))
			l := start(t, g, connection("server", 0))
			l.say(iocache.Open, out(0), "", "")
			g.specs[0].Answer = answer
			err := l.fails(iocache.Write, out(0), line)
			var hung *Hung
			if !errors.As(err, &hung) || string(hung.Talk.Sent) != line {
				t.Fatalf("%q: got %v, want a Hung", line, err)
			}
			if strings.Contains(hung.Doing, want) {
				break
			}
			if answer > time.Minute {
				t.Fatalf("%q: got %v, want a Hung with a thread that %s", line, err, want)
			}
		}
	}
}

// TestHungBeforeConnecting: a client that is busy before it connects has the time for getting ready.
func TestHungBeforeConnecting(t *testing.T) {
	spec := helper(Client, "busy")
	spec.Answer, spec.Ready = time.Millisecond, 200*time.Millisecond
	g := newGroup(t, spec)
	_, err := start(t, g, iocache.HistoryID{Peer: "client", Conn: in(0)}).p.Poll()
	var hung *Hung
	if !errors.As(err, &hung) || hung.Limit != spec.Ready {
		t.Errorf("got %v, want a Hung after %v", err, spec.Ready)
	}
}

func TestFlood(t *testing.T) {
	spec := helper(Server, "doomed", "{addr}")
	spec.MaxBytes = 1 << 20
	g := newGroup(t, spec)
	l := start(t, g, connection("server", 0))
	l.say(iocache.Open, out(0), "", "")
	err := l.fails(iocache.Write, out(0), "flood\n")
	var flood *Flood
	if !errors.As(err, &flood) || flood.Limit != 1<<20 || flood.Talk.Total < 1<<20 || len(flood.Talk.Said) != maxShown {
		t.Errorf("got %v, want a Flood", err)
	}
}

func TestUnasked(t *testing.T) {
	g := newGroup(t, helper(Server, "prompted", "{addr}"))
	l := start(t, g, connection("server", 0))
	l.say(iocache.Open, out(0), "", "")
	l.say(iocache.Write, out(0), "one\n", "main#0 one")
	if err := syscall.Kill(l.p.(*live).run.pid, syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	l.p.(*live).wait(hang) // until it has spoken
	err := l.fails(iocache.Write, out(0), "two\n")
	var unasked *Unasked
	if !errors.As(err, &unasked) || string(unasked.Data) != "late\n" {
		t.Errorf("got %v, want an Unasked", err)
	}
}

// TestPatient: with patience, the same peer's second word is a part of its answer.
func TestPatient(t *testing.T) {
	g := newGroup(t, helper(Server, "late", "{addr}"))
	l := start(t, g, connection("server", 0))
	l.say(iocache.Open, out(0), "", "")
	l.say(iocache.Write, out(0), "one\n", "main#0 one|late")
}

func TestStart(t *testing.T) {
	_, err := NewGroup([]Spec{helper(Server, "stillborn")})
	var died *Died
	if !errors.As(err, &died) || died.Status != "exit status 4" || died.Output != "cannot read the configuration\n" {
		t.Errorf("got %v, want a Died with its output", err)
	}
	spec := helper(Server, "deaf")
	spec.Ready = 50 * time.Millisecond
	_, err = NewGroup([]Spec{spec})
	var hung *Hung
	if !errors.As(err, &hung) || hung.Waiting != "listening" {
		t.Errorf("got %v, want a Hung", err)
	}
	// One that listens elsewhere than it was told is not ready.
	spec = helper(Server, "anywhere", "{addr:80}")
	spec.Ready = 50 * time.Millisecond
	if _, err = NewGroup([]Spec{spec}); !errors.As(err, &hung) || hung.Waiting != "listening" {
		t.Errorf("got %v, want a Hung", err)
	}
}
