package sockets

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// An optName is the level and number of a socket option.
type optName struct{ level, num int }

// An option is the value of a socket option that is a number.
type option struct {
	name  optName
	value int32
}

// Options that the kernel itself looks at.
var (
	soReuseAddr = optName{linux.SOL_SOCKET, linux.SO_REUSEADDR}
	soReusePort = optName{linux.SOL_SOCKET, 15}
	ipv6Only    = optName{linux.IPPROTO_IPV6, linux.IPV6_V6ONLY}
	tcpFastOpen = optName{linux.IPPROTO_TCP, 23}

	soRcvTimeo = optName{linux.SOL_SOCKET, linux.SO_RCVTIMEO}
	soSndTimeo = optName{linux.SOL_SOCKET, linux.SO_SNDTIMEO}
)

// An optKind says what values an option takes.
type optKind struct {
	initial  int32
	truth    bool  // any number but 0 is 1
	min, max int32 // if max is not 0; others are invalid
}

// optKinds are the options that are numbers and that programs may set. Except
// for those above they have no effect: there is nothing to tune.
var optKinds = map[optName]optKind{
	soReuseAddr:       {truth: true},
	soReusePort:       {truth: true},
	ipv6Only:          {truth: true},
	ipMulticastLoop:   {initial: 1, truth: true},
	ipv6MulticastLoop: {initial: 1, truth: true},
	{linux.IPPROTO_IP, linux.IP_MULTICAST_TTL}: {initial: 1, max: 255},
	ipMulticastAll:   {initial: 1, truth: true},
	ipv6MulticastAll: {initial: 1, truth: true},
	{linux.IPPROTO_IPV6, linux.IPV6_MULTICAST_HOPS}: {initial: 1, max: 255},
	ipPktinfo:                                     {truth: true},
	ipv6RecvPktinfo:                               {truth: true},
	{linux.SOL_SOCKET, linux.SO_BROADCAST}:        {truth: true},
	{linux.SOL_SOCKET, linux.SO_KEEPALIVE}:        {truth: true},
	{linux.SOL_SOCKET, linux.SO_OOBINLINE}:        {truth: true},
	{linux.SOL_SOCKET, linux.SO_PRIORITY}:         {max: 6},
	{linux.SOL_SOCKET, linux.SO_SNDBUF}:           {initial: socketBuffer},
	{linux.SOL_SOCKET, linux.SO_RCVBUF}:           {initial: socketBuffer},
	{linux.IPPROTO_TCP, linux.TCP_NODELAY}:        {truth: true},
	{linux.IPPROTO_TCP, linux.TCP_CORK}:           {truth: true},
	{linux.IPPROTO_TCP, linux.TCP_KEEPIDLE}:       {initial: 7200, min: 1, max: 32767},
	{linux.IPPROTO_TCP, linux.TCP_KEEPINTVL}:      {initial: 75, min: 1, max: 32767},
	{linux.IPPROTO_TCP, linux.TCP_KEEPCNT}:        {initial: 9, min: 1, max: 127},
	{linux.IPPROTO_TCP, linux.TCP_QUICKACK}:       {initial: 1, truth: true},
	{linux.IPPROTO_TCP, 18}:                       {max: 1<<31 - 1}, // TCP_USER_TIMEOUT
	tcpFastOpen:                                   {max: 1<<31 - 1}, // nobody asks for it by connect
	{linux.IPPROTO_IP, linux.IP_TOS}:              {max: 255},
	{linux.IPPROTO_IP, linux.IP_MTU_DISCOVER}:     {initial: 1, max: 5}, // all datagrams fit the loopback interface
	{linux.IPPROTO_IPV6, linux.IPV6_MTU_DISCOVER}: {initial: 1, max: 5},
	{linux.IPPROTO_IP, linux.IP_TTL}:              {initial: 64, min: 1, max: 255},
	{linux.IPPROTO_IPV6, linux.IPV6_TCLASS}:       {max: 255},
	{linux.IPPROTO_IPV6, linux.IPV6_UNICAST_HOPS}: {initial: 64, min: 1, max: 255},
}

// value returns the value of an option.
func (s *socket) value(name optName) int32 {
	for _, o := range s.options {
		if o.name == name {
			return o.value
		}
	}
	return optKinds[name].initial
}

func (s *socket) flag(name optName) bool { return s.value(name) != 0 }

// only6 reports whether the socket has nothing to do with IPv4.
func (s *socket) only6() bool { return s.domain == linux.AF_INET6 && s.flag(ipv6Only) }

// set sets an option. The list is replaced, since others may share it.
func (s *socket) set(name optName, v int32) {
	list := slices.DeleteFunc(slices.Clone(s.options), func(o option) bool { return o.name == name })
	if v != optKinds[name].initial {
		i := 0
		for i < len(list) && (list[i].name.level < name.level || list[i].name.level == name.level && list[i].name.num < name.num) {
			i++
		}
		list = slices.Insert(list, i, option{name, v})
	}
	s.options = list
}

// applies checks that an option is one for the socket.
func (s *socket) applies(name optName) linux.Errno {
	switch {
	case name.level == linux.SOL_SOCKET:
		return 0
	case name.level == linux.IPPROTO_UDP && s.kind == linux.SOCK_DGRAM && internet(s.domain) && (name.num == udpSegment || name.num == udpGRO):
		return linux.ENOPROTOOPT // as a Linux that cannot join datagrams
	case s.domain == linux.AF_UNIX:
		return linux.EOPNOTSUPP
	case name.level == linux.IPPROTO_IPV6 && s.domain != linux.AF_INET6,
		name.level == linux.IPPROTO_TCP && s.kind != linux.SOCK_STREAM:
		return linux.ENOPROTOOPT
	}
	return 0
}

// Setsockopt sets an option of a socket.
func (k *Stack) Setsockopt(fd, level, num int, value []byte) linux.Errno {
	s, e := k.change(fd)
	if e != 0 {
		return e
	}
	name := optName{level, num}
	if e := s.applies(name); e != 0 {
		return e
	}
	if e, ok := k.multicastOption(s, name, value); ok {
		return e
	}
	if name == soRcvTimeo || name == soSndTimeo {
		return k.setTimeLimit(s, name, value)
	}
	if len(value) == 1 && (name.level == linux.IPPROTO_IP) { // Linux takes a byte, too
		value = []byte{value[0], 0, 0, 0}
	}
	if len(value) < 4 {
		return linux.EINVAL
	}
	v := int32(binary.LittleEndian.Uint32(value))
	if name == (optName{linux.SOL_SOCKET, linux.SO_LINGER}) {
		if len(value) < 8 {
			return linux.EINVAL
		}
		s.linger = linger{v != 0, int32(binary.LittleEndian.Uint32(value[4:]))}
		if !s.linger.on {
			s.linger.seconds = 0
		}
		return 0
	}
	kind, ok := optKinds[name]
	switch {
	case !ok:
		return k.Refuse(fmt.Sprintf("socket option %d of level %d (setsockopt)", num, level))
	case kind.max != 0 && (v < kind.min || v > kind.max), name == ipv6Only && s.held, name == tcpFastOpen && s.state != stateClosed && s.state != stateListening:
		return linux.EINVAL
	case kind.truth && v != 0:
		v = 1
	case kind.initial == socketBuffer: // Linux counts its own needs in
		v = 2 * min(max(v, 0), socketBuffer)
		if num == linux.SO_SNDBUF {
			v = max(v, 4608)
		} else {
			v = max(v, 2304)
		}
	}
	s.set(name, v)
	return 0
}

// Options of level IPPROTO_UDP.
const (
	udpSegment = 103
	udpGRO     = 104
)

// micros is where the microseconds of a time limit are kept.
func micros(name optName) optName { return optName{name.level, name.num + 1<<16} }

// setTimeLimit sets how long a call may wait, 0 for as long as it takes. Calls that do not wait know of no limit.
func (k *Stack) setTimeLimit(s *socket, name optName, value []byte) linux.Errno {
	if len(value) < 16 {
		return linux.EINVAL
	}
	seconds, rest := int64(binary.LittleEndian.Uint64(value)), int64(binary.LittleEndian.Uint64(value[8:]))
	switch {
	case rest < 0 || rest >= 1e6:
		return linux.EDOM
	case seconds < 0:
		return k.Refuse("a time limit of less than nothing (setsockopt)")
	}
	s.set(name, int32(min(seconds, 1<<31-1)))
	s.set(micros(name), int32(rest))
	return 0
}

// TimeLimited reports whether calls on a descriptor wait only for some time.
func (k *Stack) TimeLimited(fd int) bool {
	s, _, e := k.socket(fd)
	if e != 0 {
		return false
	}
	for _, name := range []optName{soRcvTimeo, soSndTimeo} {
		if s.value(name) != 0 || s.value(micros(name)) != 0 {
			return true
		}
	}
	return false
}

// Getsockopt returns the value of an option of a socket.
func (k *Stack) Getsockopt(fd, level, num int) ([]byte, linux.Errno) {
	s, e := k.change(fd)
	if e != 0 {
		return nil, e
	}
	name := optName{level, num}
	if e := s.applies(name); e != 0 {
		if name.level == linux.IPPROTO_UDP {
			return nil, e
		}
		return nil, linux.EOPNOTSUPP // whatever the error of setting is
	}
	if name == soRcvTimeo || name == soSndTimeo {
		b := binary.LittleEndian.AppendUint64(nil, uint64(s.value(name)))
		return binary.LittleEndian.AppendUint64(b, uint64(s.value(micros(name)))), 0
	}
	if name == tcpInfo {
		return s.tcpInfo(), 0
	}
	var words []int32
	if level == linux.SOL_SOCKET {
		words = k.ownOption(s, num)
	}
	if _, ok := optKinds[name]; ok {
		words = []int32{s.value(name)}
	}
	if words == nil {
		return nil, k.Refuse(fmt.Sprintf("socket option %d of level %d (getsockopt)", num, level))
	}
	var b []byte
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, uint32(w))
	}
	return b, 0
}

// ownOption returns what a socket says of itself, nil if it is not that.
func (k *Stack) ownOption(s *socket, num int) []int32 {
	switch num {
	case linux.SO_ERROR:
		return []int32{int32(s.takeError())}
	case linux.SO_TYPE:
		return []int32{int32(s.kind)}
	case linux.SO_DOMAIN:
		return []int32{int32(s.domain)}
	case linux.SO_PROTOCOL:
		return []int32{int32(s.protocol)}
	case linux.SO_ACCEPTCONN:
		if s.state == stateListening {
			return []int32{1}
		}
		return []int32{0}
	case linux.SO_LINGER:
		if s.linger.on {
			return []int32{1, s.linger.seconds}
		}
		return []int32{0, 0}
	case linux.SO_PEERCRED:
		if s.distant() {
			return nil // nobody says who the peer is: see docs/LIMITS.md
		}
		if s.domain == linux.AF_UNIX && s.state == stateOpen {
			return []int32{int32(k.Pid), int32(k.UID), int32(k.GID)}
		}
		return []int32{0, -1, -1}
	}
	return nil
}
