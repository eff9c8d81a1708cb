package session

import "strings"

// application decides what is done with a connection: it has received a line, it has
// sent one, or it was woken.
//
//	from a client             from a processor
//	print NAME   a job        work         wants a job
//	data TEXT    an answer    ask TEXT     the client shall send data
//	quit         disconnect   tell TEXT    the client shall get data
//	                          done         the job is done
//	                          quit         disconnect
//
// A client is sent "question TEXT" and "document TEXT"; a processor "job NAME", "data
// TEXT", "told", and "lost" if its client has gone.
func (i *Interface) application(c *Connection) {
	verb, text, _ := strings.Cut(c.received, " ")
	c.received = ""
	if i.kind == Clients {
		i.client(c, verb, text)
	} else {
		i.processor(c, verb, text)
	}
}

func (i *Interface) client(c *Connection, verb, text string) {
	switch {
	case verb == "print" && c.partner == nil:
		c.job = text
		i.submit(c)
	case verb == "data" && c.partner != nil:
		i.answer(c, "data "+text)
	case verb != "":
		i.quit(c)
	case c.partner != nil:
		i.answer(c, "told")
	case c.job != "": // the partner has gone, or all processors have
		i.submit(c)
	default:
		i.startRead(c)
	}
}

func (i *Interface) processor(c *Connection, verb, text string) {
	switch {
	case verb == "work" && c.partner == nil:
		i.work(c)
	case verb == "ask" && c.partner != nil:
		i.ask(c, requestReceive, "question "+text)
	case verb == "tell" && c.partner != nil:
		i.ask(c, requestSend, "document "+text)
	case verb == "ask", verb == "tell":
		i.startWrite(c, "lost")
	case verb == "done" && c.partner != nil:
		i.finish(c)
	case verb == "done":
		i.startRead(c)
	case verb != "":
		i.quit(c)
	case c.wants == aJob:
		i.work(c)
	case c.wants == anAnswer:
		i.reply(c)
	default:
		i.startRead(c)
	}
}

// quit disconnects by a request of the connection to itself. Issue 4: a client is
// not put to sleep before.
func (i *Interface) quit(c *Connection) {
	if i.balancer.issue != 4 || i.kind != Clients {
		c.set(Sleep, none)
	}
	put(request{name: requestDisconnect, conn: c})
}

// submit has a client wait for a processor.
func (i *Interface) submit(c *Connection) {
	if i.other().gone {
		i.quit(c)
		return
	}
	c.set(Pending, none)
	for _, p := range i.other().conns {
		if p.state == Pending {
			wake(p)
		}
	}
}

// answer gives the partner of a client what it waits for.
func (i *Interface) answer(c *Connection, line string) {
	c.partner.line = line
	wake(c.partner)
	c.set(Sleep, none)
}

// work gives a processor a job, or has it wait for one.
func (i *Interface) work(c *Connection) {
	c.wants = aJob
	for _, client := range i.other().conns {
		if client.state == Pending {
			i.link(c, client)
			c.wants = nothing
			i.startWrite(c, "job "+client.job)
			return
		}
	}
	if i.other().gone {
		i.quit(c)
		return
	}
	c.set(Pending, none)
}

// ask has the client of a processor send or receive data.
func (i *Interface) ask(c *Connection, name requestName, line string) {
	c.wants = anAnswer
	c.line = ""
	put(request{name, c.partner, line})
	c.set(Sleep, none)
}

// reply tells a processor what it has waited for.
func (i *Interface) reply(c *Connection) {
	c.wants = nothing
	line := c.line
	if c.partner == nil {
		line = "lost"
	}
	i.startWrite(c, line)
}

// finish ends a job: the client is to be disconnected, and is no partner any more.
// Issue 1: its link stays. Issue 6: both links stay.
func (i *Interface) finish(c *Connection) {
	client := c.partner
	put(request{name: requestDisconnect, conn: client})
	switch i.balancer.issue {
	case 6:
	case 1:
		c.setPartner(nil)
	default:
		i.holder.lock()
		c.setPartner(nil)
		detach(c, client)
		i.holder.unlock()
	}
	i.startRead(c)
}
