// want: verified
package main

import (
	"os"
	"runtime"
	"syscall"
)

// What a package variable holds is not collected, although nothing mentions os.Stdout.
func main() {
	if len(os.Args) > 5 {
		return
	}
	runtime.GC()
	runtime.GC()
	if _, err := syscall.Write(1, []byte("still open\n")); err != nil {
		panic(err)
	}
}
