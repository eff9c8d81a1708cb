package session

// A bug is what breakPartnership does wrong: the number of an issue, or noBug.
type bug int

const noBug bug = 0

// breakPartnership removes both links between a connection and its partner, and
// wakes the partner. Issue 2: the link is removed before it is used to wake the
// partner. Issue 3: the partner is not woken.
func (i *Interface) breakPartnership(c *Connection, b bug) {
	i.holder.lock()
	defer i.holder.unlock()
	p := c.partner
	if p == nil {
		return
	}
	c.setPartner(nil)
	detach(c, p)
	switch b {
	case 2:
		if c.partner != nil {
			wake(c.partner)
		}
	case 3:
	default:
		wake(p)
	}
}

// detach removes the link of p to c, if it has one.
func detach(c, p *Connection) {
	if p.partner == c {
		p.setPartner(nil)
	}
}

// link makes two connections partners.
func (i *Interface) link(processor, client *Connection) {
	i.holder.lock()
	defer i.holder.unlock()
	processor.setPartner(client)
	client.setPartner(processor)
	client.set(Sleep, none)
}
