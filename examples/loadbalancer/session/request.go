package session

import "slices"

// A requestName is what one connection wants another one to do.
type requestName uint8

const (
	requestDisconnect requestName = iota
	requestSend
	requestReceive
	requestWakeUp
)

// A request is for a connection, which has to be asleep.
type request struct {
	name requestName
	conn *Connection
	line string // to be sent, or to be sent before a line is received
}

// put adds a request to the queue of the interface of its connection, and tells the
// interface. One request to wake up is enough. PartnerLock must be held.
func put(r request) {
	i := r.conn.iface
	if r.name == requestWakeUp && slices.Contains(i.requests, r) {
		return
	}
	i.requests = append(i.requests, r)
	i.demandFewRequests()
	select {
	case i.pending <- struct{}{}:
	default: // it has been told
	}
}

// wake wakes a connection if it is asleep.
func wake(c *Connection) {
	if c.state.asleep() {
		put(request{name: requestWakeUp, conn: c})
	}
}

// processRequests empties the queue.
func (i *Interface) processRequests() {
	for len(i.requests) > 0 {
		r := i.requests[0]
		i.requests = i.requests[1:]
		i.process(r)
	}
	i.requests = nil
}

// process does what a request asks for; it is the body of the loop in appendix A.
// Issue 5: that a processor is to be woken while it is being disconnected is taken
// for an error.
func (i *Interface) process(r request) {
	c := r.conn
	going := c.state == Disconnect || c.state == Break
	switch r.name {
	case requestDisconnect:
		switch {
		case going: // it is already shutting down
		case c.state.asleep():
			c.set(Disconnect, none)
		default:
			critical("disconnect: illegal state switch from ", c)
		}
	case requestSend, requestReceive:
		switch {
		case c.state.asleep():
			o := write
			if r.name == requestReceive {
				o = read
			}
			c.set(Transaction, o)
			c.line = r.line
		case going: // the other side has closed unexpectedly
			i.breakPartnership(c, noBug)
		default:
			critical("send or receive: illegal state switch from ", c)
		}
	case requestWakeUp:
		switch {
		case c.state == Transaction: // it is already awake
		case going && !(i.balancer.issue == 5 && i.kind == Processors): // there is nothing left to do
		case c.state.asleep():
			c.set(Transaction, none)
		default:
			critical("wake up: illegal state switch from ", c)
		}
	}
}
