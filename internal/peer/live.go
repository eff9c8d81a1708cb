//go:build linux

package peer

import (
	"net/netip"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/iocache"
)

// A live is the real other side of one history: some connections with a peer. It
// is an [iocache.Peer].
type live struct {
	g     *Group
	spec  *Spec
	id    iocache.HistoryID
	run   *run           // nil for a peer at an address
	own   bool           // the run was launched for this history and ends with it
	to    netip.AddrPort // where the peer accepts connections
	toUDP netip.AddrPort // where it receives datagrams
	conns []*conn
	ports *portMap
	shown []int // the ports that it had at some moment since the last request, and 0; nil if nobody has looked
	bound []int // where it received datagrams when it was last quiet, if that matters
	buf   []byte

	accepted int       // incoming connections
	asked    string    // the last request
	talk     Talk      // since then
	since    time.Time // when it was first polled after that
	polled   bool
	news     time.Time // when it last said something
	spoken   bool      // it has said something since the last request
	quiet    bool      // it was quiet and was not asked since
	hurried  bool      // it has said all that is known of it
	vigil    vigil
	rested   time.Time // when it was last looked at, if it was at rest
	stall    stall
}

// Do performs a request.
func (l *live) Do(r iocache.Request) error {
	// What follows the end of the only connection nobody can see.
	if ends := r.Kind == iocache.Close || r.Kind == iocache.Reset; l.id.Whole || !ends {
		if err := l.unasked(); err != nil {
			return err
		}
	}
	l.begin(r.Kind.String(), r.Data)
	if r.Kind == iocache.Open {
		c, err := l.open(r.Conn)
		if err != nil {
			return err
		}
		c.ports = l.ports
		l.conns = append(l.conns, c)
		return nil
	}
	i := slices.IndexFunc(l.conns, func(c *conn) bool { return c.name == r.Conn })
	if i < 0 {
		return diag.Bugf("%v: %v of connection %v, which was never opened", l.id, r.Kind, r.Conn)
	}
	c := l.conns[i]
	if c.udp && r.Kind == iocache.Write {
		if err := l.addressed(r.Data); err != nil {
			return err
		}
	}
	if c.fd >= 0 {
		data := r.Data
		if !c.udp {
			data = l.meant(data)
		}
		c.do(r.Kind, data)
	}
	return nil
}

// open makes a connection.
func (l *live) open(name iocache.Name) (*conn, error) {
	if port := name.Port(); port != 0 {
		return l.openOther(name, port)
	}
	if l.run != nil && l.run.addr.unix != "" {
		return dialPath(name, l.run.addr.unix)
	}
	open, to := dial, l.to
	if isDatagrams(name) {
		open, to = dialUDP, l.toUDP
	}
	if !to.IsValid() {
		return nil, diag.Incompletef("%v: the peer has no port of that kind", l.id)
	}
	return open(name, to)
}

// Connected reports whether a connection that was opened is there.
func (l *live) Connected(name iocache.Name) bool {
	i := slices.IndexFunc(l.conns, func(c *conn) bool { return c.name == name })
	if i < 0 {
		return false
	}
	c := l.conns[i]
	if c.connecting {
		c.connected()
	}
	return !c.connecting && c.fd >= 0
}

// begin begins an exchange.
func (l *live) begin(request string, data []byte) {
	if l.run != nil {
		l.g.fixer.Asked(l.run.id)
	}
	l.asked = request + " " + string(data)
	l.talk = Talk{Request: request, Sent: slices.Clone(data[:min(len(data), maxShown)])}
	l.polled, l.quiet, l.spoken, l.hurried = false, false, false, false
	l.shown = nil
	l.news = time.Now()
	l.vigil, l.stall = make(vigil), stall{}
	for _, c := range l.conns {
		c.said = 0
		c.release()
		if len(c.frame) > 0 {
			c.before, c.frame = c.frame, c.before[:0]
		}
	}
}

// unasked reports what the peer has said after it was quiet.
func (l *live) unasked() error {
	if !l.quiet {
		return nil
	}
	r, ok, err := l.heard()
	if err != nil || !ok {
		return err
	}
	return &Unasked{Peer: l.spec.Name, Conn: r.Conn.String(), What: r.Kind.String(), Data: slices.Clone(r.Data[:min(len(r.Data), maxShown)]), one: !l.id.Whole}
}

// firstPause is how long is waited after the first look. Answers often come while the
// peer is looked at.
const firstPause = 10 * time.Microsecond

// Poll tells what the peer has said, or that it is quiet. The look that finds it quiet is
// work, and no wait: nothing would be gained if the peer were faster.
func (l *live) Poll() (iocache.Response, error) {
	l.g.count1(&l.g.stats.Polls)
	over := l.g.waits()
	defer func() { over() }()
	if !l.polled {
		l.polled, l.since = true, time.Now()
	}
	for pause := firstPause; ; pause = min(pause+pause/4, 5*time.Millisecond) {
		if r, ok, err := l.heard(); ok || err != nil {
			return r, err
		}
		look := time.Now()
		settled, err := l.settled()
		if err != nil {
			if r, ok, _ := l.heardLast(); ok {
				return r, nil // its last words come first
			}
			return iocache.Response{}, err
		}
		if settled {
			over()
			over = l.g.looked(look)
			// What was said before the peer settled is here by now.
			r, ok, err := l.heardLast()
			if !ok && err == nil {
				l.calm()
				if len(l.vigil) > 0 {
					l.g.habits[l.spec.Name].answered(l.asked, l.spoken, false)
				}
				if len(l.ports.list) > 0 {
					l.bound = l.boundPorts()
				}
			}
			return r, err
		}
		if time.Since(l.since) > l.limit() {
			return iocache.Response{}, l.hung()
		}
		l.wait(pause)
	}
}

// calm notes that the peer has answered.
func (l *live) calm() {
	l.quiet = true
	for _, c := range l.conns {
		c.asks = 0
	}
	if l.run != nil {
		l.g.fixer.Calm(l.run.id)
	}
}

// limit is how long the peer may take until it is quiet. A client that has not connected yet may still be getting ready, as one
// that is compiled first is.
func (l *live) limit() time.Duration {
	if l.spec.Role == Client && l.accepted == 0 {
		return max(l.spec.Ready, l.spec.Answer)
	}
	return l.spec.Answer
}

func (l *live) hung() error {
	e := &Hung{Peer: l.spec.Name, Limit: l.limit(), Waiting: "quiet", Talk: l.talk, Doing: "it has not answered"}
	if l.run != nil {
		e.Output = l.run.out.String()
		if s, err := l.run.sample(); err == nil {
			e.Doing = s.String()
		}
	}
	return e
}

// heard returns something that the peer has said and that was not told yet.
func (l *live) heard() (r iocache.Response, ok bool, err error) {
	if c, err := l.accept(); c != nil || err != nil {
		return iocache.Response{Kind: iocache.Incoming, Conn: l.incomingName()}, c != nil, err
	}
	for _, c := range l.conns {
		if c.fd < 0 || c.ended {
			continue
		}
		if c.connecting {
			if _, failure := c.connected(); failure != 0 {
				c.close()
				c.ended = true
				return iocache.Response{Kind: iocache.Refused, Conn: c.name, Err: unix.ErrnoName(failure)}, true, nil
			}
			continue
		}
		if c.flush(); c.fd < 0 {
			continue
		}
		kind, n, more, failure, err := l.hear(c)
		if err != nil {
			return r, false, err
		}
		if kind == iocache.Quiet {
			continue
		}
		l.heardNow(l.buf[:n])
		r = iocache.Response{Kind: kind, Conn: c.name}
		switch kind {
		case iocache.Data:
			r.Data, r.More = l.buf[:n], more
			if !c.udp {
				if r.Data, err = l.announced(c, r.Data); err != nil {
					return r, false, err
				}
			}
			if c.said += n; c.said > l.spec.MaxBytes {
				l.talk.Total = min(l.talk.Total, l.spec.MaxBytes) // how much came at once depends on time
				return r, false, &Flood{Peer: l.spec.Name, Conn: c.name.String(), Limit: l.spec.MaxBytes, Talk: l.talk}
			}
		default:
			c.ended = true
			if kind == iocache.Failed {
				r.Err = unix.ErrnoName(failure)
			}
		}
		return r, true, nil
	}
	return l.hearDoor()
}

// read reads what there is on a connection.
func (l *live) read(c *conn) (kind iocache.ResponseKind, n int, failure unix.Errno, err error) {
	if !c.udp {
		kind, n, failure = c.read(l.buf)
		return kind, n, failure, nil
	}
	for {
		kind, n, err = c.readFrame(l.buf)
		if err != nil || kind == iocache.Quiet || !l.repeats(c, l.buf[:n]) && !l.hold(c, l.buf[:n]) {
			return kind, n, 0, err
		}
	}
}

func (l *live) heardNow(data []byte) {
	l.hurried = false // unless that is known, too
	if len(l.vigil) > 0 {
		l.g.habits[l.spec.Name].answered(l.asked, true, true)
	}
	l.talk.add(data)
	l.news, l.spoken = time.Now(), true
	clear(l.vigil)
}

// accept takes a connection that the peer has made.
func (l *live) accept() (*conn, error) {
	if l.run == nil || l.run.door == nil {
		return nil, nil
	}
	fd, sa, err := unix.Accept4(l.run.door.fd, unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC)
	switch err {
	case nil:
	case unix.EAGAIN, unix.EINTR, unix.ECONNABORTED:
		return nil, nil
	default:
		return nil, err
	}
	l.accepted++
	l.heardNow(nil)
	c := &conn{name: l.incomingName(), fd: fd, remote: addrPort(sa), path: l.run.addr.unix != ""}
	c.begin()
	l.conns = append(l.conns, c)
	return c, nil
}

// incomingName names the last incoming connection as the cache wants it.
func (l *live) incomingName() iocache.Name {
	if !l.id.Whole {
		return iocache.Name{Dir: iocache.In, Creator: l.id.Conn.Creator, N: l.id.Conn.N + l.accepted - 1}
	}
	return iocache.Name{Dir: iocache.In, N: l.accepted - 1}
}

// wait waits until something happens on a socket, but not longer than d.
func (l *live) wait(d time.Duration) {
	unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0) // of this thread: d may be less than the usual slack
	ts := unix.NsecToTimespec(d.Nanoseconds())
	unix.Ppoll(l.sockets(), &ts, nil)
}

// readable reports whether something has come that was not read.
func (l *live) readable() bool {
	fds := l.sockets()
	unix.Poll(fds, 0)
	return slices.ContainsFunc(fds, func(p unix.PollFd) bool { return p.Revents&^unix.POLLOUT != 0 })
}

// sockets returns where something can happen.
func (l *live) sockets() (fds []unix.PollFd) {
	for _, c := range l.conns {
		if c.fd < 0 || c.door || c.ended && len(c.out) == 0 {
			continue
		}
		p := unix.PollFd{Fd: int32(c.fd)}
		if !c.ended && !c.connecting {
			p.Events |= unix.POLLIN
		}
		if c.connecting || len(c.out) > 0 {
			p.Events |= unix.POLLOUT
		}
		fds = append(fds, p)
	}
	if l.run != nil && l.run.door != nil {
		fds = append(fds, unix.PollFd{Fd: int32(l.run.door.fd), Events: unix.POLLIN})
	}
	if l.run != nil && l.run.udpDoor != nil {
		fds = append(fds, unix.PollFd{Fd: int32(l.run.udpDoor.fd), Events: unix.POLLIN})
	}
	return fds
}

// Stop ends the history.
func (l *live) Stop() {
	for _, c := range l.conns {
		c.close()
		l.g.pieces.forget(c)
	}
	if l.own {
		defer l.g.waits()()
		l.run.close()
	}
}
