package drive

import (
	"github.com/heddle-mc/heddle/internal/effect"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// passes reports whether g need not stop before an operation on obj: nobody else
// can see it.
func (m *Machine) passes(g *G, obj mem.Ptr) bool {
	switch {
	case !g.System() && m.HasTimers() && m.Heap.ChanAux(obj) != 0:
		return false // the clock sees it
	case g.System() || g.atomic > 0:
		return true
	case m.lone != nil && (m.Heap.IsChan(obj) && m.waitedAt(g, obj) || m.marksFailed(g)):
		return false // who waits there can move then, or a state has to show it
	case m.unseen(), obj != 0 && !m.shared(obj):
		return m.soon()
	}
	return !m.Heap.IsChan(obj) && m.quiet(g)
}

// shared reports whether others than the running goroutine may reach an object.
func (m *Machine) shared(obj mem.Ptr) bool {
	m.publishWrites()
	return m.Heap.Tracked(obj.Obj())
}

// gateChan decides whether a goroutine does its operation on a channel or stops
// before it.
func (m *Machine) gateChan(o *vm.ChanOp) bool {
	ch, send := o.At(0)
	if m.armed {
		m.armed = false
	} else if !o.Ready || o.Transfers() && m.stopsHeard(of(o.G), o.Elem(0), send) || !m.passes(of(o.G), ch) {
		return false
	}
	m.touchesChan(ch, send)
	if send {
		m.Heap.PublishElem(ch, o.Value(0))
	}
	return true
}

// touchesChan notes a send, or a receive. Who receives from a channel that is closed and empty leaves it as it is.
func (m *Machine) touchesChan(ch mem.Ptr, send bool) {
	if !send && m.Heap.ChanClosed(ch) && m.Heap.ChanLen(ch) == 0 {
		m.looksAtChan(ch)
	} else {
		m.touches(ch)
	}
}

// looksAtChan notes that an operation goes by what a channel is, and leaves it as it is.
func (m *Machine) looksAtChan(ch mem.Ptr) {
	if m.probing && ch != 0 {
		m.loads = append(m.loads, AccessTo(ch, 1, false))
	}
}

// gateNative does the same for a visible native.
func (m *Machine) gateNative(c *vm.NativeCall, op *Operation) bool {
	if !op.Row.Memory {
		m.Beyond = true
	}
	if op.Row.Stop == effect.Itself || op.Plain != nil && op.Plain(c) {
		return true
	}
	if m.armed {
		m.armed = false
		m.following = nil
		if op.Row.Begins || op.Follows != nil && !op.Row.Memory && op.Follows(c) {
			m.following = of(c.G)
		}
		m.touchesOp(c, op)
		return true
	}
	if op.Choices != nil && op.Choices(c) != 1 || op.Outside != nil && op.Outside(c) {
		return false
	}
	m.choice = 0
	if op.Row.Stop == effect.Chosen {
		return true
	}
	if op.Row.Stop == effect.Observes {
		if !m.passesObserved(of(c.G)) {
			return false
		}
		m.touchesOp(c, op)
		return true
	}
	if op.Follows != nil && (op.Row.Memory || m.following == of(c.G)) && m.follows(c, op) && m.nativeReady(c, op) {
		m.touchesOp(c, op)
		return true
	}
	if !m.passesNative(c, op) || !m.nativeReady(c, op) {
		return false
	}
	if op.Row.Begins {
		m.following = nil // the operation has begun without a stop
	}
	m.touchesOp(c, op)
	return true
}

// passesNative is passes for all that a native acts on.
func (m *Machine) passesNative(c *vm.NativeCall, op *Operation) bool {
	if op.Acts != nil && !m.opts.Joined && m.unseen() {
		return m.passes(of(c.G), 0)
	}
	far := len(m.far)
	m.unknown = false
	list, outside := m.objectsOf(c, op)
	if len(m.far) > far {
		m.far = m.far[:far]
		if m.opts.Joined {
			return false
		}
		outside = true
	}
	if m.unknown && !m.unseen() {
		return false
	}
	if outside && op.Acts != nil && !c.G.System() && of(c.G).atomic == 0 && !m.unseen() {
		return false // also in a function that is quiet: others may see the file that it writes
	}
	if outside || len(list) == 0 && op.Acts == nil {
		return m.passes(of(c.G), 0)
	}
	for _, obj := range list {
		if !m.passes(of(c.G), obj) {
			return false
		}
	}
	return true
}

// objectsOf lists what a native acts on, and reports whether all goroutines can
// reach something of it. The list is good until the next one is asked for. What is not of
// the heap is added to far.
func (m *Machine) objectsOf(c *vm.NativeCall, op *Operation) (list []mem.Ptr, outside bool) {
	m.objects = m.objects[:0]
	if op.Acts != nil {
		m.mute++
		m.footprint.Reset()
		op.Acts(c, &m.footprint)
		m.mute--
		outside = m.sortTokens(&m.footprint)
		return m.objects, outside
	}
	for _, a := range op.Row.Acts {
		switch a.What {
		case effect.Pointed:
			m.objects = append(m.objects, c.Ptr(a.Arg))
		case effect.Nothing, effect.Told:
		case effect.Time, effect.Own, effect.Observed, effect.Count:
			outside = true
		default:
			outside = true
			m.everywhere()
		}
	}
	if len(op.Row.Acts) == 0 {
		outside = true
		m.everywhere()
	}
	return m.objects, outside
}

// sortTokens sorts the tokens of a footprint: objects of the machine's own heap to
// objects, those of others to far. It reports whether all
// goroutines can reach something of it.
func (m *Machine) sortTokens(f *effect.Footprint) (outside bool) {
	for _, list := range [...][]effect.Token{f.Reads, f.Writes, f.Waits} {
		for i := range list {
			t := &list[i]
			m.unknown = m.unknown || t.Far
			switch own := int(t.Process) == m.opts.Process; {
			case t.Kind == effect.Object && own:
				m.objects = append(m.objects, t.Ptr)
			case t.Kind == effect.Object || t.Kind == effect.Goroutine:
				outside = outside || own
				if m.opts.Joined {
					m.far = append(m.far, *t)
					m.far[len(m.far)-1].Far = true
				}
			default:
				outside = true
			}
		}
	}
	if f.Everything {
		outside = true
		m.everywhere()
	}
	return outside
}

// everywhere notes that an operation acts on what all machines can reach.
func (m *Machine) everywhere() {
	if m.opts.Joined {
		m.far = append(m.far, effect.Of(effect.Process, everyProcess))
	}
}

// touchesOp notes what a native acts on.
func (m *Machine) touchesOp(c *vm.NativeCall, op *Operation) {
	if !m.probing && !op.Row.Memory {
		return // nobody asks, and the step's effect is not noted
	}
	if m.probing && !m.noting && op.Commutes != nil && m.asks(c, op.Commutes) {
		return
	}
	list, outside := m.objectsOf(c, op)
	counts := m.probing && op.Counts != nil && m.asks(c, op.Counts)
	reads := op.Row.OnlyReads()
	for _, p := range list {
		switch {
		case !m.probing:
		case counts:
			m.touched = append(m.touched, effect.Token{Kind: effect.Counter, Process: int32(m.opts.Process), Ptr: p})
		case reads != 0:
			m.loads = append(m.loads, AccessTo(p, reads, false))
		default:
			m.touches(p)
		}
	}
	if outside && !c.G.System() {
		m.outside = true
	}
	m.clocked = m.clocked || outside && m.watching
}

// follows asks whether a native goes on with the operation before it. What it reads
// for that belongs to the effect of the step, but is no access of the program.
func (m *Machine) follows(c *vm.NativeCall, op *Operation) bool {
	m.mute++
	ok := op.Follows(c)
	m.mute--
	return ok
}

// asks asks something about a native that is no access of the program.
func (m *Machine) asks(c *vm.NativeCall, question func(c *vm.NativeCall) bool) bool {
	m.mute++
	ok := question(c)
	m.mute--
	return ok
}

func (m *Machine) nativeReady(c *vm.NativeCall, op *Operation) bool {
	if op.Ready == nil {
		return true
	}
	m.Beyond = true // it does not tell what it looks at
	m.mute++
	ready := op.Ready(c)
	m.mute--
	return ready
}

// Choice returns which of its alternatives a native is to do.
func (m *Machine) Choice() int {
	if m == nil {
		return 0
	}
	return m.choice
}

// observed notes that the program has looked at the clock.
// That of package initialisation does not count: what it keeps is the same in
// every state.
func (m *Machine) observed() {
	g := m.Current()
	if g == nil || g.System() {
		m.clocked = m.clocked || m.watching
		return
	}
	m.clockRead = true
	if m.beforeMain(g) {
		return
	}
	m.checked.observed = true
	if g.Bubble() == 0 { // time stands still there, as in Go
		m.lookAtClock(g)
	}
}

// beforeMain reports whether g is still in package initialisation.
func (m *Machine) beforeMain(g *G) bool {
	return g.ID == 1 && (g.Depth() < 2 || m.funcs[g.Frames()[1].Func()].f.Name != "main.main")
}

// gateSelect chooses the case of a select, or stops before it unless nobody else
// can see it and there is only one thing that it can do.
func (m *Machine) gateSelect(o *vm.ChanOp) (chosen int, ok bool) {
	g := of(o.G)
	chosen = -1
	if m.armed {
		m.armed = false
		chosen = m.choice
	} else {
		ready := 0
		for i := range o.N {
			ch, send := o.At(i)
			if ch == 0 {
				continue
			}
			if !m.passes(g, ch) || !o.ByNative() && m.stopsHeard(g, o.Elem(i), send) {
				return 0, false
			}
			if o.CanDo(i) {
				chosen = i
				ready++
			}
		}
		if ready > 1 && (o.ByNative() || !g.System()) || ready == 0 && o.Waits {
			return 0, false
		}
	}
	if m.probing {
		for i := range o.N {
			if ch, send := o.At(i); i == chosen {
				m.touchesChan(ch, send)
			} else {
				m.looksAtChan(ch)
			}
		}
	}
	if chosen < 0 {
		return chosen, true
	}
	ch, send := o.At(chosen)
	if !m.Heap.IsChan(ch) {
		return chosen, true
	}
	if o.ByNative() {
		if send && o.Source(chosen) != 0 {
			m.Heap.PublishFrom(o.Source(chosen), m.Heap.ChanElemSize(ch))
		}
		m.selecting = true
		m.mute++ // what it does to the element belongs to the operation
	} else if send {
		m.Heap.PublishElem(ch, o.Value(chosen))
	}
	return chosen, true
}
