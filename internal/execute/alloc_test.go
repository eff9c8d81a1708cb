package execute

import (
	"io"
	"runtime"
	"strings"
	"testing"
)

// The loops of this program call, allocate, send, look up, append and convert
// to interfaces, as often as N says.
const allocProgram = `package main

type node struct{ next *node }

func (n *node) len() int {
	if n == nil {
		return 0
	}
	return 1 + n.next.len()
}

type lener interface{ len() int }

func main() {
	ch, done := make(chan int, 1), make(chan int)
	go func() {
		s := 0
		for v := range ch {
			s += v
		}
		done <- s
	}()
	m := map[int]string{}
	sum := 0
	for i := 0; i < N; i++ {
		var n *node
		for range 10 {
			n = &node{n}
		}
		var l lener = n
		sum += l.len()
		ch <- i
		m[i%100] = "x"
		sum += len(m[i%100])
		b := append([]byte("abc"), byte(i))
		sum += len(string(b))
		func() {
			defer func() { recover() }()
			if i%16 == 0 {
				panic(i)
			}
		}()
	}
	close(ch)
	println(sum, <-done)
}
`

// TestNoHostAllocation holds two runs against each other of which one executes
// ten times the instructions and calls of the other: the host must not allocate
// more for it.
func TestNoHostAllocation(t *testing.T) {
	few, many := hostAllocations(t, "300"), hostAllocations(t, "3000")
	if many > few+50 {
		t.Errorf("got %d host allocations for 10 times the work of a run with %d, want no more", many, few)
	}
}

func hostAllocations(t *testing.T, n string) uint64 {
	prog := CompileShared(t, writeMain(t, strings.Replace(allocProgram, "N;", n+";", 1)))
	m, err := Start(prog, Process{Stdout: io.Discard, Stderr: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	exit := m.Run()
	runtime.ReadMemStats(&after)
	if exit.Code != 0 {
		t.Fatal(exit.Text)
	}
	return after.Mallocs - before.Mallocs
}
