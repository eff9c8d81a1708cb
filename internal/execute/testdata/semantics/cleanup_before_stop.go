// want: violation panic
package main

import "runtime"

func forgotten() runtime.Cleanup {
	return runtime.AddCleanup(new([8]int), func(int) { panic("cleaned up") }, 1)
}

// A collection may come before a cleanup is stopped.
func main() {
	c := forgotten()
	go runtime.GC()
	c.Stop()
}
