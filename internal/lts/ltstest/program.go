package ltstest

import (
	"github.com/heddle-mc/heddle/internal/lts"
	"pgregory.net/rapid"
)

// A Program has a list of operations for each of its threads. It is the smallest
// thing with a reduction worth the name: stubborn sets computed from what each
// thread has still to do.
type Program [][]Op

// An Op is an operation on one object: a variable or a lock.
type Op struct {
	Kind   OpKind
	Object int
	Value  byte
}

// An OpKind says what an operation does.
type OpKind uint8

// The operations.
const (
	OpWrite  OpKind = iota // the variable becomes Value
	OpAssert               // it is wrong if the variable is Value
	OpLock                 // waits until the lock is free
	OpUnlock               // frees the lock, whoever holds it
)

// Objects is how many variables and how many locks a program has.
const Objects = 3

// dependent reports whether the order of two operations matters.
func (a Op) dependent(b Op) bool {
	locks := a.Kind >= OpLock
	return a.Object == b.Object && locks == (b.Kind >= OpLock) && (a.Kind != OpAssert || b.Kind != OpAssert)
}

// DrawProgram draws a program with up to three threads of up to four operations.
func DrawProgram(t *rapid.T) Program {
	op := rapid.Custom(func(t *rapid.T) Op {
		return Op{
			OpKind(rapid.IntRange(0, 3).Draw(t, "kind")),
			rapid.IntRange(0, Objects-1).Draw(t, "object"),
			byte(rapid.IntRange(0, 2).Draw(t, "value")),
		}
	})
	return rapid.SliceOfN(rapid.SliceOfN(op, 0, 4), 1, 3).Draw(t, "program")
}

// Model returns the program as a Model. A state has the place of each thread,
// whether one of its assertions failed, the variables, and the locks.
func (p Program) Model() Model {
	n := len(p)
	failed, vars, locks := n, 2*n, 2*n+Objects
	enabled := func(state []byte, i int) bool {
		if int(state[i]) == len(p[i]) {
			return false
		}
		op := p[i][state[i]]
		return op.Kind != OpLock || state[locks+op.Object] == 0
	}
	return Model{
		Start: make([]byte, 2*n+2*Objects),
		Enabled: func(state []byte, dst []lts.Step) []lts.Step {
			for i := range p {
				if enabled(state, i) {
					dst = append(dst, lts.Step(i))
				}
			}
			return dst
		},
		Take: func(state []byte, s lts.Step) {
			op := p[s][state[s]]
			state[s]++
			switch op.Kind {
			case OpWrite:
				state[vars+op.Object] = op.Value
			case OpAssert:
				if state[vars+op.Object] == op.Value {
					state[failed+int(s)] = 1
				}
			case OpLock:
				state[locks+op.Object] = 1
			case OpUnlock:
				state[locks+op.Object] = 0
			}
		},
		Reduced: func(state []byte, dst []lts.Step) []lts.Step {
			return p.stubborn(state, dst, enabled)
		},
		Final: func(state []byte) bool {
			for i := range p {
				if int(state[i]) < len(p[i]) {
					return false
				}
			}
			return true
		},
		Wrong: func(state []byte) string {
			for i := range p {
				if state[failed+i] != 0 {
					return "an assertion failed" // of which thread is told by final states
				}
			}
			return ""
		},
	}
}

// stubborn appends the enabled threads of the smallest stubborn set: closed under
// "has an operation to come that depends on the next one of a member". That
// covers who could unblock a blocked member too. The program has no loops, so no
// thread is ignored for ever.
func (p Program) stubborn(state []byte, dst []lts.Step, enabled func([]byte, int) bool) []lts.Step {
	best := uint(0)
	size := len(p) + 1
	for seed := range p {
		if !enabled(state, seed) {
			continue
		}
		set := p.closure(state, seed)
		n := 0
		for i := range p {
			if set&(1<<i) != 0 && enabled(state, i) {
				n++
			}
		}
		if n < size {
			best, size = set, n
		}
	}
	for i := range p {
		if best&(1<<i) != 0 && enabled(state, i) {
			dst = append(dst, lts.Step(i))
		}
	}
	return dst
}

// closure returns the least stubborn set with a thread, as bits.
func (p Program) closure(state []byte, seed int) uint {
	set := uint(1) << seed
	for again := true; again; {
		again = false
		for i := range p {
			if set&(1<<i) == 0 || int(state[i]) == len(p[i]) {
				continue
			}
			next := p[i][state[i]]
			for k := range p {
				if set&(1<<k) != 0 {
					continue
				}
				for _, op := range p[k][state[k]:] {
					if next.dependent(op) {
						set |= 1 << k
						again = true
						break
					}
				}
			}
		}
	}
	return set
}
