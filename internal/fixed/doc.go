// Package fixed makes other processes repeat themselves: what they take for the date and for random
// numbers is the same in each of their runs. So a server answers the same when it is started again and
// told the same: the hello of TLS, salts, session ids and dates repeat.
//
// It works at the border of the kernel, by package intercept, for programs of any language, also for those
// without a C library:
//
//	getrandom, /dev/urandom    a stream of bytes that depends on the name of the peer, the number of the
//	                           process in its run, and what the process has asked for before
//	clock_gettime and others   [Date], and a microsecond more at each look (see clock.go)
//	waits and timers           move the date when they have run out (see timeout.go, timer.go)
//	the 16 random bytes that   the same stream
//	the kernel gives a program
//
// Programs mostly look at the clock without a system call, by code of the kernel that is in their memory, the
// vDSO. So at the first system call after a program was executed that code is overwritten, in the memory of
// the process alone: then it makes the call (see vdso.go).
//
// The monotonic clock goes on as it does, since timers go by it.
//
// Limits: instructions of the processor that tell time and random numbers (RDTSC, RDRAND) are not seen, nor are
// times of files and clocks in /proc. What depends on how
// threads take turns is not fixed.
package fixed
