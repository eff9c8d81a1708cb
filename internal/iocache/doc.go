// Package iocache is the cache between a program under test, which backtracks,
// and its peers, which cannot. After backtracking the program repeats what it
// did: what it then writes is compared with what the cache has and not sent
// again, and what it reads comes from the cache. Only what goes beyond the known
// reaches a peer. Each peer hears each request once.
//
//	 program under test            cache                            peers
//	┌──────────────────┐   ┌───────────────────────────────┐
//	│ Session          │   │ request   | 1 | \n | 2 | \n | │  beyond the end:
//	│   sp_req ────────┼──►│                        ▲      ├─── Do ──────────► Peer
//	│                  │   │ limit     0   0    2   2    4 │
//	│   sp_resp ───────┼──►│           ▼                   │◄── Poll ───────── Peer
//	│                  │   │ response  | A | \n | B | \n | │  data, end of file,
//	└──────────────────┘   └───────────────────────────────┘  failed, or quiet
//	     backtracks                 never forgets              cannot backtrack
//
// In the picture the program has written three bytes and read nothing: it can
// read two bytes, up to the limit at its place.
//
// The words are those of paper 000 ("Efficient Model Checking of Networked
// Applications"). A request is what the program writes, a response what it reads.
// A data stream is a sequence of them. A communication trace is a request
// stream, a response stream and the function limit, which says how much of the
// response stream is there after so much of the request stream. Stream pointers
// say where the program is in both. They belong to the state of the program and
// are a [Session]; the traces are the [Cache]. [Session.Connect], [Session.Write],
// [Session.Read] and [Session.Close] are algorithms 2 to 5 of the paper, and
// pollResponse, algorithm 1, takes place after each request, since otherwise a
// response could come too early on another path. The paper waits for responses;
// here [Peer] says when the peer has said all it will say, and that is cached
// like any response. End of file is not the same as nothing (paper 003).
// What a peer has said in several pieces may have arrived up to the end of each:
// [Session.Arrivals].
//
// Three things differ from the paper. A connection is called after its creator
// and the creator's own count, so connections may be opened in any order. A
// write of many bytes is sent as a whole; if another path needs the limit inside
// of it, and it cannot be told from the limits around it, a new peer is asked.
// And a trace may branch, in one of three modes:
//
//   - [Linear], the paper's: requests on a connection are the same in all
//     schedules. If they are not, the search ends with a [Divergence].
//   - [Tree]: each connection has a tree of exchanges. To go on where no live
//     peer stands, the transport is asked for a new one, which is told everything
//     from the root to there. If it answers otherwise than the first one did, the
//     search ends with a [Nondeterminism].
//   - [Process]: the same with one tree for all connections with a peer, for
//     protocols where what is said on one has effects on another. The order of
//     requests on different connections is then a part of the path.
//
// Linear and tree mode believe that connections with a server are independent. In tree
// mode [Cache.TryOrders] tests that, if it is asked to: see order.go.
//
// A [Rule] makes messages equal that differ in dates, ids or the like. A
// [Recording] is the text form, and [Replay] a transport made of it.
//
// The package knows neither the machine that executes the program nor the search
// nor sockets: it declares the [Transport] that it needs. It has no clock.
//
// Limits: what a peer says unasked after it was quiet is taken for a response to
// the next request. Buffers have no end: a peer that is not read from is not
// slowed down. Requests to a restarted peer are those of the first path, so a
// peer that hands out new session ids and wants them back cannot be restarted,
// whatever the rules. Datagrams are frames in these streams (datagram.go); what a
// network does to them is decided elsewhere.
package iocache
