package execute_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// signalProgram does what its arguments say, each in a goroutine, and tells what was seen at the end.
const signalProgram = `package main

import (
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

var (
	mu   sync.Mutex
	seen string
)

func note(who int, what any) {
	mu.Lock()
	seen += fmt.Sprint(who, what, " ")
	mu.Unlock()
}

func main() {
	c, d := make(chan os.Signal, 1), make(chan os.Signal, 2)
	var wg sync.WaitGroup
	for who, script := range os.Args[1:] {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for _, op := range script {
				do(who, op, c, d)
			}
		}()
	}
	wg.Wait()
	if len(seen) > 0 {
		panic(seen)
	}
}

func do(who int, op rune, c, d chan os.Signal) {
	switch op {
	case 'n':
		signal.Notify(c, os.Interrupt)
	case 'm':
		signal.Notify(d, os.Interrupt, syscall.SIGTERM)
	case 's':
		signal.Stop(c)
	case 'S':
		n := 0
		signal.Stop(d)
		if n != len(d) {
			note(who, len(d))
		}
	case 'r':
		signal.Reset(os.Interrupt)
	case 'i':
		signal.Ignore(syscall.SIGTERM)
	case 'l':
		mu.Lock()
		mu.Unlock()
	case 't':
		select {
		case s := <-c:
			note(who, s)
		default:
		}
	case 'u':
		select {
		case s := <-d:
			note(who, s)
		case s := <-c:
			note(who, s)
		default:
			note(who, "-")
		}
	case 'w':
		<-c
	case 'k':
		signal.Notify(d, syscall.SIGUSR1)
		syscall.Kill(syscall.Getpid(), syscall.SIGUSR1)
		<-d
	}
}
`

// TestAgreeSignals: programs that ask for signals, stop that and look for them have one meaning with and without
// reduction, however many may arrive.
func TestAgreeSignals(t *testing.T) {
	prog := compileText(t, signalProgram)
	r := rand.New(rand.NewPCG(17, 4))
	found := make(map[string]int)
	for i := range testlong.Or(4, 200) {
		scripts := make([]string, 1+r.IntN(2))
		for k := range scripts {
			var b strings.Builder
			b.WriteByte("nmnm "[r.IntN(5)])
			for range 1 + r.IntN(3) {
				b.WriteByte("nmsSriltuwk"[r.IntN(11)])
			}
			scripts[k] = b.String()
		}
		signals := r.IntN(3)
		name := fmt.Sprintf("%d: %q, %d signals", i, scripts, signals)
		search := func(prog *bytecode.Program, w way) (search, error) {
			w.args = append([]string{"x"}, scripts...)
			return searchFor(prog, w)
		}
		a, complaint := agreeBy(search, prog, 4000, execute.Settings{Signals: signals})
		if complaint != "" {
			t.Errorf("%s: %s", name, complaint)
		}
		for _, kind := range a.plain.kinds() {
			found[kind]++
		}
	}
	if found["panic"] == 0 || found["deadlock"] == 0 {
		t.Errorf("found %v, want panics and deadlocks", found)
	}
	t.Log(found)
}
