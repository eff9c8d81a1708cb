package drive

import "github.com/heddle-mc/heddle/internal/bytecode"

// Reduction leaves goroutines for later. It must not do so for ever: in each cycle of
// states there has to be one in which all steps are followed. A goroutine comes to a
// state again only by a jump back, so a step with a jump back is followed together
// with all others, unless the goroutine has moved on since its last jump back:
//
//   - It has done something after which no earlier state can come again, such as
//     telling a peer outside something (Advance). In a cycle it would jump back a
//     second time without.
//   - It has received something over a connection (Receive), and the state tells how
//     much it has received since it entered the outermost of the loops that it is in. Most
//     programs exchange a few messages and come to an end. Where messages go to and fro for ever, the sum keeps states from being met
//     again, so a goroutine that receives very much is taken to be of that kind, and the
//     state does not tell then (see Views). What it sends does not count: who
//     sends to several at a time would have as many states as there are sums.
//   - Without the sum, it has at least read from a process that was named before its
//     own. If all comes again, what was read was written again, by that process; and
//     so on, down to one that reads from none before it. Of the processes that move in
//     a cycle it is enough to fear the first.

// progress is what a goroutine has done since its last jump back, or in a step.
type progress struct {
	advanced bool
	received bool
}

// maxReceived is how much a goroutine may receive before that seems to be without end.
const maxReceived = 1 << 12

// Advance notes that the running goroutine has done something after which no earlier
// state can come again.
func (m *Machine) Advance() { m.progresses(progress{advanced: true}) }

// Receive notes that the running goroutine has received n more over connections, and
// whether some of that was read from a process that was named before its own.
func (m *Machine) Receive(n int, onwards bool) {
	if m == nil || m.Current() == nil {
		return
	}
	g := m.Current()
	switch {
	case m.receipts():
		g.receipt += uint32(n)
		m.unfit.Receipts = m.unfit.Receipts || g.receipt > maxReceived
		m.progresses(progress{received: true})
	case onwards:
		m.progresses(progress{advanced: true})
	}
}

func (m *Machine) progresses(p progress) {
	if m == nil || m.Current() == nil {
		return
	}
	m.Current().add(p)
	m.add(p)
}

func (p *progress) add(q progress) {
	p.advanced, p.received = p.advanced || q.advanced, p.received || q.received
}

// jumpedBack notes that g has jumped back in this step.
func (m *Machine) jumpedBack(g *G) {
	m.back = m.back || g.progress == progress{}
	g.progress = m.progress // as good as none: in a cycle there is none
}

// leaveLoops makes g forget what it has received if it is in no loop: the frame that goes
// around in a cycle is there in all of its states, and in its loop.
func (m *Machine) leaveLoops(g *G) {
	if g.receipt == 0 {
		return
	}
	for i := range g.Frames() {
		fr := &g.Frames()[i]
		if f := &m.funcs[fr.Func()]; !f.native && f.loops()[fr.PC()] {
			return
		}
	}
	g.receipt = 0
}

// loops tells of each instruction of a function whether it may be in a loop. In whatever
// order blocks are, the jumps back of a cycle together span all of its instructions.
func (f *function) loops() []bool {
	if f.looping == nil {
		f.looping = loopTable(f.f, func(*bytecode.Instr) bool { return true })
	}
	return f.looping
}

// inEndlessLoop reports whether a goroutine is in a loop that may come back to the state that it began in: one that does not count, see the compiler's
// counted.go.
func (m *Machine) inEndlessLoop(g *G) bool {
	for i := range g.Frames() {
		fr := &g.Frames()[i]
		if f := &m.funcs[fr.Func()]; !f.native && f.endless()[fr.PC()] {
			return true
		}
	}
	return false
}

// endless tells of each instruction of a function whether it may be in such a loop.
func (f *function) endless() []bool {
	if f.around == nil {
		f.around = loopTable(f.f, func(i *bytecode.Instr) bool { return i.A == 0 })
	}
	return f.around
}

// loopTable tells of each instruction whether one of some jumps back spans it.
func loopTable(f *bytecode.Func, some func(*bytecode.Instr) bool) []bool {
	t := make([]bool, len(f.Code))
	for from := range f.Code {
		to, ok := f.Code[from].Target()
		ok = ok && to <= from && some(&f.Code[from])
		for pc := to; ok && pc <= from; pc++ {
			t[pc] = true
		}
	}
	return t
}
