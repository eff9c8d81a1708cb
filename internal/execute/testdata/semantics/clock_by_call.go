// want: violation panic

package main

import "syscall"

// A loop that asks the system what time it is comes to its end.
func main() {
	var first, now syscall.Timeval
	syscall.Gettimeofday(&first)
	for now.Sec < first.Sec+10 {
		syscall.Gettimeofday(&now)
	}
	var used syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	if used.Utime.Sec < 10 {
		panic("not used")
	}
	panic("it has passed")
}
