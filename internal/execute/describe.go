package execute

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/native"
)

// Clock is the name of the actor that moves the clock.
const Clock = "clock"

// Signal is the name of the goroutine of package os/signal that tells the program of signals.
const (
	Signal     = "signal"
	signalLoop = "os/signal.loop"
)

// A narrator tells steps in the program's words. It remembers what it has called
// things, so that one thing has one name in a story; Reset makes it forget.
type narrator struct {
	sources sources
	namer
	putters map[mem.Ptr]string // who has put something into a pool, and where: see putText
}

// A namer gives things names: those that they are called by first, with a number
// if another thing is called so.
type namer struct {
	names map[mem.Ptr]string
	used  map[string]int
}

func (n *namer) forget() { n.names, n.used = nil, nil }

// name returns the name of the thing at p: what it was first called.
func (n *namer) name(p mem.Ptr, text string) string {
	if name, ok := n.names[p]; ok {
		return name
	}
	if n.names == nil {
		n.names, n.used = make(map[mem.Ptr]string), make(map[string]int)
	}
	if text == "" {
		text = nameless
	}
	name := text
	if k := n.used[text]; k > 0 {
		name += "#" + strconv.Itoa(k+1)
	}
	n.used[text]++
	n.names[p] = name
	return name
}

// called tells a thing at p as the source calls it here, and what it was called first if that is something else: "to.mu (= a.mu)".
func (n *namer) called(p mem.Ptr, text string) string {
	name := n.name(p, text)
	switch first, _, _ := strings.Cut(name, "#"); {
	case text == "" || text == first:
		return name
	case slices.Contains(noNames, first):
		return text
	}
	return text + " (= " + name + ")"
}

// noNames are what things are called that have no name in the source.
var noNames = []string{nameless, namelessChannel, namelessThing}

const (
	nameless        = "it"
	namelessChannel = "a channel"
	namelessThing   = "something"
)

// nameOf names a goroutine by the function of the program that it was started
// with and, unless it is the first that its parent has started, by its number
// among those.
func (s *System) nameOf(g *drive.G) string {
	path := g.Path()
	if len(path) == 0 {
		return "main"
	}
	return s.numbered(g, s.entryOf(g))
}

// numbered is the name of a goroutine that is not main and was started with a function.
func (s *System) numbered(g *drive.G, name string) string {
	path := g.Path()
	if name == signalLoop { // there is one in a process
		return Signal
	}
	if len(path) == 1 && path[0] == 0 {
		return name
	}
	parts := make([]string, len(path))
	for i, n := range path {
		parts[i] = strconv.Itoa(n + 1)
	}
	if path[0] < 0 {
		parts[0] = "clock"
	}
	return name + "#" + strings.Join(parts, ".")
}

// entryOf is the function of the program that a goroutine was started with.
func (s *System) entryOf(g *drive.G) string {
	if len(g.Path()) == 0 {
		return "main"
	}
	return s.m.Outermost(g, func(f *bytecode.Func) bool { return !s.inLibrary(s.m.File(int32(f.File))) }).Name
}

// verbs are the operations of package sync in words, by method.
var verbs = map[string]string{
	"Lock": "lock", "Unlock": "unlock", "RLock": "read-lock", "RUnlock": "read-unlock",
	"TryLock": "try to lock", "TryRLock": "try to read-lock",
}

// operation tells what g is about to do. cas is the case that was chosen, or -2
// if none was yet.
func (s *System) operation(g *drive.G, cas int, partner *drive.G) string {
	p := s.m.PendingOf(g)
	pos := s.position(g)
	src := &s.story.sources
	switch p.Kind {
	case drive.PendingEnd:
		return "end"
	case drive.PendingGo:
		if p.Child == nil {
			return "go"
		}
		return "go " + s.nameOf(p.Child)
	case drive.PendingSend, drive.PendingRecv:
		c := p.Cases[0]
		return s.channelCase(c, s.channelName(c.Ch, src.channel(pos)), partner)
	case drive.PendingSelect:
		return s.selection(p, src.cases(pos), cas, partner)
	case drive.PendingClose:
		return "close " + s.channelText(p.Object, s.channelName(p.Object, argument(src, pos, "close")), nil)
	case drive.PendingLen:
		return "len of " + s.channelText(p.Object, s.channelName(p.Object, argument(src, pos, "len", "cap")), nil)
	case drive.PendingNative:
		if beneath(p.Native) {
			if text := s.waitText(g, p.Native); text != "" && cas == -2 {
				return text
			}
			_, _, text := src.call(pos)
			return fileText(p.Native, text)
		}
		if c := s.m.CallOf(g); c != nil {
			if n, ok := native.Drawn(c, p.Native); ok {
				_, name, text := src.call(pos)
				return drawText(name, text, cas, n)
			}
		}
		text := s.nativeText(p, pos, cas)
		if c := s.m.CallOf(g); c != nil && cas >= 0 {
			text += s.gotText(c, p.Native, cas)
		}
		return text
	case drive.PendingAccess:
		if v := src.variable(pos); v != "" {
			return "access " + v
		}
		return "access"
	}
	return "go on"
}

// argument is what is between the brackets of the call of a builtin function at a place, if it has one of these names: a deferred call
// that a panic makes stands at the panic.
func argument(src *sources, pos diag.Pos, names ...string) string {
	text := src.builtin(pos)
	if i, j := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')'); i >= 0 && j > i && slices.Contains(names, text[:i]) {
		return text[i+1 : j]
	}
	return ""
}

func (s *System) channelName(ch mem.Ptr, text string) string {
	if ch == 0 {
		return "a nil channel"
	}
	at := mem.MakePtr(ch.Obj(), 0)
	if text == "" && s.story.names[at] == "" {
		text = namelessChannel
	}
	return s.story.called(at, text)
}

// channelText is a channel with its type, if that is known, and how full it is.
func (s *System) channelText(ch mem.Ptr, name string, elem *bytecode.Type) string {
	if ch == 0 {
		return name
	}
	typ := "chan"
	if elem != nil {
		typ += " " + elem.Str
	}
	if short, ok := strings.CutSuffix(name, ")"); ok && strings.Contains(name, " (= ") {
		name = short + ", "
	} else {
		name += " ("
	}
	text := fmt.Sprintf("%s%s, %d/%d", name, typ, s.m.ChanLen(ch), s.m.ChanCap(ch))
	if s.m.Heap.ChanClosed(ch) {
		text += ", closed"
	}
	return text + ")"
}

func (s *System) channelCase(c drive.PendingCase, name string, partner *drive.G) string {
	ch := s.channelText(c.Ch, name, c.Elem)
	if !c.Send && partner != nil {
		return "receive on " + ch + ", and " + s.nameOf(partner) + " sends"
	}
	if !c.Send {
		return "receive on " + ch
	}
	text := "send on " + ch
	if c.Elem != nil && c.Elem.Size > 0 && c.Value != nil {
		text = "send " + valueText(s.m.Machine, c.Elem, c.Value, 1) + " on " + ch
	}
	if partner != nil {
		text += " to " + s.nameOf(partner)
	}
	return text
}

func (s *System) selection(p drive.Pending, texts []string, cas int, partner *drive.G) string {
	at := func(i int) string {
		if i < len(texts) {
			return texts[i]
		}
		return ""
	}
	for i, c := range p.Cases { // so that all have names from now on
		s.channelName(c.Ch, at(i))
	}
	switch {
	case cas == -1:
		return "select: default"
	case cas >= 0 && cas < len(p.Cases):
		return "select: " + s.channelCase(p.Cases[cas], s.channelName(p.Cases[cas].Ch, at(cas)), partner)
	case len(p.Cases) == 0:
		return "select without cases"
	}
	var parts []string
	for i, c := range p.Cases {
		parts = append(parts, s.channelCase(c, s.channelName(c.Ch, at(i)), nil))
	}
	return "select: " + strings.Join(parts, " or ")
}

// nativeText tells a call. What the program calls may be a function of the
// library that does several operations.
func (s *System) nativeText(p drive.Pending, pos diag.Pos, cas int) string {
	operand, name, text := s.story.sources.call(pos)
	short := p.Native[strings.LastIndexByte(p.Native, '.')+1:]
	if operand != "" && p.Object != 0 {
		operand = s.story.called(p.Object, operand)
	}
	switch {
	case text == "" && verbs[short] != "" && s.story.names[p.Object] != "": // deferred
		return verbs[short] + " " + s.story.names[p.Object]
	case text == "":
		text = p.Native
	case verbs[name] != "" && (short == name || strings.HasPrefix(short, "runtime_Sem")):
		return verbs[name] + " " + operand
	case short == "observe":
	case short == "choose":
		return fmt.Sprintf("%s: %d", text, max(cas, 0))
	case short == "Add" && name == "Done", short == name, strings.HasPrefix(short, name), strings.HasSuffix(name, short):
	case verbs[short] != "":
		text += ": " + verbs[short]
	case strings.Contains(short, "notifyListAdd"):
		text += ": join the queue"
	case strings.Contains(short, "notifyListWait"):
		text += ": wait to be notified"
	case strings.Contains(short, "notifyListNotify"):
	default:
		text += ": " + strings.TrimPrefix(short, "runtime_")
	}
	return text
}

// returnsDrawn are the functions of math/rand and math/rand/v2 that return the number that they draw.
var returnsDrawn = map[string]bool{
	"Intn": true, "Int31n": true, "Int63n": true,
	"N": true, "IntN": true, "Int32N": true, "Int64N": true, "UintN": true, "Uint32N": true, "Uint64N": true,
}

// drawText tells that one of n random numbers is drawn, or is about to be if cas is negative, in a call of a function.
func drawText(name, text string, cas, n int) string {
	if text == "" {
		name, text = "", "math/rand"
	}
	switch {
	case cas < 0:
		return text
	case returnsDrawn[name]:
		return fmt.Sprintf("%s = %d", text, cas)
	}
	return fmt.Sprintf("%s: draws %d of 0 to %d", text, cas, n-1)
}

// Describe takes a step and tells what happened.
func (s *System) Describe(step lts.Step) lts.Event {
	if s.m.Exit() != nil {
		return lts.Event{Actor: "main", Action: "has ended"} // see Take
	}
	who, alt := splitStep(step)
	var e lts.Event
	first := ""
	var choice native.Choice
	if who == drive.ClockStep {
		e.Actor, e.Action = Clock, "move the clock"
		if !s.m.BubbleTicks(alt) {
			e.Kept = s.runners()
		}
	} else {
		g := s.m.Goroutines()[who]
		e.Library = s.m.InLibrary(who)
		first = s.m.PendingOf(g).Native
		cas, partner := s.m.AlternativeOf(who, alt)
		e.Actor, e.Pos = s.nameOf(g), s.position(g)
		e.Action = s.operation(g, cas, partner)
		if e.Actor == Signal { // nobody looks for it in the library
			e.Pos, e.Library = diag.Pos{}, false
		}
		if c := s.m.CallOf(g); c != nil && cas >= 0 {
			choice = native.ChoiceOf(c, first, cas)
			s.putText(c, first, e)
		}
	}
	before := s.globals()
	started := goroutineSet(s.m)
	written := s.writes(step)
	var talk []said
	stop := s.listen(func(x said) { talk = append(talk, x) })
	s.m.NoteTouched(true)
	s.Take(step)
	s.m.NoteTouched(false)
	stop()
	if who == drive.ClockStep {
		e.Passed = s.m.Passed()
		e.Action += s.clockText(e.Passed)
	}
	for _, g := range s.m.ByName() {
		if !started[g] && !strings.HasPrefix(e.Action, "go ") {
			e.Action += ", starts " + s.nameOf(g)
		}
	}
	if choice.Silent {
		e.Action, first = choice.Text, ""
	}
	tellTalk(&e, talk, first)
	e.Library = e.Library && len(talk) == 0 // what goes over the network concerns everybody
	switch {
	case choice.Text != "" && len(talk) == 0:
		e.Action = choice.Text
	case choice.Extra != "":
		e.Action += " (" + choice.Extra + ")"
	}
	e.Changed = append(changes(before, s.globals()), written...)
	e.Touched = s.touched()
	e.Pos, e.Action = s.folder.pos(e.Pos), s.folder.text(e.Action)
	return e
}

// runners names the goroutines that can run.
func (s *System) runners() (names []string) {
	if !s.m.Busy() {
		return nil
	}
	for i, g := range s.m.Goroutines() {
		if s.m.Runs(i) {
			names = append(names, s.nameOf(g))
		}
	}
	return names
}

func goroutineSet(m *drive.Machine) map[*drive.G]bool {
	set := make(map[*drive.G]bool)
	for _, g := range m.Goroutines() {
		set[g] = true
	}
	return set
}

// clockText tells what a step of the clock did.
func (s *System) clockText(passed int64) string {
	text := ""
	if passed > 0 {
		text = " by " + duration(passed)
	}
	if movers := s.m.Movers(); len(movers) > 0 {
		return text + ": " + s.nameOf(movers[0]) + " wakes"
	}
	return text + ": a timer fires"
}

// outside is what steps touch that act on what all goroutines share and nothing stands for.
const outside = "what is outside"

// touched names what the last step has touched.
func (s *System) touched() []lts.Touch {
	ops, accesses := s.m.Touched()
	var list []lts.Touch
	add := func(t lts.Touch) {
		if !slices.Contains(list, t) {
			list = append(list, t)
		}
	}
	for _, t := range ops {
		if t.Ptr != 0 {
			add(lts.Touch{Thing: s.story.name(s.thing(t.Ptr), namelessThing), Write: true})
		}
	}
	for _, a := range accesses {
		_, line := s.m.AccessLine(a)
		lo, _ := a.Range()
		text := s.globalName(a.Obj)
		if text == "" {
			text = cmp.Or(s.story.sources.accessed(s.posOf(line)), s.story.sources.variable(s.posOf(line)))
		}
		if text == "" {
			text = "memory"
		}
		add(lts.Touch{Thing: "variable " + s.variables.name(mem.MakePtr(a.Obj, lo), text), Write: a.Write})
	}
	things, all := s.m.TouchedOutside()
	if all || len(things) > 0 { // nothing is known of the former but that it may concern all of the latter
		add(lts.Touch{Thing: outside, Write: all})
	}
	return list
}

// thing is by what a thing that is operated on goes: a channel by itself, a lock
// by its address.
func (s *System) thing(p mem.Ptr) mem.Ptr {
	if s.m.Heap.IsChan(mem.MakePtr(p.Obj(), 0)) {
		return mem.MakePtr(p.Obj(), 0)
	}
	return p
}

// Waiting tells of the goroutines that cannot move what they wait for.
func (s *System) Waiting() []lts.Waiting {
	var list []lts.Waiting
	moves := make(map[int]bool)
	for _, st := range s.m.Steps() {
		moves[st.Who] = true
	}
	all := s.m.ByName()
	if s.m.Exit() != nil { // those are blocked whom main has left behind
		all = s.m.Left()
	}
	for _, g := range all {
		if moves[s.m.Index(g)] || g == s.m.Listener() {
			continue
		}
		w := lts.Waiting{Actor: s.nameOf(g), For: s.folder.text(s.operation(g, -2, nil)), Pos: s.folder.pos(s.position(g))}
		w.On = s.waitsOn(g)
		for _, o := range s.m.Releasers(g, all) {
			w.Releasers = append(w.Releasers, s.nameOf(o))
		}
		list = append(list, w)
	}
	return list
}

// waitsOn names what a goroutine stands before an operation on, as touched does.
func (s *System) waitsOn(g *drive.G) (names []string) {
	p := s.m.PendingOf(g)
	add := func(at mem.Ptr) {
		if name := s.story.names[s.thing(at)]; at != 0 && name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	add(p.Object)
	for _, c := range p.Cases {
		add(c.Ch)
	}
	return names
}

// waitsFor says before which operation a goroutine stands. It depends on the
// state alone.
func (s *System) waitsFor(g *drive.G) string {
	names, used := s.story.names, s.story.used
	s.story.forget()
	text := s.operation(g, -2, nil)
	s.story.names, s.story.used = names, used
	return text
}
