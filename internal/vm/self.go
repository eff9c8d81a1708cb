package vm

import (
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// A selfDriver is the driver of a machine that schedules by itself: see sched.go.
// It never stops a goroutine before an operation, so most of what it is told
// means nothing to it.
type selfDriver struct{ m *Machine }

func (d selfDriver) New(system bool) *G {
	s := &d.m.sched
	n := len(s.pool)
	if n == 0 || d.m.Heap.Depth() > 0 {
		return new(G)
	}
	old := s.pool[n-1]
	s.pool = s.pool[:n-1]
	g := *old
	g.Reuse()
	return &g
}

func (d selfDriver) Started(by, g *G) (stop bool) {
	s := &d.m.sched
	s.gs = append(s.gs, g)
	switch {
	case g.system:
		s.urgent = append(s.urgent, g)
	case g.status == gRunnable:
		d.m.enqueue(g)
	}
	return false
}

func (d selfDriver) Goroutines(yield func(*G) bool) {
	for _, g := range d.m.sched.gs {
		if !yield(g) {
			return
		}
	}
}

func (d selfDriver) Changing(*G, bool) {}

func (d selfDriver) Parked(g *G) {
	w := &g.wait
	if w.Wake != 0 {
		d.m.pushAlarm(alarm{when: w.Wake, seq: w.Ticket, g: g})
	}
	if w.parked != 0 && w.Obj != 0 {
		d.m.sched.waits.add(g, w.Obj, waitObj, 0)
	}
}

func (d selfDriver) Readied(g *G) {
	d.m.sched.waits.drop(g)
	if g.Serves(FinalizerSpecial) && g.depth == 1 && g.frames[0].pc == 0 {
		g.wait.Ticket = d.m.ticket()
		d.m.sched.run.pushFirst(g) // in Go it is the goroutine of the finalizer before that goes on
		return
	}
	d.m.enqueue(g)
}

func (d selfDriver) Ended(g *G) {
	d.m.sched.ended++
	d.m.Bury(g)
}

func (d selfDriver) Returned() bool { return true }

func (d selfDriver) Wake(obj mem.Ptr, n int) int {
	woken := 0
	for woken != n {
		w := d.m.sched.waits.first(obj, waitObj)
		if w == nil {
			break
		}
		d.m.Ready(w.g)
		woken++
	}
	return woken
}

func (d selfDriver) Waiters(obj mem.Ptr) int {
	n := 0
	for w := d.m.sched.waits.first(obj, waitObj); w != nil; w = w.next {
		n++
	}
	return n
}

// Safepoint accounts for the slice that is over and begins the next one. Where
// the machine may have to go back, each slice is a step.
func (d selfDriver) Safepoint(g *G) bool {
	m := d.m
	m.account()
	m.Refill()
	s := &m.sched
	return g.system || s.run.n == 0 && len(s.urgent) == 0 && !m.due() && m.undo.marks.N == 0
}

func (d selfDriver) Channel(*ChanOp) (int, bool) { return 0, true }
func (d selfDriver) Native(*NativeCall) bool     { return true }
func (d selfDriver) NativeDone(*NativeCall)      {}
func (d selfDriver) Access(*G, unsafe.Pointer, *bytecode.Instr) bool {
	return true
}
func (d selfDriver) MapRange(*G, mem.Ptr) (int, bool) { return -1, true }
func (d selfDriver) Status(*G) string                 { return "runnable" }
func (d selfDriver) Noted(Note, mem.Ptr)              {}
