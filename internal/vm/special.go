package vm

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/mem"
)

// A Special is something that is attached to an object from outside and does
// not keep it alive: a finalizer, a cleanup, a weak pointer, a pool to look
// after. Specials belong to the state.
//
// They take effect in collections that the program has asked for. The machine
// collects when the heap has grown, which depends on how a state was reached;
// those collections keep the objects of all specials, so that when they happen
// cannot be observed. Only a pool that nobody can reach is forgotten: it has nothing
// that takes effect. So pools are no part of what is told of a state besides
// their memory, nor are weak pointers, whose handles are memory: one that nobody
// can reach has no effect.
type Special struct {
	Kind   SpecialKind
	ID     uint64
	Target mem.Ptr
	Fn     mem.Ptr // finalizer, cleanup: the function to call
	Arg    mem.Ptr // cleanup: where its argument is; finalizer: the argument's type word, 0 if it is a pointer; weak: the handle
	Type   int     // cleanup: the argument's type
	End    mem.Ptr // finalizer, cleanup: an object of one word, on which those wait who wait for the end of the call
}

// A SpecialKind tells apart specials.
type SpecialKind uint8

const (
	FinalizerSpecial SpecialKind = iota
	CleanupSpecial
	WeakSpecial
	PoolSpecial
)

// specialState is the part of a state that specials are. The list is never
// changed in place except at its end, so that a mark can hold on to it.
type specialState struct {
	list   []Special
	last   uint64 // ID of the latest special
	forced bool   // the program has asked for the next collection

	settings [numSettings]int64

	refs    mem.Ptr // table of the pointers that reflect names by number
	numRefs int
}

// Refs is the table of the pointers that have numbers, 0 if there is none.
func (m *Machine) Refs() mem.Ptr { return m.state.special.refs }

// AddSpecial attaches a special to its target and returns its ID.
func (m *Machine) AddSpecial(s Special) uint64 {
	m.Specials = m.runSpecials
	sp := &m.state.special
	if s.told() { // nobody asks for another one by its ID, so that it need not count
		sp.last++
		s.ID = sp.last
	}
	if len(sp.list) < m.specialIndex.n {
		m.specialIndex = specialIndex{} // the state was rewound, and what follows is overwritten
	}
	sp.list = append(sp.list, s)
	return s.ID
}

// FindSpecial returns the first special of a kind whose target is p.
func (m *Machine) FindSpecial(kind SpecialKind, p mem.Ptr) (Special, bool) {
	list := m.state.special.list
	i, ok := m.specialIndex.find(list, specialKey{kind, p})
	if !ok {
		return Special{}, false
	}
	return list[i], true
}

// A specialIndex finds specials in a long list. It is no part of the state: it
// notices by itself when the list is not the one that it knows.
type specialIndex struct {
	first *Special // of the list
	n     int      // how much of it is known
	at    map[specialKey]int
}

type specialKey struct {
	kind   SpecialKind
	target mem.Ptr
}

// find returns the first place of a key in a list.
func (x *specialIndex) find(list []Special, k specialKey) (int, bool) {
	if len(list) == 0 {
		return 0, false
	}
	if x.first != &list[0] || len(list) < x.n {
		*x = specialIndex{first: &list[0], at: make(map[specialKey]int)}
	}
	for ; x.n < len(list); x.n++ {
		s := &list[x.n]
		if _, ok := x.at[specialKey{s.Kind, s.Target}]; !ok {
			x.at[specialKey{s.Kind, s.Target}] = x.n
		}
	}
	i, ok := x.at[k]
	return i, ok
}

// WeakHandle returns the handle of the weak pointers to p, an object of one word that refers to it, and makes it if there is none. It is 0 if memory
// is exhausted. A collection that the program asks for does not follow the word, and clears it when the target is gone; all others,
// and keys, take it for a pointer. So who has the handle can reach the target, and a state is told alike whatever numbers its objects have.
func (m *Machine) WeakHandle(p mem.Ptr) mem.Ptr {
	if s, ok := m.FindSpecial(WeakSpecial, p); ok {
		return s.Arg
	}
	defer m.unseen()()
	handle := m.allocNative(m.Heap.AddShape(mem.Shape{Size: 8, Ptrs: []uint64{1}}), 8)
	if handle != 0 {
		m.Heap.StorePtr(handle, p)
		m.AddSpecial(Special{Kind: WeakSpecial, Target: p, Arg: handle})
	}
	return handle
}

// WeakTarget returns what the weak pointers with a handle point to, 0 if it is gone.
func (m *Machine) WeakTarget(handle mem.Ptr) (p mem.Ptr, ok bool) {
	defer m.unseen()()
	return m.Heap.LoadPtr(handle)
}

// DropSpecial removes a special. It reports whether there was one.
func (m *Machine) DropSpecial(id uint64) bool {
	sp := &m.state.special
	i := slices.IndexFunc(sp.list, func(s Special) bool { return s.ID == id })
	if i < 0 || id == 0 {
		return false
	}
	sp.list = slices.Concat(sp.list[:i], sp.list[i+1:])
	return true
}

// EachSpecial calls f for each special.
func (m *Machine) EachSpecial(f func(s Special)) {
	for _, s := range m.state.special.list {
		f(s)
	}
}

// CollectForced frees the garbage of the heap for a program that asks for it:
// specials take effect. Those to be run are first handed to arrange, which may put them into another order than that in which they were
// set. A native may call it that holds no pointers of its own.
func (m *Machine) CollectForced(arrange func(run []Special)) {
	m.driver.Noted(CollectionAsked, 0)
	defer m.unseen()()
	for _, s := range m.state.special.list {
		if s.Kind == WeakSpecial {
			m.Heap.StorePtr(s.Arg, 0) // it comes back if the target is still there, see runSpecials
		}
	}
	m.state.special.forced, m.arrange = true, arrange
	m.collect()
	m.state.special.forced, m.arrange = false, nil
}

// runSpecials is called by a collection when it is known what the program can
// reach.
func (m *Machine) runSpecials(live func(mem.ObjID) bool, visit func(mem.Ptr)) {
	sp := &m.state.special
	for _, s := range sp.list {
		if s.Kind == FinalizerSpecial || s.Kind == CleanupSpecial {
			visit(s.Fn)
			visit(s.Arg)
			visit(s.End)
		}
		if !sp.forced && s.Kind != PoolSpecial {
			visit(s.Target)
			visit(s.Arg)
		}
	}
	if !sp.forced {
		dead := func(s Special) bool { return s.Kind == PoolSpecial && !live(s.Target.Obj()) }
		if slices.ContainsFunc(sp.list, dead) {
			sp.list = slices.DeleteFunc(slices.Clone(sp.list), dead)
		}
		return
	}
	// What an object with a finalizer points to stays, so that finalizers run in
	// the order of dependency. Every word counts as a pointer: to keep too much
	// does no harm.
	for _, s := range sp.list {
		if s.Kind == FinalizerSpecial {
			m.visitWords(s.Target, visit)
		}
	}
	var keep, run []Special
	for _, s := range sp.list {
		switch {
		case s.Kind == PoolSpecial: // see below
		case live(s.Target.Obj()) && (s.Kind != WeakSpecial || live(s.Arg.Obj())):
			keep = append(keep, s)
			if s.Kind == WeakSpecial {
				m.Heap.StorePtr(s.Arg, s.Target)
			}
		case s.Kind == WeakSpecial: // its handle is empty
		default:
			run = append(run, s)
		}
	}
	// A finalizer's object lives on until the finalizer has run; its cleanups
	// wait until it dies for good.
	for _, s := range run {
		if s.Kind == FinalizerSpecial {
			visit(s.Target)
		}
	}
	m.arrange(run)
	last := m.lastFinalizer()
	for _, s := range run {
		if s.Kind == CleanupSpecial && live(s.Target.Obj()) {
			keep = append(keep, s)
		} else if g := m.runSpecial(s, last); g != nil && s.Kind == FinalizerSpecial {
			last = g
		}
	}
	for _, s := range sp.list {
		if s.Kind == PoolSpecial && live(s.Target.Obj()) {
			keep = append(keep, s)
		}
	}
	sp.list = keep
}

// visitWords visits all words of an object.
func (m *Machine) visitWords(p mem.Ptr, visit func(mem.Ptr)) {
	base := mem.MakePtr(p.Obj(), 0)
	for off := uint32(0); off+8 <= m.Heap.Size(p.Obj()); off += 8 {
		if w, ok := m.Heap.LoadPtr(base + mem.Ptr(off)); ok {
			visit(w)
		}
	}
}

// runSpecial starts the goroutine of a finalizer or cleanup. Go calls all finalizers in one goroutine, one after the other, so each
// waits here until the last one before has returned. Cleanups may be called at the same time.
func (m *Machine) runSpecial(s Special, last *G) (g *G) {
	if s.Kind == FinalizerSpecial {
		args := []uint64{uint64(s.Target)}
		if s.Arg != 0 {
			args = []uint64{uint64(s.Arg), uint64(s.Target)}
		}
		if last != nil {
			g = m.SpawnParked(s.Fn, args, "finalizer wait", last.atEnd)
		} else {
			g = m.Spawn(s.Fn, args, false)
		}
	} else {
		t := m.rt.types[s.Type]
		args := make([]uint64, int(t.Words)+1)
		if src := m.Heap.Read(s.Arg, t.Size); src != nil && t.Size > 0 {
			LoadReg(t, wordsOf(args), src)
		}
		g = m.Spawn(s.Fn, args[:t.Words], false)
	}
	if g != nil {
		m.WakeAtEnd(g, s.End, 0)
		g.serves, g.member = s.Kind+1, member{} // it is in no bubble, whoever has asked for the collection
	}
	return g
}

// lastFinalizer returns the goroutine of the finalizer that is called last of those that have to be called, nil if there is none.
func (m *Machine) lastFinalizer() (last *G) {
	for g := range m.driver.Goroutines {
		if g.Serves(FinalizerSpecial) && (last == nil || g.ID > last.ID) {
			last = g
		}
	}
	return last
}

// Serves reports whether g calls a finalizer, or a cleanup, and has not ended.
func (g *G) Serves(kind SpecialKind) bool { return g.serves == kind+1 && g.status != gDead }

// told reports whether keys tell of a special besides its memory.
func (s *Special) told() bool { return s.Kind == FinalizerSpecial || s.Kind == CleanupSpecial }

// EncodeSpecials makes the specials and settings a part of the key of a state. In a program that cannot ask for collections
// a finalizer matters only if somebody sets another one, and cleanups do not: then EncodeFinalizers tells the rest.
func (m *Machine) EncodeSpecials(c *mem.Canon, collects bool) {
	if m.state.special.settings != [numSettings]int64{} {
		for _, v := range m.state.special.settings {
			c.Word(uint64(v))
		}
	}
	c.Ptr(m.state.special.refs)
	list := m.state.special.list
	n := 0
	for i := range list {
		if collects && list[i].told() {
			n++
		}
	}
	c.Word(uint64(m.state.bubbles.made)<<32 | uint64(n))
	m.encodeBubbles(c)
	if n == 0 {
		return
	}
	for _, s := range list {
		if !s.told() {
			continue
		}
		c.Word(uint64(s.Kind)<<32 | uint64(uint32(s.Type)))
		c.Ptr(s.Target)
		c.Ptr(s.Fn)
		c.Ptr(s.Arg)
	}
}

// EncodeFinalizers tells which of the objects that a key leads to have finalizers, in the order of their numbers: who was the first to set
// one makes no difference as long as none is called.
func (m *Machine) EncodeFinalizers(c *mem.Canon) {
	m.finalized = m.finalized[:0]
	for _, s := range m.state.special.list {
		if s.Kind == FinalizerSpecial {
			if n, ok := c.Number(s.Target); ok {
				m.finalized = append(m.finalized, n)
			}
		}
	}
	slices.Sort(m.finalized)
	for _, n := range m.finalized {
		c.Word(n)
	}
	c.Word(uint64(len(m.finalized)))
}
