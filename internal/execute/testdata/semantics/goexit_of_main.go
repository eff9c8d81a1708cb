// want: violation deadlock

package main

import (
	"runtime"
)

func main() {
	runtime.Goexit()
}
