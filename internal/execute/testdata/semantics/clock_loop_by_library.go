// want: violation panic

package main

import (
	"bytes"
	"log"
)

// Who waits for time to pass by what the library tells of it comes to the end of that.
func main() {
	var b bytes.Buffer
	l := log.New(&b, "", log.Ltime)
	l.Print("x")
	for first := b.String(); b.String() == first; {
		b.Reset()
		l.Print("x")
	}
	panic("a second is over")
}
