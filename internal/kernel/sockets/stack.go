// Package sockets is the network of the modelled machine: sockets of the internet and of the Unix domain and netlink, what
// may happen to what they send, and the peers outside that they talk to.
//
//	system calls ─► socket ─┬─ transport: tcp, udp, unixStream, unixGram, netlink
//	                        ├─ endpoint ── another socket of the machine
//	                        └─ outside ── iocache.Session ── a peer
//
// All sockets live on one machine with a loopback interface and names of its own. What a program wants of the network
// outside, where no peer is, is refused.
package sockets

import (
	"net/netip"

	dg "github.com/heddle-mc/heddle/internal/datagram"
	"github.com/heddle-mc/heddle/internal/kernel/events"
	"github.com/heddle-mc/heddle/internal/kernel/files"
	"github.com/heddle-mc/heddle/internal/kernel/process"
	"github.com/heddle-mc/heddle/internal/kernel/undo"
)

// Settings say what may happen on the network.
type Settings struct {
	SocketBuffer int // bytes that a connection holds in each direction; 0 for the default

	Faults Faults // what may happen to connections, and how often

	Delays  Delays      // which calls that do not wait may be early; see delay.go
	Partial bool        // and may transfer a part of the bytes
	Network dg.Settings // what may happen to datagrams, at first: see SetUDP

	Public bool // others outside may connect to it, whether the check knows of them or not
	Kind   int  // number of the first process among those that run side by side that runs the same program with the same arguments

	Outside // whom the process can talk to

	// Talk, if it is not nil, is told what goes over connections.
	Talk func(Talk)
}

// A Stack is the network as one process sees it.
type Stack struct {
	*process.Core
	*events.Waits
	Settings
	files   *files.System
	net     *network
	state   state
	way     int        // see Choose
	source  netip.Addr // see SetSource
	outside outside
	met     Meetings
}

// state is what the process can change besides its sockets.
type state struct {
	epoch   uint64
	faults  Faults         // that may still happen
	udp     dg.Settings    // what may happen to datagrams
	udpText string         // the same
	inward  bool           // it has connected to itself
	served  bool           // it has listened at some address, or has ended: see Early
	came    [MaxPeers]bool // clients outside that have connected, by their place in Peers
}

// New makes the network of a process.
func New(waits *events.Waits, files *files.System, set Settings) *Stack {
	k := &Stack{Core: waits.Core, Waits: waits, Settings: set, files: files, net: &network{}, met: newMeetings(set.Peers)}
	if k.SocketBuffer <= 0 {
		k.SocketBuffer = socketBuffer
	}
	k.state = state{faults: set.Faults, udp: set.Network, udpText: set.Network.String()}
	files.Foreign = func(path string) bool { _, ok := k.atPath(path); return ok }
	files.AppendSocket = k.appendAt
	return k
}

// touchState prepares a change of the state.
func (k *Stack) touchState() { undo.Save(k.Log, &k.state, &k.state.epoch) }
