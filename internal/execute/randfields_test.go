package execute_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/testlong"
)

var fieldSeeds = flag.Uint64("fieldseeds", testlong.Or[uint64](20, 120), "how many programs with fields that are seldom written")

// randomFields makes a program of a seed in which goroutines share structs, some made
// before there are others and some later. Most fields are only read, some are written
// once in a while, under a lock of the struct or without any. What is read decides what
// is done next, and some orders end in a panic.
func randomFields(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 11))
	var b strings.Builder
	b.WriteString(`type node struct {
	mu    sync.Mutex
	a, b  int
	c, d  int8
	e, f  atomic.Int32
	next  *node
	other atomic.Pointer[node]
	list  [2]struct{ x, y int }
	index map[int]int
}

func make3() []*node {
	var l []*node
	for range 3 {
		n := &node{index: map[int]int{1: 0}}
		n.other.Store(n)
		l = append(l, n)
	}
	l[0].next, l[1].next, l[2].next = l[1], l[2], l[0]
	return l
}

func main() {
`)
	late := r.IntN(4) == 0 // the structs are not in the base image
	if late {
		b.WriteString("started := make(chan bool)\ngo close(started)\n<-started\n")
	}
	b.WriteString("l := make3()\nvar wg sync.WaitGroup\n")
	reads := []string{"%s.a", "%s.b", "int(%s.c)", "int(%s.d)", "int(%s.e.Load())", "int(%s.f.Load())", "%s.next.b", "%s.other.Load().a", "%s.list[0].y", "%s.list[1].x", "%s.index[1]"}
	writes := []string{"%s.a = 1", "%s.b = 1", "%s.c = 1", "%s.d = 1", "%s.e.Store(1)", "%s.f.Add(1)", "%s.next = %[1]s", "%s.other.Store(l[0])", "%s.list[0].y = 1", "%s.list[1].x = 1", "%s.index[1] = 1"}
	few := r.Perm(len(writes))[:1+r.IntN(3)] // only these are written at all
	node := func() string { return fmt.Sprintf("l[%d]", r.IntN(3)) }
	read := func() string { return fmt.Sprintf(reads[r.IntN(len(reads))], node()) }
	for range 2 + r.IntN(2) {
		b.WriteString("wg.Go(func() {\nsum := 0\n")
		for range 1 + r.IntN(3) {
			lock := r.IntN(4) > 0
			if lock {
				fmt.Fprintf(&b, "l[0].mu.Lock()\n")
			}
			switch r.IntN(6) {
			case 0:
				fmt.Fprintf(&b, "if %s == 1 || %s == 1 {\n panic(\"seen\")\n}\n", read(), read())
			case 1, 3:
				fmt.Fprintf(&b, "if %s == 0 {\n%s\n}\n", read(), fmt.Sprintf(writes[few[r.IntN(len(few))]], node()))
			case 2:
				fmt.Fprintf(&b, "%s\n", fmt.Sprintf(writes[few[r.IntN(len(few))]], node()))
			default:
				fmt.Fprintf(&b, "sum += %s + %s\n", read(), read())
			}
			if lock {
				fmt.Fprintf(&b, "l[0].mu.Unlock()\n")
			}
		}
		b.WriteString("_ = sum\n})\n")
	}
	fmt.Fprintf(&b, "wg.Wait()\nif %s == 1 && %s == 0 {\n panic(\"at the end\")\n}\n}\n", read(), read())
	return b.String()
}

// TestAgreeFields: reduced and plain search find the same in programs that read what is
// never written, or hardly ever.
func TestAgreeFields(t *testing.T) {
	t.Parallel()
	n := *fieldSeeds
	if testing.Short() {
		n = 20
	}
	var sum tally
	for seed := range n {
		body := randomFields(seed)
		a, complaint := agree(compileText(t, program(body)), 20000, execute.Settings{})
		if complaint != "" {
			t.Errorf("seed %d: %s\n%s", seed, complaint, body)
		}
		sum.add(a, complaint)
	}
	t.Logf("%d programs, %d complete, %d plain states, %d reduced, %v", sum.Programs, sum.Whole, sum.Plain, sum.Reduced, sum.Kinds)
	if sum.Whole < sum.Programs*3/4 || len(sum.Kinds) < 3 {
		t.Errorf("got %d of %d programs that are small enough, and %v", sum.Whole, sum.Programs, sum.Kinds)
	}
}
