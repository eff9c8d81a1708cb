package drive

import (
	"strings"

	"github.com/heddle-mc/heddle/internal/vm"
)

// waits are what tracebacks say of goroutines that wait in natives, by a part of the name. The first that fits counts.
var waits = []struct{ part, reason string }{
	{"RLock", "sync.RWMutex.RLock"}, {"RWMutexR", "sync.RWMutex.RLock"}, {"RWMutex", "sync.RWMutex.Lock"},
	{"Mutex", "sync.Mutex.Lock"}, {"WaitGroup", "sync.WaitGroup.Wait"},
	{"Cond", "sync.Cond.Wait"}, {"notifyList", "sync.Cond.Wait"},
	{"Sleep", "sleep"}, {"poll", "IO wait"}, {"yscall", "syscall"}, {"signal", "syscall"},
}

// Status returns what tracebacks say of a goroutine that stands before its next operation. In Go it would have begun it, and
// would wait in it if it cannot be done now.
func (h *hooks) Status(g *vm.G) string {
	const runnable = "runnable"
	m := (*Machine)(h)
	for i, x := range m.gs {
		if &x.G != g {
			continue
		}
		if x.unborn || m.canMove(i) {
			return runnable
		}
		if o, ok := m.ChanOpOf(g); ok {
			return chanWait(&o)
		}
		name := m.funcs[g.Top().Func()].f.Native
		for _, w := range waits {
			if strings.Contains(name, w.part) {
				return w.reason
			}
		}
		return "semacquire"
	}
	return runnable
}

// chanWait is what tracebacks say of a goroutine that waits in a channel operation.
func chanWait(o *vm.ChanOp) string {
	switch {
	case o.N == 0:
		return "select (no cases)"
	case o.N > 1 || o.Selects():
		return "select"
	}
	ch, send := o.At(0)
	reason := "chan receive"
	if send {
		reason = "chan send"
	}
	if ch == 0 {
		reason += " (nil chan)"
	}
	return reason
}
