// Package fork copies processes that wait, without their help and without privileges. A server that
// listens can so be had again as it was before anybody talked to it, in a millisecond, however long it takes to start.
//
//	Freeze                        Copy, as often as wanted
//	the process is stopped   ──►  it is made to call clone, and stopped again;
//	in the call it waits in       the new process goes on to wait in that call
//
// The one that is frozen never runs again. All that its copies have in common with it must be as it was when
// the next one is made, or else they are not alike. So a process is refused if it
//
//   - has more than one thread, of which a copy would have but one,
//   - shares memory, or has a file open that it can write to,
//   - has a connection: there would be two who use it,
//   - has a timer, which a copy would not have.
//
// What copies do to files that they open later is not seen here. Copies of one process have
// one socket to listen at, so only one of them should be there at a time.
//
// A process is traced by the thread that has frozen it, so all must be done by one thread.
package fork
