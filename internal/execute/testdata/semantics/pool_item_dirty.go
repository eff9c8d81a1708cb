// want: violation panic
package main

import (
	"bytes"
	"sync"
)

var pool = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func greet(name string) string {
	b := pool.Get().(*bytes.Buffer)
	defer pool.Put(b)
	b.WriteString("hello " + name)
	return b.String()
}

// What is in the buffer is still there when somebody else gets it.
func main() {
	greet("you")
	if greet("me") != "hello me" {
		panic("not only me")
	}
}
