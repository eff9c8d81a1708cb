package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// descriptors returns a program of goroutines that make system calls on descriptors of their own. Which
// of them panics depends on the order of an atomic, and on the numbers that they have got.
func descriptors(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 1))
	var b strings.Builder
	b.WriteString(`package main

import (
	"sync"
	"sync/atomic"
	"syscall"
)

var turn atomic.Int32

func work(wg *sync.WaitGroup, id int) {
	defer wg.Done()
	var p [2]int
`)
	kinds := []string{
		"	p, _ = syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)\n	p[0], p[1] = p[1], p[0]\n",
		"	syscall.Pipe(p[:])\n",
	}
	b.WriteString(kinds[r.IntN(len(kinds))])
	body := []string{
		"	syscall.Write(p[1], []byte{byte(p[0])})\n	var b [1]byte\n	syscall.Read(p[0], b[:])\n	got := int(b[0])\n",
		"	n := turn.Add(1)\n",
	}
	if r.IntN(2) == 0 {
		body[0], body[1] = body[1], body[0]
	}
	b.WriteString(body[0] + body[1])
	workers := 2 + r.IntN(2)
	fmt.Fprintf(&b, "	if int(n) == %d && got%%%d == %d {\n		panic(\"turn\")\n	}\n", 1+r.IntN(workers), 2+r.IntN(3), r.IntN(2))
	if r.IntN(3) > 0 {
		b.WriteString("	syscall.Close(p[0])\n	syscall.Close(p[1])\n")
	}
	fmt.Fprintf(&b, "}\n\nfunc main() {\n	var wg sync.WaitGroup\n	wg.Add(%d)\n	for i := range %d {\n		go work(&wg, i)\n	}\n	wg.Wait()\n}\n", workers, workers)
	return b.String()
}
