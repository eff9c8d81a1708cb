package execute

import "testing"

// TestBuffers looks for races with the memory that system calls read and write. That two calls use one
// buffer at a time is not found, see docs/LIMITS.md.
func TestBuffers(t *testing.T) {
	for _, c := range []racy{
		{"write", true, `
	done := make(chan bool)
	go func() { syscall.Write(fd[1], b); done <- true }()
	b[0] = 1
	<-done`},
		{"writeOrdered", false, `
	done := make(chan bool)
	go func() { syscall.Write(fd[1], b); done <- true }()
	<-done
	b[0] = 1`},
		{"writeAndRead", false, `
	done := make(chan bool)
	go func() { syscall.Write(fd[1], b); done <- true }()
	_ = b[0]
	<-done`},
		{"read", true, `
	done := make(chan bool)
	syscall.Write(fd[1], []byte{1})
	go func() { syscall.Read(fd[0], b); done <- true }()
	_ = b[0]
	<-done`},
		{"readOther", false, `
	done := make(chan bool)
	syscall.Write(fd[1], []byte{1})
	go func() { syscall.Read(fd[0], b[1:]); done <- true }()
	_ = b[0]
	<-done`},
		{"fixmeReadTwice", false, `
	done := make(chan bool)
	syscall.Write(fd[1], []byte{1, 2})
	go func() { syscall.Read(fd[0], b[:1]); done <- true }()
	syscall.Read(fd[0], b[:1])
	<-done`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			prog := compileAccess(t, `package main

import "syscall"

func main() {
	var fd [2]int
	syscall.Pipe(fd[:])
	b := make([]byte, 2)
`+c.src+"\n}\n")
			for _, mode := range []sweepMode{bySync, reduced} {
				w := sweepOf(t, prog, mode, 20000, false)
				if got := len(w.races) > 0; w.cut || got != c.race {
					t.Errorf("mode %d: got race %t (%v), cut %t, want %t", mode, got, w.kinds, w.cut, c.race)
				}
			}
		})
	}
}
