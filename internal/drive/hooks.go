package drive

import (
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// hooks is what the machine of the language asks and tells.
type hooks Machine

func (h *hooks) New(system bool) *vm.G {
	if g := h.spare; system && g != nil { // it began and ended within a step, so nobody goes back to it
		h.spare = nil
		g.Reuse()
		g.kept = kept{}
		return &g.G
	}
	g := new(G)
	g.Keeper = g
	return &g.G
}

func (h *hooks) Started(by, made *vm.G) (stop bool) {
	m, g := (*Machine)(h), of(made)
	m.adopt(g)
	switch {
	case by != nil:
		m.launched(of(by), g)
		return of(by).launch
	case g.System():
	default:
		if running := m.Current(); running != nil { // a collection calls a finalizer
			m.joined(running, g)
		}
		m.VisitArguments(&g.G, m.Heap.Publish)
		if g.Runnable() {
			h.started = append(h.started, g)
		}
	}
	return false
}

func (h *hooks) Goroutines(yield func(*vm.G) bool) {
	for _, g := range h.gs {
		if !yield(&g.G) {
			return
		}
	}
}

func (h *hooks) Changing(g *vm.G, saved bool) { (*Machine)(h).changing(of(g), saved) }

func (h *hooks) Parked(*vm.G) {}

func (h *hooks) Readied(g *vm.G) { (*Machine)(h).woken(of(g)) }

// Ended keeps a goroutine until its last block has ended.
func (h *hooks) Ended(g *vm.G) {
	if g.System() {
		(*Machine)(h).Bury(g)
		return
	}
	of(g).ending = true
}

// Returned lets a program go on without its main goroutine, to see who waits for
// ever. A process beside others ends, which these see.
func (h *hooks) Returned() bool {
	if h.opts.Joined {
		return true
	}
	h.checked.mainGone = true
	h.met |= MetEnd
	return false
}

func (h *hooks) Wake(obj mem.Ptr, n int) int {
	m := (*Machine)(h)
	if e := &m.effects; e.recording {
		e.wakes = append(e.wakes, obj)
	}
	woken := 0
	for _, g := range m.gs {
		if woken != n && g.Waiting() && g.Wait().Obj == obj && g.Wait().Parked() {
			m.Ready(&g.G)
			woken++
		}
	}
	return woken
}

func (h *hooks) Waiters(obj mem.Ptr) int {
	n := 0
	for _, g := range h.gs {
		if g.Waiting() && g.Wait().Obj == obj {
			n++
		}
	}
	return n
}

func (h *hooks) Safepoint(g *vm.G) bool {
	m := (*Machine)(h)
	switch {
	case g.System():
		m.Refill()
	case m.FuelLeft() < 0 || m.checked.pruned: // nothing follows, also not the rest of the step
		m.spent = true
		return false
	case m.opts.Stop != nil && m.opts.Stop():
		m.halted = true
		m.SetExit(stoppedExit)
		return false
	default:
		m.LookUp(stopSlice)
	}
	return true
}

func (h *hooks) Channel(o *vm.ChanOp) (chosen int, ok bool) {
	m := (*Machine)(h)
	if o.ByNative() || o.Selects() {
		chosen, ok = m.gateSelect(o)
	} else {
		ok = m.gateChan(o)
	}
	if ok && chosen >= 0 {
		ch, _ := o.At(chosen)
		m.uses(ch)
		of(o.G).goesOn(m)
	}
	if ok && !m.met.Has(MetGlance) && (chosen < 0 && !o.Waits || o.Looks()) {
		m.meetGlance(o)
	}
	return chosen, ok
}

func (h *hooks) Native(c *vm.NativeCall) bool {
	m := (*Machine)(h)
	op := m.funcs[c.Index()].op
	if !m.gateNative(c, op) {
		return false
	}
	if !m.met.Has(MetGlance) && op.Glance != "" && (op.Fails == nil || m.asks(c, op.Fails)) {
		m.MeetFrom(c.G, op.Glance, MetGlance)
	}
	if op.Unordered != nil && !m.met.Has(MetCalls) {
		m.meetCall(c, op)
	}
	for _, i := range op.Row.Publishes {
		m.Heap.Publish(c.Ptr(i))
	}
	m.inOp, m.buffers = true, op.Acts != nil
	return true
}

func (h *hooks) NativeDone(c *vm.NativeCall) {
	h.inOp = false
	if h.selecting {
		h.selecting = false
		h.mute--
	}
}

func (h *hooks) Access(g *vm.G, fp unsafe.Pointer, in *bytecode.Instr) bool {
	return (*Machine)(h).gateAccess(of(g), fp, in)
}

func (h *hooks) MapRange(g *vm.G, mp mem.Ptr) (first int, ok bool) {
	switch {
	case !h.opts.MapOrder:
		(*Machine)(h).meetMap(g, MetMaps)
		return -1, true
	case !h.armed:
		return 0, false
	case h.Heap.MapLen(mp) > 2:
		(*Machine)(h).meetMap(g, MetTurns)
	}
	h.armed = false
	return h.choice, true
}

func (h *hooks) Noted(n vm.Note, obj mem.Ptr) {
	m := (*Machine)(h)
	switch n {
	case vm.ClockRead:
		m.observed()
	case vm.ProcessTouched:
		m.outside, m.clocked = true, m.clocked || m.watching
	case vm.EntriesMissed:
		m.meetMap(m.Machine.Current(), MetMaps|MetTurns)
	case vm.KeyTold, vm.KeyToldOthers:
		m.walks(obj, n == vm.KeyToldOthers)
	case vm.CollectionAsked:
		m.collected()
	case vm.Collected:
		m.dropFreed()
	case vm.Numbered:
		m.numbered(true)
	case vm.NumberedInside:
		m.numbered(false)
	case vm.Aligned:
		m.aligned()
	case vm.TimerSet: // its function may start somebody
		if m.alone() {
			m.endAlone()
		}
	}
}
