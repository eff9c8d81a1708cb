package drive

import (
	"cmp"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/effect"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// New drives a machine of the language, which was not started yet.
func New(machine *vm.Machine, o Options) *Machine {
	o.Fuel = cmp.Or(o.Fuel, defaultFuel)
	m := &Machine{Machine: machine, opts: o}
	quiet := make(map[string]bool, len(o.Quiet))
	for _, name := range o.Quiet {
		quiet[name] = true
	}
	m.funcs = make([]function, len(m.Prog.Funcs))
	library := libraryFiles(m.Prog)
	m.origins.files = ownFiles(m.Prog, library, o.Test)
	m.collects, m.expects = asksForCollections(m.Prog, o.Operations)
	for i := range m.Prog.Funcs {
		f, k := &m.Prog.Funcs[i], &m.funcs[i]
		k.op = o.Operations[f.Native]
		if k.op != nil && m.looksAt(k.op) {
			k.op = nil
		}
		if k.op != nil {
			m.hearing = m.hearing || k.op.Hears != nil
			m.SetVisible(i, k.op.Row.Addresses)
		}
		k.f, k.native = f, f.Native != ""
		k.quiet = quiet[f.Name]
		k.harness = harnessOf(f)
		k.guarded = guards[f.Pkg]
		k.library = f.File >= 0 && f.File < len(library) && library[f.File]
		k.own = !k.native && f.File >= 0 && f.File < len(library) && m.origins.files[f.File]
	}
	m.pools = poolsOfLibrary(m.Prog)
	m.Drive((*hooks)(m))
	if o.Access {
		m.StopAtAccesses()
	}
	if o.Listener != nil {
		m.Messages = func(g *vm.G, elem *bytecode.Type, send bool, value unsafe.Pointer) { m.heard(of(g), elem, send, value) }
	}
	m.canon.InsertionOrder = true
	m.canon.Custom = m.EncodeTimer
	m.canon.Tick = m.RelativeTick
	if !m.expects {
		m.canon.Late = m.EncodeFinalizers
	}
	m.Heap.Access = m.access
	m.Rewinds(m.Rewind)
	return m
}

// Start runs the machine up to its first state.
func (m *Machine) Start() {
	m.fixGlobals(true)
	m.Machine.Start()
	m.begin()
	m.advance(m.gs[0])
	m.finishStep()
	if m.initialises() {
		m.fixGlobals(false)
	}
	m.seal()
	m.order()
}

// looksAt notes what a native is about that a program has, and reports whether it is no
// operation.
func (m *Machine) looksAt(op *Operation) bool {
	m.counts = m.counts || op.Row.Has(effect.Count)
	if !m.expects && op.Row.Does(effect.Garbage) == effect.Reads {
		return true // there is no collection that could come before it or after it
	}
	return op.Row.Stop == effect.Never || op.Row.Stop == effect.Observes && m.observesOrdered()
}

// seal makes the base image. What only a goroutine that main has started can
// reach stays young, so that it is seen that nobody else can. What main alone can
// reach does not: most of that it hands on.
func (m *Machine) seal() {
	for _, g := range m.gs {
		g.known = false // what was young is so no more
	}
	m.sharer.Begin(m.Heap)
	m.sharer.Globals()
	m.own(&m.sharer)
	m.Heap.TrackAll()
	m.Heap.Seal(func(id mem.ObjID) bool { return m.sharer.Only(id) > 1 })
	m.reacher.Base(m.Heap)
	m.share()
}

// fixGlobals says of the variables that only initialisation assigns to that they
// are written no more, or takes that back.
func (m *Machine) fixGlobals(on bool) {
	for i := range m.Prog.Globals {
		if m.Prog.Globals[i].Fixed {
			m.Heap.Fix(mem.ObjID(bytecode.GlobalBase+i), on)
		}
	}
}

// initialises reports whether packages are still being initialised.
func (m *Machine) initialises() bool {
	for _, g := range m.gs {
		if g.ID == 1 {
			return g.Depth() < 2 || m.funcs[g.Frames()[1].Func()].f.Name != "main.main"
		}
	}
	return false
}

// launched is called when g has executed a go statement that made child.
func (m *Machine) launched(g *G, child *G) {
	m.joined(g, child)
	if g.path != "" && child.entry <= g.entry {
		// One goroutine may follow the other in a cycle of states, as in func f()
		// { …; go f() }. Where none of them jumps back, and each starts functions of
		// higher numbers only, there is no such cycle: of those that move, those of
		// the lowest number are not born in it and only get ahead.
		m.back = true
	}
	m.VisitArguments(&child.G, m.Heap.Publish)
	if g.System() || len(m.cur) == 0 && len(g.block) == 0 {
		m.started = append(m.started, child)
		return
	}
	child.unborn, g.launch = true, true
}
