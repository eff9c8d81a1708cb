package verify

import (
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
)

// The checker has functions of its own in place of those below; these are what
// they do natively.

func choose(n int) int { return rand.IntN(n) }

func assume(cond bool) {
	if !cond {
		panic("verify: assumption does not hold, so this run shows nothing")
	}
}

// fail reports that something demanded is false. The kind is that of a finding:
// assert or invariant.
func fail(kind, msg string) {
	text := "verify: " + kind + " failed"
	if msg != "" {
		text += ": " + msg
	}
	panic(text)
}

// watch has holds called in every state, which natively is only this one.
func watch(holds func() bool, kind string) {
	if !holds() {
		fail(kind, "does not hold at the start")
	}
}

// promise has kept called in every state: it tells whether nothing is owed. Natively
// nobody can wait for what has to come some time.
func promise(kept func() bool, kind string) {}

var atomicMu sync.Mutex

func atomic(f func()) {
	atomicMu.Lock()
	defer atomicMu.Unlock()
	f()
}

var outcomeMu sync.Mutex

func outcome(text string) {
	name := os.Getenv("HEDDLE_OUTCOMES")
	if name == "" {
		return
	}
	outcomeMu.Lock()
	defer outcomeMu.Unlock()
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		panic("verify: " + err.Error())
	}
	fmt.Fprintf(f, "%q\n", text)
	f.Close()
}

func checking() bool { return false }
