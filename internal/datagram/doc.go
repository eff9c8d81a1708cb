// Package datagram says what a network may do to packets: lose them, deliver them
// more than once, and change their order. It is the packet multiplier and the
// packet permutator of paper 004 ("Software Model Checking of UDP-based
// Distributed Applications", algorithms 1 to 6) as data without choices of their
// own: a [Queue] lists the ways in which it can go on, and whoever searches takes
// one of them.
//
//	            multiplier                   permutator
//	packet ──► how many times? ──► | p ×2 | q | r | s | ──► any of the first
//	            one of Multiply                              Window packets
//
// Paper 004 empties its send buffer when that is full, and fills its receive buffer
// before it takes a packet out. Both come to this: packet k may come for the first
// time when at least k-Window others have come as often as they will, counted
// without those that are lost. A Queue says it in these words, so that nothing has
// to be chosen before it matters. [Count] is how many sequences of packets there are.
//
// The package knows neither sockets nor the search.
package datagram
