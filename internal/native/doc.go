// Package native implements the functions that Go programs reach and that have
// no Go source the machine could run: the runtime's side of package runtime,
// sync, time, reflect and their neighbours, assembly, and system calls. The
// standard library itself is interpreted from GOROOT; what is here is the
// runtime under it.
//
// A native works on the words of its call's window and on heap bytes, as
// bytecode does. It keeps no state of its own: what a program can observe lives
// in the heap, in its goroutines or in the machine's scalars, so that a state
// can be saved, compared and restored.
//
// The layouts of structures of GOROOT that natives read (internal/abi.Type,
// sync.WaitGroup, time.Timer, runtime.Frame, ...) are those of Go 1.26 on amd64.
//
// The files are ordered by subject, which their names begin with:
//
//	table, operations, verify  what is registered; what a search asks of natives; package verify
//	runtime…                   package runtime: frames, collections, coroutines, timers, random numbers
//	sync…                      locks, semaphores, atomics, pools, Once
//	poll…                      descriptors of package internal/poll: their lock, their waits
//	syscall…                   system calls, by what they are about: descriptors (fd), files (path),
//	                           sockets (net), waiting for several (poll), the process (proc)
//	syscallacts, -numbers      what system calls act on; on numbers that the program keeps itself
//	syscallready, -ways        when they wait; in which ways they go that do not
//	os…                        what packages os and os/signal ask of the process
//	reflect…                   package reflect: calls, channels, maps, memory, types
//	bigarith, bytealg, crypto, hash, math   assembly that computes
//
// They are one package because a native may need any of it: a lock parks as a read does, and
// both are in one table. What natives act on is in package effect.
package native
