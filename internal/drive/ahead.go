package drive

import (
	"math/bits"
	"slices"

	"github.com/heddle-mc/heddle/internal/effect"
	"github.com/heddle-mc/heddle/internal/mem"
)

// What lies ahead of a goroutine. A search learns from each step that it takes from which place in the code to
// which other place it has led, and on what classes of things it has acted: see reduce/ahead.go. It also
// learns, when a goroutine arrives at a place, on what the operation there acts, since it may wait there forever.
// Objects are of one class if they were made at one place, with the same layout; what was there when the program
// began is a class of its own. A class is a word of them, so that two locks in one object are two.

// looking is what is noted of a step to be learned.
type looking struct {
	by       *G            // who takes it, nil for the clock
	stoodAt  uint64        // where that one stood
	turn     uint64        // the number of the step
	foreseen *stepEffect   // what it does, if that is known
	learns   bool          // it is being taken
	probed   bool          // what running.probing was
	asides   Block         // accesses in it to what nobody else can reach now
	followed map[made]bool // whether accesses to what was made so are always noted, as far as it was asked
	loose    bool          // see Loose, before it
	anything bool          // of a native in it nothing is known: it may act on whatever can be reached from its arguments
	learning effect.Footprint
	class    []effect.Token
}

// A stood is where a goroutine stood before a step.
type stood struct {
	place uint64
	turn  uint64 // the number of the step
}

// A made is what counts as one class of objects.
type made struct {
	layout uint64
	site   uint16
}

// sited reports whether objects are told apart by where they were made.
func (m *Machine) sited() bool {
	o := &m.opts
	return o.Views.Sites && !o.Joined && !o.Attended && o.Listener == nil && !o.Live
}

// looksAhead reports whether what lies ahead is learned.
func (m *Machine) looksAhead() bool { return m.opts.Notice != nil && m.sited() }

// site tells where an object is made, by the three innermost frames of the running goroutine that are no natives, and
// whether accesses to it are noted also while nobody else can reach it: in another order somebody may.
func (m *Machine) site(layout uint64) (site uint16, follow bool) {
	if g := m.Machine.Current(); g != nil {
		var room [3]uint64
		list := room[:0]
		for i := g.Depth() - 1; i >= 0 && len(list) < cap(list); i-- {
			if fr := &g.Frames()[i]; !m.funcs[fr.Func()].native { // one that need not wait has no frame
				list = append(list, uint64(uint32(fr.Func()))<<32|uint64(uint32(fr.PC())))
			}
		}
		site = uint16(hashWords(room[:]) >> 49)
	}
	if m.opts.Follows == nil {
		return site, false
	}
	k := made{layout, site}
	follow, ok := m.followed[k]
	if !ok {
		if m.followed == nil {
			m.followed = make(map[made]bool)
		}
		t := effect.Token{Kind: effect.Class, Number: int(m.classNumber(sharedClass, layout, uint64(site)))}
		follow = m.opts.Follows(&effect.Actor{Process: m.opts.Process, Place: anywhere}, t)
		m.followed[k] = follow
	}
	return site, follow
}

// anywhere is the place from which all classes are acted on of which an object was ever shared. The places in the code are odd.
const anywhere = 2

// accessAside notes an access to what is not shared now, or is by nobody who can move.
func (m *Machine) accessAside(g *G, p mem.Ptr, n uint32, write bool) {
	if m.mute > 0 || n == 0 || g == nil || g.Depth() == 0 || m.Heap.Tracked(p.Obj()) && !m.alone() {
		return
	}
	if m.funcs[g.Top().Func()].guarded || m.quiet(g) {
		return
	}
	a := AccessTo(p, n, write)
	for i := len(m.asides) - 1; i >= max(0, len(m.asides)-maxMerge); i-- {
		if e := &m.asides[i]; e.Obj == a.Obj && e.Write == write && a.lo >= e.lo && a.hi <= e.hi {
			return
		}
	}
	m.asides = m.asides.add(a)
}

// beforeStep notes where all stand.
func (m *Machine) beforeStep(who, alt int) {
	m.turn++
	for _, g := range m.gs {
		if g.stood = (stood{m.placeOf(g), m.turn}); m.turn == 1 {
			m.arrivesAt(g, g.stood.place) // the search begins there
		}
	}
	m.by, m.stoodAt, m.foreseen, m.loose, m.anything, m.asides = nil, 0, nil, m.Loose(), false, m.asides[:0]
	if who != ClockStep {
		m.by, m.stoodAt = m.gs[who], m.gs[who].stood.place
		if e := &m.effects; e.known == m.by && alt == 0 {
			m.foreseen = e.effect
		}
	}
	m.learns = m.foreseen == nil || !m.foreseen.learned
	m.probed, m.probing = m.probing, m.probing || m.learns
}

// afterStep tells what is learned from the step that was just taken. What the clock itself does is not told: wherever it may move it is
// taken to act on anything.
func (m *Machine) afterStep() {
	learns := m.learns
	m.probing, m.learns = m.probed, false
	f := &m.learning
	f.Reset()
	if learns {
		if m.foreseen != nil {
			m.foreseen.learned = true
		}
		m.sharedPrint(m.outside, m.clockRead, f)
		if m.clockMoved {
			f.Write(effect.Of(effect.Clock, m.opts.Process))
		}
		m.touchPrint(m.touched, m.loads, m.trail, f)
		m.touchPrint(nil, nil, m.asides, f)
	}
	anything := m.anything || m.checked.nWatches > 0 // conditions of package verify read what they like
	if m.by != nil {
		m.learn(m.stoodAt, f, anything || !m.loose && m.Loose())
	}
	for _, g := range m.movers {
		if g != m.by && g.stood.turn == m.turn {
			m.learn(g.stood.place, f, anything)
		}
	}
	for _, g := range m.gs {
		from := m.stoodAt
		if g.stood.turn == m.turn {
			from = g.stood.place
		}
		at := m.placeOf(g)
		if at != from && from != 0 {
			m.teach(from, effect.Token{Kind: effect.Way, Number: int(at)})
		}
		if at != from || learns && slices.Contains(m.movers, g) { // it may stand there before something else
			m.arrivesAt(g, at)
		}
	}
}

// arrivesAt learns on what the operation acts before which a goroutine now stands, and the accesses that belong to it.
func (m *Machine) arrivesAt(g *G, at uint64) {
	f := &m.learning
	f.Reset()
	m.anything = false
	for _, a := range g.block {
		m.accessPrint(a, f)
	}
	if g.AtEnd() != 0 {
		f.Write(effect.Whole(m.opts.Process, g.AtEnd()))
	}
	if !g.launch && !g.unborn && !g.ending && !g.spun && g.Depth() > 0 {
		m.standPrint(g, f)
	}
	m.learn(at, f, m.anything)
}

// standPrint adds what the operation before which a goroutine stands acts on.
func (m *Machine) standPrint(g *G, f *effect.Footprint) {
	if g.Waiting() {
		if w := g.Wait(); w.Obj != 0 && m.Heap.Exists(w.Obj) {
			f.Read(effect.Whole(m.opts.Process, w.Obj))
		} else {
			f.Read(m.process())
		}
	}
	if o, ok := m.ChanOpOf(&g.G); ok {
		for i := range o.N {
			ch, _ := o.At(i)
			if ch == 0 {
				continue
			}
			if f.Write(effect.Whole(m.opts.Process, ch)); m.Heap.ChanAux(ch) != 0 { // who stands there lets others send
				f.Read(m.process()) // a timer's
			}
		}
		return
	}
	fn := &m.funcs[g.Top().Func()]
	if !fn.native || fn.op == nil {
		return
	}
	far := len(m.far)
	list, outside := m.objectsOf(m.nativeCall(g), fn.op)
	m.far = m.far[:far]
	reads := fn.op.Row.OnlyReads()
	for _, p := range list {
		if reads != 0 {
			m.memoryPrint(p, reads, false, f)
		} else {
			f.Write(effect.Whole(m.opts.Process, p))
		}
	}
	if outside || len(list) == 0 && fn.op.Acts == nil {
		f.Write(m.process())
	}
}

// learn tells that who stands at a place acts on something.
func (m *Machine) learn(at uint64, f *effect.Footprint, everything bool) {
	if everything {
		m.teach(at, effect.Token{Kind: effect.Class, Number: effect.AnyClass, Size: 1})
	}
	for k, list := range [...][]effect.Token{f.Reads, f.Writes, f.Waits} {
		for _, t := range list {
			ok := false
			if m.class, ok = m.Classes(t, m.class[:0]); ok && len(m.class) == 0 {
				m.class = append(m.class, effect.Token{Kind: effect.Class, Number: effect.AnyClass}) // a collection has come in the middle of the step
			}
			for _, c := range m.class {
				c.Size = uint32(b2u(k == 1))
				m.teach(at, c)
			}
			if id := t.Ptr.Obj(); id != 0 && m.Heap.Exists(mem.MakePtr(id, 0)) && !m.Heap.InBase(id) {
				made := m.Heap.MadeAs(id)
				m.teach(anywhere, effect.Token{Kind: effect.Class, Number: int(m.classNumber(sharedClass, made.Layout, uint64(made.Site)))})
			}
		}
	}
}

// teach tells something of who stands at a place.
func (m *Machine) teach(at uint64, t effect.Token) {
	a := effect.Actor{Process: m.opts.Process, Place: at}
	m.opts.Notice(&a, t)
}

// Classes adds the classes of something, as tokens. It reports false if it has none.
func (m *Machine) Classes(t effect.Token, dst []effect.Token) ([]effect.Token, bool) {
	if !m.looksAhead() {
		return dst, false
	}
	switch t.Kind {
	case effect.Clock:
		return m.addClass(dst, uint64(t.Kind), 0, 0), true
	case effect.Object, effect.Base, effect.Counter:
		return m.objectClasses(t, dst), true
	}
	return dst, false
}

// objectClasses adds the classes of memory. One that is not there any more has none.
func (m *Machine) objectClasses(t effect.Token, dst []effect.Token) []effect.Token {
	id, h := t.Ptr.Obj(), m.Heap
	first, last := uint64(t.Ptr.Off())/8, (uint64(t.Ptr.Off())+uint64(max(t.Size, 1))-1)/8
	switch made := h.MadeAs(id); {
	case !h.Exists(mem.MakePtr(id, 0)):
		return dst
	case h.InBase(id):
		for w := first; w <= last; w++ {
			dst = m.addClass(dst, baseClass, uint64(id), w)
		}
	case h.Kind(t.Ptr) != mem.Plain: // it is acted on as one
		dst = m.addClass(dst, wholeClass, made.Layout, uint64(made.Site))
	case made.Elem == 0: // without pointers, and maybe long
		dst = m.addClass(dst, bytesClass, uint64(bits.Len32(h.Size(id))), uint64(made.Site))
	default:
		words := max(1, uint64(made.Elem)/8)
		for w := first; w <= min(last, first+words-1); w++ {
			dst = m.addClass(dst, wordClass, made.Layout, uint64(made.Site)|w%words<<16)
		}
	}
	return dst
}

// Kinds of classes, besides those that are kinds of tokens.
const (
	baseClass = uint64(effect.Kinds) + iota
	wholeClass
	bytesClass
	wordClass
	sharedClass
)

func (m *Machine) addClass(dst []effect.Token, kind, a, b uint64) []effect.Token {
	return append(dst, effect.Token{Kind: effect.Class, Process: int32(m.opts.Process), Number: int(m.classNumber(kind, a, b))})
}

// classNumber is never that of AnyClass.
func (m *Machine) classNumber(kind, a, b uint64) uint64 {
	list := [...]uint64{kind, a, b}
	return hashWords(list[:]) | 1
}

// Loose reports whether the clock may move although somebody can run.
func (m *Machine) Loose() bool {
	if slices.ContainsFunc(m.gs, func(g *G) bool { return g.Bubble() != 0 }) {
		return true // bubbles have clocks of their own
	}
	away, ok := m.NextAlarm()
	return ok && (m.MayPass(away) || m.opts.Views.Wakes)
}

// ClockRests reports whether the clock does not move as long as none of those does who can take steps now, unless somebody else
// makes an alarm earlier.
func (m *Machine) ClockRests() bool {
	for _, st := range m.Steps() {
		if st.Who == ClockStep || m.gs[st.Who].ended() || m.fromOutside(st.Who) {
			return false
		}
	}
	return !m.Loose()
}
