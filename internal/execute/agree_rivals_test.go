package execute_test

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/execute"
)

// TestAgreeRivals: that goroutines stand before operations that race is no work of the step that is
// looked at, so that what the step acts on is the same whether its effect is known or not.
func TestAgreeRivals(t *testing.T) {
	a, complaint := agree(compileText(t, `package main

import (
	"sync"
	"sync/atomic"
)

var x int
var mu sync.Mutex
var a atomic.Int32
var fin = make(chan int)
var stop = make(chan bool)

type shared struct {
	wg2 sync.WaitGroup
}

var out [4]int

func main() {
	sh := &shared{}
	sh.wg2.Add(2)
	r := 0
	go func() {
		r := 0
		go work3(sh)
		sh.wg2.Wait()
		r += 2
		sh.wg2.Wait()
		r += 2
		fin <- r
		out[1] = r
	}()
	go func() {
		r := 0
		r = int(a.Load())
		sh.wg2.Done()
		sh.wg2.Add(1)
		mu.Lock()
		x = 3
		mu.Unlock()
		sh.wg2.Done()
		fin <- r
		out[2] = r
	}()
	for range 3 {
		r += <-fin
	}
	out[0] = r
}

func work3(sh *shared) {
	r := 0
	if a.CompareAndSwap(0, 1) {
		close(stop)
	} else {
		<-stop
	}
	mu.Lock()
	x = 3
	mu.Unlock()
	sh.wg2.Done()
	sh.wg2.Add(1)
	a.Store(2)
	sh.wg2.Done()
	fin <- r
	out[3] = r
}
`), 6000, execute.Settings{Late: drive.Punctual})
	if complaint != "" {
		t.Error(complaint)
	}
	if a.plain.cutOff() {
		t.Error("the program is too large to be searched without reduction")
	}
}
