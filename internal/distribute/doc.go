// Package distribute has work done by other processes: the parts of a certificate are
// examined by them, or the members of a swarm searched. It is both sides of that, the
// coordinator, who judges what comes back, and the worker.
//
//	coordinator                                          worker
//	Examine ── the file, its parts ──►  queue  ─ a part ──► certcheck ─┐
//	Members ── numbers of members ───►         ─ a number ► explore ───┤
//	judge ◄────────────────────────────────────── bytes ───────────────┘
//
// What workers say is not believed as such: that something is wrong is looked at again
// by the coordinator, and that nothing is wrong has to fit what others say.
//
// The package knows neither how a program is built nor what its settings mean: the
// coordinator is given systems, and a worker asks its [Programs] for them. It knows no
// flags and prints nothing: how far the work has come is told to a [View]. And it does
// not know NATS: a [queue.Service] brings messages from one side to the other.
package distribute
