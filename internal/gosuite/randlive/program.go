package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A Program is goroutines over shared variables, locks and channels of one place each.
type Program struct {
	Routines [][]Op
	Promise  *Promise // nil for none
}

// A Promise is verify.Eventually(q) or, if P is there, verify.Leads(p, q).
type Promise struct{ P, Q *Cond }

// A Cond is that a variable has a value.
type Cond struct{ Var, Value int }

// A Kind is what an operation does.
type Kind int

// The kinds.
const (
	Store  Kind = iota // variable X = Y
	IfIs               // jump if variable X has the value Y
	IfNot              // jump if it has not
	Swap               // jump if variable X cannot be changed from Y to 1-Y
	Lock               // lock X
	Unlock             // lock X
	Try                // jump if lock X cannot be taken
	Send               // to channel X
	Recv               // from channel X
	Poll               // jump if nothing can be received from channel X
	Draw               // jump or not, by chance
	Choose             // jump or not, by verify.Bool
	Done               // the goroutine ends
)

// An Op is an operation of a goroutine; some jump to another one.
type Op struct {
	Kind Kind
	X, Y int
	To   int
}

// The numbers of things that programs share.
const (
	nVars  = 3
	nLocks = 2
	nChans = 2
)

// Generate returns the program of a seed.
func Generate(seed uint64) Program {
	r := rand.New(rand.NewPCG(seed, 17))
	var p Program
	alike := r.IntN(5) == 0 // all goroutines do the same
	for i := range 2 + r.IntN(2) {
		if alike && i > 0 {
			p.Routines = append(p.Routines, p.Routines[0])
			continue
		}
		p.Routines = append(p.Routines, routine(r, i))
	}
	if r.IntN(2) == 0 {
		p.Promise = &Promise{Q: cond(r)}
		if r.IntN(2) == 0 {
			p.Promise.P = cond(r)
		}
	}
	return p
}

func cond(r *rand.Rand) *Cond { return &Cond{r.IntN(nVars), r.IntN(2)} }

// routine returns a goroutine: a few blocks, and perhaps a jump back behind them.
func routine(r *rand.Rand, number int) []Op {
	var ops []Op
	for range 1 + r.IntN(3) {
		ops = block(r, ops, number)
	}
	switch r.IntN(6) {
	case 0:
		ops = append(ops, Op{IfIs, r.IntN(nVars), r.IntN(2), 0})
	case 1:
		ops = append(ops, Op{Draw, 0, 0, 0})
	case 2:
		if r.IntN(2) == 0 {
			ops = append(ops, Op{Choose, 0, 0, 0})
		}
	}
	return append(ops, Op{Kind: Done})
}

// block adds a few operations.
func block(r *rand.Rand, ops []Op, number int) []Op {
	at := len(ops)
	x, y := r.IntN(nVars), r.IntN(2)
	m := r.IntN(nLocks)
	switch r.IntN(11) {
	case 0, 1:
		return append(ops, Op{Store, x, y, 0})
	case 2: // wait for a value
		return append(ops, Op{IfNot, x, y, at})
	case 3: // two locks, of which the second one is tried
		return append(ops, Op{Lock, m, 0, 0}, Op{Try, 1 - m, 0, at + 5}, Op{Unlock, 1 - m, 0, 0}, Op{Unlock, m, 0, 0},
			Op{IfNot, x, 2, at + 7}, Op{Unlock, m, 0, 0}, Op{IfNot, x, 2, at}) // no variable is ever 2: these jump always
	case 4: // show a flag, look for that of another one
		mine, other := number%2, 1-number%2
		return append(ops, Op{Store, mine, 1, 0}, Op{IfNot, other, 1, at + 4}, Op{Store, mine, 0, 0}, Op{IfNot, mine, 2, at}, Op{Store, mine, 0, 0})
	case 5:
		return append(ops, Op{Swap, x, y, at})
	case 6: // store under a lock
		return append(ops, Op{Lock, m, 0, 0}, Op{Store, x, y, 0}, Op{Unlock, m, 0, 0})
	case 7: // wait for a value under a lock
		return append(ops, Op{Lock, m, 0, 0}, Op{IfIs, x, y, at + 4}, Op{Unlock, m, 0, 0}, Op{IfNot, x, 2, at}, Op{Unlock, m, 0, 0})
	case 8:
		c := r.IntN(nChans)
		if r.IntN(2) == 0 {
			return append(ops, Op{Send, c, 0, 0})
		}
		return append(ops, Op{Poll, c, 0, at})
	case 9:
		return append(ops, Op{Try, m, 0, at}, Op{Unlock, m, 0, 0})
	}
	if r.IntN(3) == 0 {
		return append(ops, Op{Recv, r.IntN(nChans), 0, 0})
	}
	return append(ops, Op{Draw, 0, 0, at})
}

// Text is the function that executes a program in Go, with a name.
func (p Program) Text(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "func %s() {\n\tw := newWorld()\n", name)
	switch q := p.Promise; {
	case q == nil:
	case q.P == nil:
		fmt.Fprintf(&b, "\tverify.Eventually(func() bool { return %s })\n", q.Q)
	default:
		fmt.Fprintf(&b, "\tverify.Leads(func() bool { return %s }, func() bool { return %s })\n", q.P, q.Q)
	}
	fmt.Fprintf(&b, "\tw.wg.Add(%d)\n", len(p.Routines))
	for _, ops := range p.Routines {
		b.WriteString("\tgo func() {\n")
		for i, op := range ops {
			if target(ops, i) {
				fmt.Fprintf(&b, "\tl%d:\n", i)
			}
			b.WriteString("\t\t" + op.text() + "\n")
		}
		b.WriteString("\t}()\n")
	}
	b.WriteString("\tw.wg.Wait()\n}\n")
	return b.String()
}

func (c *Cond) String() string { return fmt.Sprintf("w.v[%d].Load() == %d", c.Var, c.Value) }

// jumps reports whether an operation may jump.
func (op Op) jumps() bool {
	switch op.Kind {
	case IfIs, IfNot, Swap, Try, Poll, Draw, Choose:
		return true
	}
	return false
}

// target reports whether an operation of a goroutine is jumped to.
func target(ops []Op, i int) bool {
	for _, op := range ops {
		if op.jumps() && op.To == i {
			return true
		}
	}
	return false
}

func (op Op) text() string {
	jump := fmt.Sprintf(" { goto l%d }", op.To)
	switch op.Kind {
	case Store:
		return fmt.Sprintf("w.v[%d].Store(%d)", op.X, op.Y)
	case IfIs:
		return fmt.Sprintf("if w.v[%d].Load() == %d", op.X, op.Y) + jump
	case IfNot:
		return fmt.Sprintf("if w.v[%d].Load() != %d", op.X, op.Y) + jump
	case Swap:
		return fmt.Sprintf("if !w.v[%d].CompareAndSwap(%d, %d)", op.X, op.Y, 1-op.Y) + jump
	case Lock:
		return fmt.Sprintf("w.m[%d].Lock()", op.X)
	case Unlock:
		return fmt.Sprintf("w.m[%d].Unlock()", op.X)
	case Try:
		return fmt.Sprintf("if !w.m[%d].TryLock()", op.X) + jump
	case Send:
		return fmt.Sprintf("w.c[%d] <- 1", op.X)
	case Recv:
		return fmt.Sprintf("<-w.c[%d]", op.X)
	case Poll:
		return fmt.Sprintf("select { case <-w.c[%d]: default: goto l%d }", op.X, op.To)
	case Draw:
		return "if rand.Intn(2) == 0" + jump
	case Choose:
		return "if verify.Bool()" + jump
	}
	return "w.wg.Done()"
}

// Join returns one Go program of several, of which the first argument chooses one.
func Join(list []Program) string {
	var b strings.Builder
	b.WriteString(`package main

import (
	"math/rand"
	"os"
	"sync"
	"sync/atomic"

	"github.com/heddle-mc/heddle/verify"
)

type world struct {
	v  [3]atomic.Int32
	m  [2]sync.Mutex
	c  [2]chan int
	wg sync.WaitGroup
}

func newWorld() *world {
	w := new(world)
	for i := range w.c {
		w.c[i] = make(chan int, 1)
	}
	return w
}

var _ = rand.Intn
var _ = verify.Bool

func main() {
	switch os.Args[1] {
`)
	for i := range list {
		fmt.Fprintf(&b, "\tcase \"%d\":\n\t\tp%d()\n", i, i)
	}
	b.WriteString("\t}\n}\n")
	for i, p := range list {
		b.WriteString("\n" + p.Text(fmt.Sprintf("p%d", i)))
	}
	return b.String()
}
