package session

import (
	"strings"
	"testing"
)

// panicOf returns what f panics with, or "".
func panicOf(f func()) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = r.(string)
		}
	}()
	f()
	return ""
}

func TestLocks(t *testing.T) {
	i := New(1, 1, 0).interfaces[Clients]
	i.holder.lock()
	i.holder.lock()
	if got, want := panicOf(i.holder.lock), "PartnerLock is held 3 times, want at most 2"; !strings.HasSuffix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	i.holder.unlock()
	i.holder.unlock()
	if got, want := panicOf(i.demandNoLock), "PartnerLock is held 1 times by one who waits"; !strings.HasSuffix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if !i.balancer.lock.held {
		t.Error("got a free lock before the last unlock")
	}
	i.holder.unlock()
	if got := panicOf(i.demandNoLock); got != "" || i.balancer.lock.held {
		t.Errorf("got %q, held %t, want a free lock", got, i.balancer.lock.held)
	}
}

func TestPartnersAgree(t *testing.T) {
	b := New(2, 1, 0)
	one, two, p := b.interfaces[Clients].conns[0], b.interfaces[Clients].conns[1], b.interfaces[Processors].conns[0]
	for _, test := range []struct {
		one, two, p *Connection // their partners
		want        bool
	}{
		{nil, nil, nil, true}, {p, nil, one, true}, {p, nil, nil, true}, {nil, nil, two, true}, {p, nil, two, false}, {p, p, two, false},
	} {
		one.partner, two.partner, p.partner = test.one, test.two, test.p
		if got := b.partnersAgree(); got != test.want {
			t.Errorf("%v: got %t", test, got)
		}
	}
}

func TestSleepersHavePartners(t *testing.T) {
	b := New(1, 1, 0)
	c, p := b.interfaces[Clients].conns[0], b.interfaces[Processors].conns[0]
	want := func(what string, want bool) {
		t.Helper()
		if got := b.sleepersHavePartners(); got != want {
			t.Errorf("%s: got %t", what, got)
		}
	}
	p.state = Pending
	want("pending", true)
	p.state = Sleep
	want("alone", false)
	b.lock.held = true
	want("alone for a while", true)
	b.lock.held = false
	put(request{name: requestDisconnect, conn: c})
	want("with a request for another", false)
	put(request{name: requestDisconnect, conn: p})
	want("with a request", true)
	b.interfaces[Processors].requests = nil
	p.partner = c
	want("with a partner", true)
}

func TestRequests(t *testing.T) {
	b := New(1, 1, 0)
	c := b.interfaces[Clients].conns[0]
	c.state = Sleep
	wake(c)
	wake(c)
	if got := len(b.interfaces[Clients].requests); got != 1 {
		t.Errorf("got %d requests to wake up, want 1", got)
	}
	put(request{name: requestDisconnect, conn: c})
	got := panicOf(func() { put(request{name: requestDisconnect, conn: c}) })
	if want := "3 requests wait, want at most 2"; !strings.HasSuffix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
