//go:build linux

package peer

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// listening returns the addresses at which processes accept TCP connections, in order.
func (g *Group) listening(pids []int) ([]netip.AddrPort, error) {
	return g.socketsOf(pids, tcpSockets)
}

// mayListen reports whether somebody, whoever that is, may accept connections at a port. It costs little, and is asked
// often while a server starts.
func (g *Group) mayListen(port uint16) bool {
	if g.diag == nil {
		return true
	}
	list, err := g.diag.list(tcpSockets)
	return err != nil || slices.ContainsFunc(list, func(s netSocket) bool { return s.local.Port() == port })
}

// boundUDP returns the addresses at which processes receive datagrams, in order.
func (g *Group) boundUDP(pids []int) ([]netip.AddrPort, error) {
	return g.socketsOf(pids, udpSockets)
}

// A socketKind is the sockets at which somebody can be reached by one protocol.
type socketKind struct {
	protocol uint8
	states   uint32   // bits of those that count
	files    []string // of /proc/PID/net
}

var (
	tcpSockets = socketKind{unix.IPPROTO_TCP, 1 << tcpListen, []string{"tcp", "tcp6"}}
	udpSockets = socketKind{unix.IPPROTO_UDP, ^uint32(0), []string{"udp", "udp6"}}
)

// socketsOf returns the local addresses of sockets of processes, in order: those of the machine that are among their
// descriptors.
func (g *Group) socketsOf(pids []int, kind socketKind) ([]netip.AddrPort, error) {
	inodes := make(map[uint64]bool)
	for _, pid := range pids {
		if err := socketInodes(pid, inodes); err != nil {
			return nil, err
		}
	}
	if len(inodes) == 0 {
		return nil, nil
	}
	all, err := g.sockets(pids, kind)
	if err != nil {
		return nil, err
	}
	var list []netip.AddrPort
	for _, s := range all {
		if kind.states>>s.state&1 != 0 && s.local.Port() != 0 && inodes[s.inode] && !slices.Contains(list, s.local) {
			list = append(list, s.local)
		}
	}
	slices.SortFunc(list, netip.AddrPort.Compare)
	return list, nil
}

// sockets returns the sockets of the machine. The kernel is asked for those in certain states if it can be: the files of /proc
// are made by going through tables that are as large as the machine.
func (g *Group) sockets(pids []int, kind socketKind) (list []netSocket, err error) {
	if g.diag != nil {
		if list, err = g.diag.list(kind); err == nil {
			return list, nil
		}
	}
	for _, pid := range pids {
		for _, file := range kind.files {
			data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/net/" + file)
			if err != nil {
				continue // the process has ended, or there is no IPv6
			}
			list = append(list, parseNetTCP(data)...)
		}
	}
	return list, nil
}

// socketInodes adds the sockets that a process has open.
func socketInodes(pid int, inodes map[uint64]bool) error {
	dir := "/proc/" + strconv.Itoa(pid) + "/fd"
	entries, err := os.ReadDir(dir)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		if goneOr(err) == errGone {
			return nil
		}
		return err
	}
	for _, e := range entries {
		to, _ := os.Readlink(dir + "/" + e.Name())
		if text, ok := strings.CutPrefix(to, "socket:["); ok {
			if n, err := strconv.ParseUint(strings.TrimSuffix(text, "]"), 10, 64); err == nil {
				inodes[n] = true
			}
		}
	}
	return nil
}

// A netSocket is a socket of the machine, as in a line of /proc/net/tcp.
type netSocket struct {
	local netip.AddrPort
	state uint8
	inode uint64
}

func parseNetTCP(data []byte) []netSocket {
	var list []netSocket
	for line := range bytes.Lines(data) {
		f := bytes.Fields(line)
		if len(f) < 10 {
			continue
		}
		local, ok := parseNetAddr(string(f[1]))
		state, err := strconv.ParseUint(string(f[3]), 16, 8)
		inode, err2 := strconv.ParseUint(string(f[9]), 10, 64)
		if ok && err == nil && err2 == nil {
			list = append(list, netSocket{local, uint8(state), inode})
		}
	}
	return list
}

// parseNetAddr reads an address as the kernel prints it: words of 32 bits in the
// order of the machine, a colon, the port.
func parseNetAddr(text string) (netip.AddrPort, bool) {
	host, port, _ := strings.Cut(text, ":")
	b, err := hex.DecodeString(host)
	n, err2 := strconv.ParseUint(port, 16, 16)
	if err != nil || err2 != nil || len(b) != 4 && len(b) != 16 {
		return netip.AddrPort{}, false
	}
	for i := 0; i < len(b); i += 4 {
		binary.NativeEndian.PutUint32(b[i:], binary.BigEndian.Uint32(b[i:]))
	}
	addr, _ := netip.AddrFromSlice(b)
	return netip.AddrPortFrom(addr.Unmap(), uint16(n)), true
}

// reachable returns the address at which a listening socket can be reached.
func reachable(a netip.AddrPort) netip.AddrPort {
	if a.Addr().IsUnspecified() {
		return netip.AddrPortFrom(loopback, a.Port())
	}
	return a
}
