// want: violation race

package main

import (
	"os"
)

func main() {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	b := []byte("a")
	go func() { b[0] = 'b' }()
	w.Write(b)
	r.Close()
}
