package session

import (
	"bufio"
	"io"
	"net"
)

// A Kind says who is at the other side of the connections of an interface.
type Kind uint8

// The kinds.
const (
	Clients Kind = iota
	Processors
)

// An Interface serves the connections of one kind.
type Interface struct {
	kind     Kind
	balancer *Balancer
	holder   holder
	conns    []*Connection
	pending  chan struct{} // there may be requests
	events   chan event

	// PartnerLock guards these.
	requests []request
	gone     bool // no connection is left, and none will come

	// These belong to the goroutine of the interface.
	open   int           // connections that are served or may still come
	writes []outgoing    // to be done without PartnerLock
	done   []*Connection // whose lines have been written
}

// An event is what happens at a socket.
type event struct {
	conn *Connection
	name eventName
	sock net.Conn // of accepted
	line string   // of received
}

type eventName uint8

const (
	accepted eventName = iota
	received
	closed
	ended // the place is not used any more
)

type outgoing struct {
	conn   *Connection
	line   string
	notify bool // the connection waits until it is written
}

// serve accepts one peer after the other for a place, n in all, or without end if n
// is 0, and tells what they send.
func (i *Interface) serve(c *Connection, l net.Listener, n int) {
	for k := 0; n == 0 || k < n; k++ {
		sock, err := l.Accept()
		if err != nil {
			break
		}
		i.events <- event{conn: c, name: accepted, sock: sock}
		in := bufio.NewScanner(sock)
		for in.Scan() {
			i.events <- event{conn: c, name: received, line: in.Text()}
		}
		i.events <- event{conn: c, name: closed}
	}
	i.events <- event{conn: c, name: ended}
}

// run waits for events and requests until no connection is left.
func (i *Interface) run() {
	for i.open > 0 {
		i.demandNoLock()
		i.waitEvent()
		i.processRequests()
		i.transactions()
		i.holder.unlock()
		i.flush()
	}
	i.leave()
}

// waitEvent returns with PartnerLock held and the event noted.
func (i *Interface) waitEvent() {
	if len(i.done) > 0 {
		i.holder.lock()
		for _, c := range i.done {
			if c.state == Writing {
				c.set(Transaction, none)
			}
		}
		i.done = nil
		return
	}
	select {
	case <-i.pending:
		i.holder.lock()
	case e := <-i.events:
		i.holder.lock()
		i.note(e)
	}
}

func (i *Interface) note(e event) {
	c := e.conn
	switch e.name {
	case accepted:
		c.sock = e.sock
		c.set(Accept, none)
	case received:
		c.inbox = append(c.inbox, e.line)
	case closed:
		c.set(Break, none)
	case ended:
		i.open--
	}
}

// transactions does what the states of the connections ask for.
func (i *Interface) transactions() {
	for _, c := range i.conns {
		if c.state == Reading && len(c.inbox) > 0 {
			c.received = c.inbox[0]
			c.inbox = c.inbox[1:]
			c.set(Transaction, none)
		}
		switch {
		case c.state == Accept || c.state == Transaction && c.operation == read:
			i.startRead(c)
		case c.state == Transaction && c.operation == write:
			i.startWrite(c, c.line)
		case c.state == Transaction:
			i.application(c)
		case c.state == Disconnect:
			i.disconnect(c)
		case c.state == Break:
			i.lost(c)
		}
	}
}

// startRead waits for the next line. A line that the connection has to send before
// is sent.
func (i *Interface) startRead(c *Connection) {
	if c.line != "" {
		i.writes = append(i.writes, outgoing{conn: c, line: c.line})
		c.line = ""
	}
	c.set(Reading, none)
	if len(c.inbox) > 0 {
		i.again()
	}
}

func (i *Interface) startWrite(c *Connection, line string) {
	i.writes = append(i.writes, outgoing{c, line, true})
	c.line = ""
	c.set(Writing, none)
}

// again has the interface look at its connections once more.
func (i *Interface) again() {
	select {
	case i.pending <- struct{}{}:
	default:
	}
}

// flush writes what is to be written. A peer that does not read can hold up its
// interface once the buffers of its connection are full, but nobody else, since
// PartnerLock is free. That a peer has gone is seen by who reads from it.
func (i *Interface) flush() {
	for _, w := range i.writes {
		io.WriteString(w.conn.sock, w.line+"\n")
		if w.notify {
			i.done = append(i.done, w.conn)
		}
	}
	i.writes = nil
}

// disconnect shuts a connection down.
func (i *Interface) disconnect(c *Connection) {
	b := noBug
	if i.balancer.issue == 2 && i.kind == Clients {
		b = 2
	}
	i.breakPartnership(c, b)
	c.sock.(interface{ CloseWrite() error }).CloseWrite()
	c.set(Shutdown, none)
}

// lost makes a place free whose peer has gone.
func (i *Interface) lost(c *Connection) {
	b := noBug
	if i.balancer.issue == 3 && i.kind == Clients {
		b = 3
	}
	i.breakPartnership(c, b)
	c.sock.Close()
	c.sock, c.inbox, c.received, c.line, c.job, c.wants = nil, nil, "", "", "", nothing
	c.set(Free, none)
}

// leave tells those who wait for a partner that there will be none.
func (i *Interface) leave() {
	i.holder.lock()
	defer i.holder.unlock()
	i.gone = true
	for _, c := range i.other().conns {
		if c.state == Pending {
			wake(c)
		}
	}
}

// other is the interface with the partners.
func (i *Interface) other() *Interface {
	return i.balancer.interfaces[1-i.kind]
}
