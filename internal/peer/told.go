package peer

import "time"

// Stats count what a group has done.
type Stats struct {
	Launches int64         // commands that were started
	Copies   int64         // runs that were copied instead
	Polls    int64         // times that answers were waited for
	Waited   time.Duration // the time in which others did nothing but wait for peers: for their start, answers and end
	Looked   time.Duration // the time of looks that found a peer quiet
	Looks    int64         // times that all threads of a peer were looked at
	Stalls   int64         // times that bytes waited for a peer which does not take them
}

// An Info is what the rest of Heddle needs to know of a peer.
type Info struct {
	Name string
	// Group is the same for peers that are alike: those of one spec, unless its
	// command tells them apart.
	Group string
	Role  Role
	// Port is what the program under test calls the port: of a server, the one to
	// connect to; of a client, the one to which it connects. 0 if any will do.
	Port int
	UDP  bool   // it is one for datagrams
	Unix string // instead of a port: the path of a socket of the Unix domain
	// First is the first of the Ports numbers that stand for other ports of the peer.
	First, Ports int
}

// A Run is one launch of a command, now or in the past.
type Run struct {
	Peer   string
	Number int    // from 1, for each peer
	Status string // "running", "exit status 0", "signal: killed"
	Output string // of its standard streams: beginning and end, if it was long
}
