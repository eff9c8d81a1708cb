// want: violation panic

package main

import "syscall"

// A call that cannot fail is a step, too.
func main() {
	syscall.Umask(1)
	go syscall.Umask(2)
	if syscall.Umask(1) == 2 {
		panic("changed")
	}
}
