// want: violation panic

package main

import "os"

// A pipe has the time of the last write.
func main() {
	r, w, _ := os.Pipe()
	info, _ := r.Stat()
	first := info.ModTime()
	for {
		w.Write([]byte("x"))
		r.Read(make([]byte, 1))
		if info, _ := r.Stat(); info.ModTime().After(first) {
			panic("it has changed")
		}
	}
}
