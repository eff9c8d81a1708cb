//go:build linux

package peer

import (
	"net/netip"
	"regexp"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/iocache"
)

// A peer may open a port and say its number, for the program to connect to: PASV and EPSV of FTP,
// and many others. In what the peer says such a number is replaced by the one that stands for the
// port (see portMap), if it is sure to be meant: it stands by itself, and the peer has opened
// that port since it was ready. In what the program says it is put back.

// numbers finds what may be a port: six numbers with commas, of which the last two are one, as in an answer to
// PASV, or a number of four or five digits.
var numbers = regexp.MustCompile(`[0-9]{1,3}(?:,[0-9]{1,3}){5}|[0-9]{4,5}`)

// replacePorts returns data in which ports are replaced by others. It asks for each port that there is; 0 leaves it.
func replacePorts(data []byte, other func(port int) (int, error)) ([]byte, error) {
	var out []byte
	done := 0
	for _, m := range numbers.FindAllIndex(data, -1) {
		if !alone(data, m[0], m[1]) {
			continue
		}
		text := string(data[m[0]:m[1]])
		port, six := portIn(text)
		if port == 0 {
			continue
		}
		to, err := other(port)
		if err != nil {
			return nil, err
		}
		if to == 0 {
			continue
		}
		out = append(out, data[done:m[0]]...)
		if done = m[1]; six {
			out = append(out, text[:six6(text)]...)
			out = append(out, strconv.Itoa(to>>8)+","+strconv.Itoa(to&0xff)...)
		} else {
			out = strconv.AppendInt(out, int64(to), 10)
		}
	}
	if done == 0 {
		return data, nil
	}
	return append(out, data[done:]...), nil
}

// six6 returns where the last two of six numbers begin.
func six6(text string) int {
	at := len(text)
	for commas := 0; commas < 2; {
		if at--; text[at] == ',' {
			commas++
		}
	}
	return at + 1
}

// portIn returns the port that a number, or six of them, tell, 0 if they tell none.
func portIn(text string) (port int, six bool) {
	if len(text) <= 5 && !slices.Contains([]byte(text), ',') {
		port, _ = strconv.Atoi(text)
		if port > 0xffff {
			port = 0
		}
		return port, false
	}
	var list [6]int
	i := 0
	for _, c := range []byte(text) {
		if c == ',' {
			i++
			continue
		}
		if list[i] = 10*list[i] + int(c-'0'); list[i] > 0xff {
			return 0, true
		}
	}
	return list[4]<<8 | list[5], true
}

// alone reports whether what is between two places is no part of something longer.
func alone(data []byte, from, to int) bool {
	part := func(c byte) bool {
		return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
	}
	if from > 0 && (part(data[from-1]) || data[from-1] == '.' || data[from-1] == ',') {
		return false
	}
	if to < len(data) && (part(data[to]) || data[to] == ',') {
		return false
	}
	return to+1 >= len(data) || data[to] != '.' || !part(data[to+1])
}

// announced replaces the ports in what a peer has said.
func (l *live) announced(c *conn, data []byte) ([]byte, error) {
	if l.run == nil {
		return data, nil
	}
	return replacePorts(data, func(port int) (int, error) {
		if slices.Contains(l.run.first, port) {
			return 0, nil
		}
		if !slices.ContainsFunc(l.ports.list, func(s standIn) bool { return s.real == port }) {
			if !l.opened(port) {
				return 0, nil
			}
		}
		return l.ports.number(port, c.name)
	})
}

// opened reports whether the peer has a port. All that it has are looked for once after each request, which takes long, and
// again if somebody has this one now.
func (l *live) opened(port int) bool {
	if l.shown == nil {
		l.shown = append(l.run.openPorts(), 0)
	}
	if slices.Contains(l.shown, port) {
		return true
	}
	if l.g.diag == nil {
		return false
	}
	at := netip.AddrPortFrom(loopback, uint16(port))
	if s, err := l.g.diag.look(at, netip.AddrPortFrom(loopback, 1)); err != nil || s.state != tcpListen {
		return false
	}
	l.shown = append(l.run.openPorts(), 0)
	return slices.Contains(l.shown, port)
}

// meant puts back the ports in what the program says.
func (l *live) meant(data []byte) []byte {
	if len(l.ports.list) == 0 {
		return data
	}
	data, _ = replacePorts(data, func(port int) (int, error) { return l.ports.real(port), nil })
	return data
}

// openPorts returns the ports at which the processes of a run can be reached, none if that cannot be seen.
func (r *run) openPorts() (list []int) {
	pids := r.members()
	for _, look := range []func([]int) ([]netip.AddrPort, error){r.g.listening, r.g.boundUDP} {
		found, _ := look(pids)
		for _, a := range found {
			list = append(list, int(a.Port()))
		}
	}
	return list
}

// openOther makes a connection to another port of the peer than the one that it was told of.
func (l *live) openOther(name iocache.Name, port int) (*conn, error) {
	udp := isDatagrams(name)
	switch {
	case !l.id.Whole:
		return nil, iocache.Apartf(l.id, "whether the peer has port %d depends on what it was told elsewhere", port)
	case l.run == nil && !udp:
		return dial(name, netip.AddrPortFrom(l.to.Addr(), uint16(port)))
	case l.run == nil:
		return nil, diag.Incompletef("%v: the peer is not known to have port %d", l.id, port)
	}
	look := l.g.listening
	if udp {
		look = l.g.boundUDP
	}
	list, err := look(l.run.members())
	if err != nil {
		return nil, err
	}
	real := port
	if r := l.ports.real(port); r != 0 {
		real = r
	}
	i := slices.IndexFunc(list, func(a netip.AddrPort) bool { return int(a.Port()) == real })
	switch {
	case i >= 0 && udp:
		return dialUDP(name, reachable(list[i]))
	case i >= 0:
		return dial(name, reachable(list[i]))
	case udp:
		return nil, diag.Incompletef("%v: the peer is not known to have port %d", l.id, port)
	}
	// Whoever else may be there is not meant.
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	return &conn{name: name, fd: fd, connecting: true, failure: unix.ECONNREFUSED}, nil
}
