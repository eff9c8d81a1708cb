// Package pool encodes messages with buffers from a pool.
package pool

import (
	"bytes"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Encode returns the message between brackets.
func Encode(message string) []byte {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	b.WriteByte('[')
	b.WriteString(message)
	b.WriteByte(']')
	return b.Bytes()
}
