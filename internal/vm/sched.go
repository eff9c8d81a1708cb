package vm

import (
	"cmp"
	"slices"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// The scheduler runs one goroutine at a time. A goroutine that cannot go on
// stays before the operation that it cannot do and executes it when it wakes,
// unless the goroutine that made it possible has completed it on its behalf.

// fuelSlice is how many calls and backward jumps a goroutine executes before
// others come first.
const fuelSlice = 20_000

// FuelTime is how much virtual time, in nanoseconds, a call or backward jump
// takes. It is there so that a program that waits by looking at the clock comes
// to an end; the clock otherwise moves when every goroutine is blocked.
const FuelTime = 4

// sched is the scheduler's part of a Machine. All but mainGone can be derived
// from the goroutines and timers.
type sched struct {
	gs      []*G // all goroutines that have not ended, in order of creation
	run     runQueue
	urgent  []*G // timers' callbacks, which come before all others
	waits   waitTable
	alarms  []alarm             // a heap: who wakes or fires when
	purgeAt int                 // how many alarms there may be before stale ones are removed
	watched map[uint64]struct{} // the seq of the timers' alarms
	slice   int64               // what fuel was when it was last accounted for
	ended   int                 // goroutines of gs that have ended
	pool    []*G                // ended goroutines, for their stacks
	frozen  bool                // execution takes no time: the clock moves only when all are blocked

	timerShape, tableShape mem.ShapeID
}

// Run executes the program to its end, from its start if it was not started.
func (m *Machine) Run() *Exit {
	if m.state.NextG == 0 {
		m.Start()
	}
	for m.exit == nil && !m.stopped() {
		m.step()
	}
	return m.exit
}

// Start makes the main goroutine, which runs the package initialisers and then
// main.main.
func (m *Machine) Start() {
	m.state.Now = max(m.state.Now, 1) // 0 means no time
	m.driver.Started(nil, m.newG(int32(m.Prog.Entry), nil, false))
}

// Step runs one goroutine for a time slice, or moves the clock. It reports
// whether the program goes on.
func (m *Machine) Step() bool {
	if m.exit == nil && !m.stopped() {
		m.step()
	}
	return m.exit == nil
}

// Exit returns how the program ended, nil if it has not.
func (m *Machine) Exit() *Exit { return m.exit }

// step runs one goroutine for a slice, or moves the clock.
func (m *Machine) step() {
	m.fireDue()
	var g *G
	if s := &m.sched; len(s.urgent) > 0 {
		g = s.urgent[0]
		s.urgent = slices.Delete(s.urgent, 0, 1)
	} else if s.run.n > 0 {
		g = s.run.take(m.pick(s.run.n))
	}
	if g != nil {
		m.runG(g)
		return
	}
	if m.Idle != nil && m.Idle(m) {
		return
	}
	if m.stirAny() {
		return
	}
	if !m.jump() {
		m.deadlock()
	}
}

// runG executes g until it blocks, yields or ends.
func (m *Machine) runG(g *G) {
	m.Save(g)
	m.cur = g
	m.Refill()
	st := m.exec(g)
	m.account()
	m.cur = nil
	if st == yield && g.status == gRunnable {
		m.enqueue(g)
	}
	if b := g.member.bubble; b != 0 && g.status != gRunnable && m.exit == nil {
		m.stir(b)
	}
	m.compact()
}

// poll is called when the fuel is used up, at a safepoint of the running
// goroutine.
func (m *Machine) poll(g *G) status {
	m.Beyond = true
	if m.rt.oom {
		return m.outOfMemory(g)
	}
	if m.exit != nil || m.stopped() {
		return halt
	}
	if m.gcRequested || m.Heap.ShouldCollect() {
		m.collect()
	}
	m.fuel, m.kept = m.fuel+m.kept, 0
	if m.driver.Safepoint(g) {
		return next
	}
	return yield
}

// pollSoon makes poll be called at the next safepoint. What was executed so far
// in this slice stays accounted for, and nothing else.
func (m *Machine) pollSoon() {
	m.kept += m.fuel
	m.fuel = 0
}

// Refill gives the running goroutine a new slice.
func (m *Machine) Refill() {
	m.fuel, m.kept = fuelSlice, 0
	if m.rt.opts.Seed != 0 {
		m.fuel = 1 + int64(m.random()>>49)
	}
	m.sched.slice = m.fuel
}

// account moves the clock by what was executed since the last time.
func (m *Machine) account() {
	if !m.sched.frozen {
		m.state.Now += max(0, m.sched.slice-m.FuelLeft()) * FuelTime
	}
	m.sched.slice = m.FuelLeft()
}

// Now returns the virtual clock in nanoseconds.
func (m *Machine) Now() int64 {
	m.account()
	return m.state.Now
}

// pick chooses one of n runnable goroutines: the one that has waited longest,
// or any if the schedule has a seed.
func (m *Machine) pick(n int) int {
	if m.rt.opts.Seed == 0 || n == 1 {
		return 0
	}
	return int(m.random() % uint64(n))
}

// choose makes a choice that Go leaves open, such as that between the ready
// cases of a select.
func (m *Machine) choose(n int) int {
	if n == 1 {
		return 0
	}
	return int(m.random() % uint64(n))
}

// random is the next number of the schedule's generator (splitmix64).
func (m *Machine) random() uint64 {
	m.driver.Noted(ProcessTouched, 0)
	m.state.Rng += 0x9e3779b97f4a7c15
	z := m.state.Rng
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func (m *Machine) ticket() uint64 {
	m.state.Ticket++
	return m.state.Ticket
}

// park makes g wait. The caller enters it in the wait lists of channels.
func (m *Machine) park(g *G, reason string, obj mem.Ptr, wake int64) {
	m.parkNative(g, reason, obj, wake, 0)
}

// parkNative makes g wait in a native with a depth.
func (m *Machine) parkNative(g *G, reason string, obj mem.Ptr, wake int64, depth int32) {
	m.Save(g)
	g.status = gWaiting
	g.wait = Wait{Reason: reason, Obj: obj, Ticket: m.ticket(), Wake: wake, parked: depth}
	m.driver.Parked(g)
}

// Ready makes a waiting goroutine runnable. It has no effect on others.
func (m *Machine) Ready(g *G) {
	if g.status != gWaiting {
		return
	}
	m.Beyond = true
	m.Save(g)
	g.status = gRunnable
	w := Wait{}
	if g.wait.parked != 0 {
		w.Reason, w.parked, w.woken = g.wait.Reason, g.wait.parked, true
	}
	g.wait = w
	m.driver.Readied(g)
}

// enqueue puts a runnable goroutine behind all others.
func (m *Machine) enqueue(g *G) {
	g.wait.Ticket = m.ticket()
	m.sched.run.push(g)
}

// end ends a goroutine.
func (m *Machine) end(g *G) {
	m.Save(g)
	g.Clear()
	m.driver.Ended(g)
}

// Clear makes a goroutine have nothing left to execute.
func (g *G) Clear() {
	g.status, g.depth = gRunnable, 0
	g.defers, g.deferArgs, g.panics = g.defers[:0], g.deferArgs[:0], g.panics[:0]
	g.wait, g.cases, g.chosen = Wait{}, nil, 0
}

// Bury makes a goroutine dead that has nothing left to execute, and wakes those
// that wait for its end.
func (m *Machine) Bury(g *G) {
	g.status = gDead
	p := g.atEnd
	if p == 0 {
		return
	}
	g.atEnd = 0
	if g.gone != 0 {
		m.Heap.Store64(g.gone, 0)
	}
	m.Wake(p, -1)
}

// over reports whether a goroutine has nothing left to execute.
func (g *G) over() bool { return g.status == gDead || g.depth == 0 }

// old is what Frame.turns begins at when turns are counted, so that frames that are
// made later have less. A goroutine can come to the same state again only by
// a jump back in a frame that is there all the time, so the loops of others do not
// matter: what a function does between its call and its return is no cycle.
const old = 1 << 30

// CountTurns begins to count the backward jumps in the frames that g has.
func (g *G) CountTurns() {
	for i := range g.frames[:g.depth] {
		g.frames[i].turns = old
	}
}

// Turned reports whether one of these frames has jumped back.
func (g *G) Turned() bool {
	for i := range g.frames[:g.depth] {
		if g.frames[i].turns > old {
			return true
		}
	}
	return false
}

// compact removes ended goroutines from the list of all when they are many, so
// that each costs O(1). While the machine may have to go back they stay.
func (m *Machine) compact() {
	s := &m.sched
	if s.ended < 64 || s.ended < len(s.gs)/2 || m.Heap.Depth() > 0 {
		return
	}
	s.gs = slices.DeleteFunc(s.gs, func(g *G) bool {
		if g.status != gDead {
			return false
		}
		if len(s.pool) < 1024 && len(g.stack) < 4096 {
			s.pool = append(s.pool, g)
		}
		return true
	})
	s.ended = 0
}

// Wake wakes up to n goroutines that wait on obj by NativeCall.Park, all if n is
// negative, in the order in which they began to wait. It returns how many.
func (m *Machine) Wake(obj mem.Ptr, n int) int { return m.driver.Wake(obj, n) }

// Waiters returns how many goroutines wait on obj by NativeCall.Park.
func (m *Machine) Waiters(obj mem.Ptr) int {
	m.Beyond = true
	return m.driver.Waiters(obj)
}

// Park makes the calling goroutine wait for Wake(obj), or for the clock to reach
// wake unless that is 0. The native must then return Again, and is called again
// when the goroutine wakes; Resumed tells it so.
func (c *NativeCall) Park(reason string, obj mem.Ptr, wake int64) {
	c.M.parkNative(c.G, reason, obj, wake, c.level())
}

// Resumed reports whether this is the call of a native after its goroutine has
// waited, by Park for the given reason. It does so once for each wait.
func (c *NativeCall) Resumed(reason string) bool {
	w := &c.G.wait
	if !w.woken || w.parked != c.level() || w.Reason != reason {
		return false
	}
	*w = Wait{Ticket: w.Ticket}
	return true
}

// level is the depth of the stack with a frame for the native.
func (c *NativeCall) level() int32 {
	if c.pushed {
		return int32(c.G.depth)
	}
	return int32(c.G.depth) + 1
}

// rebuildWaits derives the run queue, the wait lists and the alarms from the
// goroutines and timers.
func (m *Machine) rebuildWaits() {
	s := &m.sched
	s.run.clear()
	s.urgent = s.urgent[:0]
	s.waits.clear()
	m.clearAlarms()
	s.ended = 0
	order := slices.SortedFunc(slices.Values(s.gs), func(a, b *G) int {
		return cmp.Compare(a.wait.Ticket, b.wait.Ticket)
	})
	for _, g := range order {
		g.waiters = nil
		switch g.status {
		case gDead:
			s.ended++
		case gRunnable:
			if g.system {
				s.urgent = append(s.urgent, g)
			} else if g != m.cur {
				s.run.push(g)
			}
		case gWaiting:
			m.rewait(g)
		}
	}
	m.rebuildAlarms()
}

// rewait enters a waiting goroutine in the lists again.
func (m *Machine) rewait(g *G) {
	w := &g.wait
	if w.Wake != 0 {
		m.pushAlarm(alarm{when: w.Wake, seq: w.Ticket, g: g})
	}
	if g.cases != nil {
		m.waitCases(g)
		return
	}
	fr := &g.frames[g.depth-1]
	f := m.funcs[fr.fn].f
	if len(f.Code) == 0 {
		if w.Obj != 0 {
			m.sched.waits.add(g, w.Obj, waitObj, 0)
		}
		return
	}
	switch in := &f.Code[fr.pc]; in.Op {
	case bytecode.OpSend:
		if w.Obj != 0 {
			m.sched.waits.add(g, w.Obj, waitSend, 0)
		}
	case bytecode.OpRecv:
		if w.Obj != 0 {
			m.sched.waits.add(g, w.Obj, waitRecv, 0)
			m.watchTimer(w.Obj)
		}
	case bytecode.OpSelect:
		m.waitSelect(g, &f.Selects[in.Imm])
	default: // it has not begun to run, see SpawnParked
		if w.Obj != 0 {
			m.sched.waits.add(g, w.Obj, waitObj, 0)
		}
	}
}
