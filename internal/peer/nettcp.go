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
)

// listening returns the addresses at which processes accept TCP connections, in
// order: the sockets of /proc/PID/net/tcp that are among their descriptors.
func listening(pids []int) ([]netip.AddrPort, error) {
	return socketsOf(pids, []string{"tcp", "tcp6"}, func(s netSocket) bool { return s.state == tcpListen })
}

// socketsOf returns the local addresses of some sockets of processes, in order. The
// files are those of /proc/PID/net that list them.
func socketsOf(pids []int, files []string, want func(netSocket) bool) ([]netip.AddrPort, error) {
	var list []netip.AddrPort
	for _, pid := range pids {
		inodes, err := socketInodes(pid)
		if err != nil {
			return nil, err
		}
		if len(inodes) == 0 {
			continue
		}
		for _, file := range files {
			data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/net/" + file)
			if err != nil {
				continue // the process has ended, or there is no IPv6
			}
			for _, s := range parseNetTCP(data) {
				if want(s) && inodes[s.inode] && !slices.Contains(list, s.local) {
					list = append(list, s.local)
				}
			}
		}
	}
	slices.SortFunc(list, netip.AddrPort.Compare)
	return list, nil
}

// socketInodes returns the sockets that a process has open.
func socketInodes(pid int) (map[uint64]bool, error) {
	dir := "/proc/" + strconv.Itoa(pid) + "/fd"
	entries, err := os.ReadDir(dir)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		if goneOr(err) == errGone {
			return nil, nil
		}
		return nil, err
	}
	inodes := make(map[uint64]bool)
	for _, e := range entries {
		to, _ := os.Readlink(dir + "/" + e.Name())
		if text, ok := strings.CutPrefix(to, "socket:["); ok {
			if n, err := strconv.ParseUint(strings.TrimSuffix(text, "]"), 10, 64); err == nil {
				inodes[n] = true
			}
		}
	}
	return inodes, nil
}

// A netSocket is a line of /proc/net/tcp.
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
