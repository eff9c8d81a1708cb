// Package peer is the only door outside: live peer processes, and real sockets to
// them. It is the transport of package iocache.
//
//	          iocache                     peer                         outside
//	┌─────────────────────┐   ┌──────────────────────────┐
//	│ Start(history) ─────┼──►│ Group   ───orders───► keeper ──► sh -c CMD
//	│                     │   │   │                      │          │ listens or
//	│ Do(request) ────────┼──►│  live ◄═══════ TCP on loopback ════►│ connects
//	│ Poll() ◄────────────┼───│   └─ /proc, sock_diag ─────────────►│ is it quiet?
//	└─────────────────────┘   └──────────────────────────┘
//
// A peer is a command in any language, or a server at an address ([Spec]). A
// server is started before the search, and known to be ready when one of its
// processes has a listening socket. A client is launched when the program under
// test is ready to accept: then we listen in its place, at a free loopback port,
// which the client is told (paper 003, algorithm 1). In a command {addr} stands
// for the real address of the other side. No real port is ever fixed.
//
// The papers wait for a fixed time to know whether a peer has answered. Here the
// peer is looked at: see [Group]. Peers that die, hang, flood, or speak when they
// were not asked end the search with an error of their own type ([Died], [Hung],
// [Flood], [Unasked]), which has the bytes of the last exchange and the end of the
// peer's output. Those that answer otherwise after a restart are found by the cache.
//
// All commands are started by a second process, the keeper, which kills
// everything below it when Heddle ends, whatever ends it.
//
// The package knows nothing of the program under test or of the search. It works
// on Linux only. Limits: the command of a peer may mention one port of
// its own and one of the program, for connections and for datagrams each; what a connection is called when it is broken or
// refused is the name of the errno, such as ECONNRESET.
package peer
