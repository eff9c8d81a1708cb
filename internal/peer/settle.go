//go:build linux

package peer

import (
	"time"

	"golang.org/x/sys/unix"
)

// settled reports whether the peer has said all that it will say for now.
func (l *live) settled() (bool, error) {
	if l.spec.Delay > 0 || l.run != nil && l.run.g.blind(l.spec) > 0 {
		return l.delayed()
	}
	rested := l.rested
	l.rested = time.Time{}
	if !l.arrived() {
		return false, nil
	}
	first, err := l.run.glance()
	if err != nil {
		l.g.goBlind(l.spec, err)
		return false, nil
	}
	if len(first) == 0 {
		return l.ended()
	}
	timers, idle := first.idle(l.patience(), l.g.habits[l.spec.Name])
	if !idle || !l.g.watch.idle() {
		return false, nil
	}
	timers = append(timers, l.run.timers(l.patience(), l.g.habits[l.spec.Name])...)
	between := time.Now()
	second, err := l.run.sample()
	if err != nil || !first.same(second) {
		return false, nil
	}
	l.g.asleep(second, between)
	if !l.delivered() {
		return false, nil
	}
	if len(timers) == 0 || l.holds() {
		return true, nil
	}
	if len(l.vigil) == 0 && l.readable() {
		return false, nil // it has answered, and not because of a timer
	}
	now, rest := time.Now(), time.Duration(0)
	if l.rested = now; !rested.IsZero() {
		rest = now.Sub(rested)
	}
	return l.vigil.over(timers, now, rest, l.g.habits[l.spec.Name]), nil
}

// patience is the longest timer of the peer that is waited for.
func (l *live) patience() time.Duration {
	if l.hurried || l.g.habits[l.spec.Name].prompt(l.asked, l.spoken) {
		return 0
	}
	return l.spec.Patience
}

// Hurry is told that the peer has said what it said before: see [iocache.Hurried].
func (l *live) Hurry() { l.hurried = true }

// Linger waits until timers of the peer should have run out that are never waited for, because they go on and on, or cannot be seen: another one may
// stand behind them. Meanwhile the date of the peer goes as time does.
func (l *live) Linger() error {
	if !l.quiet || l.run == nil || l.spec.Delay > 0 {
		return nil
	}
	s, err := l.run.sample()
	if err != nil || !s.ticks(l.spec.Patience) && len(l.run.timers(l.spec.Patience, nil)) == 0 && !l.run.limited() {
		return nil
	}
	defer l.g.fixer.Linger(l.run.id)()
	for start := time.Now(); time.Since(start) < l.spec.Patience; {
		if err := l.unasked(); err != nil {
			return err
		}
		l.wait(5 * time.Millisecond)
	}
	return l.unasked()
}

// delayed is for peers that cannot be looked at: nothing was said for a while.
func (l *live) delayed() (bool, error) {
	for _, c := range l.conns {
		if c.connecting && c.fd >= 0 {
			return false, nil
		}
	}
	delay := max(l.spec.Delay, l.g.blind(l.spec))
	if left := delay - time.Since(l.news); left > 0 {
		l.wait(min(left, 5*time.Millisecond))
		return false, nil
	}
	if l.run != nil && l.run.dead() {
		return l.ended()
	}
	return true, nil
}

// ended judges a peer of which no process is left.
func (l *live) ended() (bool, error) {
	s, err := l.run.ending()
	switch {
	case s == nil:
		return false, err // without one, it will be known in a moment
	case !l.run.dead():
		return false, nil
	case s.Signaled():
		return false, l.run.died("while it was needed", l.talk)
	case l.spec.Role == Server && s.ExitStatus() != 0:
		return false, l.run.died("while it was needed", l.talk)
	case l.spec.Role == Client && l.accepted == 0:
		return false, l.run.died("before it connected", l.talk)
	}
	return l.delivered(), nil
}

// A stall is a time in which what the kernel tells of the connections does not
// change. Bytes that do not get on in so long wait for the peer, whose buffer is
// full or who accepts connections only when they have data.
type stall struct {
	sum   uint64
	since time.Time
}

const stallTime = 20 * time.Millisecond

func (l *live) stalled(sum uint64) bool {
	s, now := &l.stall, time.Now()
	if s.since.IsZero() || s.sum != sum {
		*s = stall{sum, now}
	}
	if now.Sub(s.since) <= stallTime {
		return false
	}
	l.g.count1(&l.g.stats.Stalls)
	return true
}

// arrived reports whether all that was sent is at the peer's end of the
// connections, and whoever waits for it was woken. Acknowledgements would say
// it too, but the kernel delays them.
func (l *live) arrived() bool {
	all, sum := true, uint64(0)
	for _, c := range l.conns {
		if c.connecting && c.fd >= 0 {
			return false // the handshake is not over
		}
		if c.udp || c.arrived && len(c.out) == 0 || !c.local.IsValid() {
			continue
		}
		s, err := l.g.look(c)
		if err != nil {
			return l.acknowledged()
		}
		if s.found && s.reaches(c.sent) && len(c.out) == 0 || !s.found || s.closing() {
			c.arrived = true
			continue
		}
		all = false
		sum += s.received + c.sent
	}
	return all || l.stalled(sum)
}

// reaches reports whether so much has arrived.
func (s *sockState) reaches(sent uint64) bool {
	return s.state != tcpSynRecv && s.state != tcpNewSynRecv && s.received >= sent
}

// closing reports whether the peer's end takes no more.
func (s *sockState) closing() bool {
	switch s.state {
	case tcpSynRecv, tcpNewSynRecv:
		return false
	case tcpEstablished, tcpCloseWait, tcpFinWait1, tcpFinWait2:
		return s.last
	}
	return true
}

// acknowledged is arrived where the kernel does not let us ask about sockets.
func (l *live) acknowledged() bool {
	for _, c := range l.conns {
		if c.fd < 0 || c.udp || c.path {
			continue
		}
		if n, err := unix.IoctlGetInt(c.fd, unix.SIOCOUTQ); err == nil && n > 0 {
			return l.stalled(uint64(n))
		}
	}
	return true
}

// delivered reports whether all that the peer has written is in our buffers.
func (l *live) delivered() bool {
	all, sum := true, uint64(0)
	for _, c := range l.conns {
		if c.fd < 0 || c.ended || c.connecting || c.udp || c.path { // in the Unix domain what is written is there
			continue
		}
		// What was read is acknowledged now, not after the kernel's delay.
		unix.SetsockoptInt(c.fd, unix.IPPROTO_TCP, unix.TCP_QUICKACK, 1)
		s, err := l.g.look(c)
		if err != nil {
			continue
		}
		if s.found && s.unacked > 0 || !s.found && established(c.fd) {
			all = false
			sum += uint64(s.unacked) + 1
		}
	}
	return all || l.stalled(sum)
}

// established reports whether our end has not heard that the other one is gone.
func established(fd int) bool {
	info, err := unix.GetsockoptTCPInfo(fd, unix.IPPROTO_TCP, unix.TCP_INFO)
	return err == nil && info.State == tcpEstablished
}
