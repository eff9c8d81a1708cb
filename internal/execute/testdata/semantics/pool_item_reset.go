// want: verified
package main

import (
	"bytes"
	"sync"
)

var pool = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func greet(name string) string {
	b := pool.Get().(*bytes.Buffer)
	defer pool.Put(b)
	b.Reset()
	b.WriteString("hello " + name)
	return b.String()
}

func main() {
	greet("you")
	if greet("me") != "hello me" {
		panic("not only me")
	}
}
