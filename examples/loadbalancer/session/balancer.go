package session

import (
	"net"
	"sync"

	"github.com/heddle-mc/heddle/verify"
)

// A Balancer brings clients and processors together.
type Balancer struct {
	lock       partnerLock
	interfaces [2]*Interface
	issue      int
}

// New returns a balancer with places for clients and processors. Issue is the number
// of an issue that is in the code, or 0.
func New(clients, processors, issue int) *Balancer {
	b := &Balancer{issue: issue}
	id := 0
	for kind, n := range []int{clients, processors} {
		i := &Interface{kind: Kind(kind), balancer: b, holder: holder{partnerLock: &b.lock}, open: n,
			pending: make(chan struct{}, 1), events: make(chan event)}
		for range n {
			id++
			i.conns = append(i.conns, &Connection{id: id, iface: i})
		}
		b.interfaces[kind] = i
	}
	verify.Always(b.partnersAgree)
	verify.Always(b.sleepersHavePartners)
	return b
}

// Serve serves those who connect to the listeners of clients and of processors: n
// at each place, one after the other, or without end if n is 0. It returns when
// all have gone.
func (b *Balancer) Serve(clients, processors net.Listener, n int) {
	var wg sync.WaitGroup
	for kind, l := range []net.Listener{clients, processors} {
		i := b.interfaces[kind]
		for _, c := range i.conns {
			wg.Go(func() { i.serve(c, l, n) })
		}
		wg.Go(i.run)
	}
	wg.Wait()
}
