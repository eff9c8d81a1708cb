// Finalizers, cleanups and weak pointers take effect when the program collects.
package main

import (
	"fmt"
	"runtime"
	"strings"
	"time"
	"unique"
	"weak"
)

type node struct {
	name string
	next *node
}

func main() {
	w := weak.Make(&node{name: "weak"})
	kept := &node{name: "kept"}
	k := weak.Make(kept)
	runtime.GC()
	fmt.Println(w.Value() == nil, k.Value() == kept, weak.Make(kept) == k)
	runtime.KeepAlive(kept)

	done := make(chan string)
	report := func(n *node) { done <- "finalizer of " + n.name }
	// The first is finalized before what it points to.
	a := &node{name: "b"}
	runtime.SetFinalizer(a, report)
	b := &node{name: "a", next: a}
	runtime.SetFinalizer(b, report)
	a, b = nil, nil
	fmt.Println(collectUntil(done))
	fmt.Println(collectUntil(done))

	c := &node{name: "c"}
	runtime.AddCleanup(c, func(s string) { done <- "cleanup " + s }, "argument")
	stopped := runtime.AddCleanup(c, func(int) { done <- "stopped" }, 1)
	stopped.Stop()
	c = nil
	fmt.Println(collectUntil(done))

	fmt.Println(unique.Make("a") == unique.Make(strings.Clone("a")), unique.Make(1).Value())
	defer func() { fmt.Println(recover()) }()
	runtime.AddCleanup(kept, func(*node) {}, kept)
}

// collectUntil collects until something happens.
func collectUntil(done chan string) string {
	for {
		runtime.GC()
		select {
		case s := <-done:
			return s
		case <-time.After(time.Millisecond):
		}
	}
}
