package session

import "github.com/heddle-mc/heddle/verify"

// The properties of paper 001, section 2.1.

// maxLock is how often a goroutine may hold PartnerLock, maxRequests how many
// requests may wait for each connection of an interface.
const (
	maxLock     = 2
	maxRequests = 2
)

// critical is for messages that must never be logged.
func critical(text string, c *Connection) {
	verify.Assertf(false, "critical: %s%v of connection %d", text, c.state, c.id)
}

// partnersAgree says that the partner of a connection's partner is the connection or
// nobody.
func (b *Balancer) partnersAgree() bool {
	for _, i := range b.interfaces {
		for _, c := range i.conns {
			if c.partner != nil && c.partner.partner != nil && c.partner.partner != c {
				return false
			}
		}
	}
	return true
}

// sleepersHavePartners says that a connection that sleeps has a partner, or that
// there is a request for it. While somebody holds PartnerLock it need not be so.
func (b *Balancer) sleepersHavePartners() bool {
	if b.lock.held {
		return true
	}
	for _, i := range b.interfaces {
		for _, c := range i.conns {
			if c.state == Sleep && c.partner == nil && !i.requested(c) {
				return false
			}
		}
	}
	return true
}

// requested reports whether there is a request for a connection.
func (i *Interface) requested(c *Connection) bool {
	for _, r := range i.requests {
		if r.conn == c {
			return true
		}
	}
	return false
}

func (h *holder) demandFewLocks() {
	verify.Assertf(h.count <= maxLock, "PartnerLock is held %d times, want at most %d", h.count, maxLock)
}

// demandNoLock says that who waits has released the lock as often as it was locked.
func (i *Interface) demandNoLock() {
	verify.Assertf(i.holder.count == 0, "PartnerLock is held %d times by one who waits", i.holder.count)
}

func (i *Interface) demandFewRequests() {
	verify.Assertf(len(i.requests) <= maxRequests*len(i.conns), "%d requests wait, want at most %d",
		len(i.requests), maxRequests*len(i.conns))
}
