package execute

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/effect"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/native"
	"github.com/heddle-mc/heddle/internal/vm"
)

// An Observe says which operations of a program are told to whoever looks at it,
// and under which names (see [lts.Observed]). The first rule that fits an operation
// counts.
type Observe struct {
	Rules []ObserveRule
	// Values are names for values, by the type as the program writes it and by the
	// value as it is printed.
	Values map[string]map[string]string

	seen     []atomic.Bool // by rule: it did fit
	uncalled []atomic.Bool // by rule: the program has the function and never calls it
}

// Unseen returns the rules that did fit no operation of any system so far.
func (o *Observe) Unseen() []*ObserveRule {
	var list []*ObserveRule
	for i := range o.Rules {
		if i >= len(o.seen) || !o.seen[i].Load() {
			list = append(list, &o.Rules[i])
		}
	}
	return list
}

// Uncalled reports whether the function of a rule is one that the program never calls: the source has it, and
// nothing that can be reached from main does.
func (o *Observe) Uncalled(r *ObserveRule) bool {
	for i := range o.uncalled {
		if r == &o.Rules[i] {
			return o.uncalled[i].Load()
		}
	}
	return false
}

// Ready prepares the rules for being used by several systems at once.
func (o *Observe) Ready() {
	o.seen, o.uncalled = make([]atomic.Bool, len(o.Rules)), make([]atomic.Bool, len(o.Rules))
}

// An ObserveRule is about the calls of a function, about the returns from it, or about
// messages on channels.
type ObserveRule struct {
	Pos    diag.Pos // of the rule
	Func   string   // as stack traces name it; the folders of the package may be left out
	Return bool
	Chan   string // instead: the type of messages, as the program writes it with its package
	Send   bool   // that are sent; otherwise those that are received
	In     string // only what this function does, the innermost outside of the standard library
	If     []ObserveIf
	// Text names a text or bytes that Match is applied to: to each of its lines if
	// Lines is set. An operation is told once for each match.
	Text  string
	Match *regexp.Regexp
	Lines bool
	// Action is what is told. In it {arg0}, {arg0.field} and so on stand for
	// parameters, the receiver first, {result0} for a result, {value} for a
	// message, {1} for a group of Match, {goroutine} for the number of the goroutine
	// among those that its creator has started. After a bar is what stands for a nil
	// pointer on the way: {arg0.next.id|0}.
	Action string
	// Fits, if it is not nil, is asked with the places in the action before anything is executed, and refuses an
	// action that nobody understands.
	Fits func(holes []Hole) error
}

// A HoleKind says what the values are that go to a place of an action.
type HoleKind uint8

// The kinds.
const (
	HoleText   HoleKind = iota // a text: it may say anything
	HoleNumber                 // an integer
	HoleReal                   // a number with fractions
	HoleBool
	HoleList
)

// A Hole is a place in an action that a value of the program goes to.
type Hole struct {
	At, End int // in the text of the action, with the braces
	Kind    HoleKind
	Type    string   // as the program writes it, "" if there is none
	Elem    *Hole    // of a list
	Names   []string // of values, that are told instead of those
	None    string   // what is told if a pointer on the way is nil, "" if nobody has said
}

// An ObserveIf is a condition: what a place holds matches.
type ObserveIf struct {
	Place string
	Match *regexp.Regexp
}

// An observer tells of the operations of one program.
type observer struct {
	sys   *System
	sites map[*bytecode.Func]*site // by the native of a seam
	sent  map[string]*site         // messages, by type
	got   map[string]*site
	names bool              // goroutines are told by number
	list  []lts.Observation // of the step just taken
	first []lts.Observation // on the way to the initial state
}

// A site is a function whose calls or returns are observed, or a type whose messages
// are.
type site struct{ rules []siteRule }

// A siteRule is a rule at a site.
type siteRule struct {
	*ObserveRule
	seen   *atomic.Bool
	conds  []siteIf
	text   *placeOf
	action template
}

type siteIf struct {
	placeOf
	match *regexp.Regexp
}

// newObserver finds the functions of the rules in a program, and returns the
// program in which they are observed.
func newObserver(prog *bytecode.Program, o *Observe) (*observer, *bytecode.Program, error) {
	entries, exits := map[int]bool{}, map[int]bool{}
	sites := map[[2]int]*site{}
	x := &observer{sites: map[*bytecode.Func]*site{}, sent: map[string]*site{}, got: map[string]*site{}}
	if o.seen == nil {
		o.Ready()
	}
	for i := range o.Rules {
		r := &o.Rules[i]
		if name := r.uncalled(prog); name != "" {
			o.uncalled[i].Store(true)
			if err := r.untyped(); err != nil {
				return nil, nil, err
			}
			continue
		}
		if r.In != "" {
			if _, err := functionsNamed(prog, r.In, r.Pos); err != nil {
				return nil, nil, err
			}
		}
		if r.Chan != "" {
			s, err := x.messages(prog, o, i)
			if err != nil {
				return nil, nil, err
			}
			x.names = x.names || s.action.goroutine
			continue
		}
		found, err := functionsNamed(prog, r.Func, r.Pos)
		if err != nil {
			return nil, nil, err
		}
		for _, fn := range found {
			f := &prog.Funcs[fn]
			if f.Native != "" {
				return nil, nil, diag.Unsupportedf(r.Pos, "%s is a function of the machine: name one that calls it", r.Func)
			}
			s, err := newSiteRule(placer{prog: prog, f: f, exit: r.Return, values: o.Values, pos: r.Pos}, r, &o.seen[i])
			if err != nil {
				return nil, nil, err
			}
			x.names = x.names || s.action.goroutine
			at, key := entries, [2]int{fn, 0}
			if r.Return {
				at, key = exits, [2]int{fn, 1}
			}
			if at[fn] = true; sites[key] == nil {
				sites[key] = &site{}
			}
			sites[key].rules = append(sites[key].rules, s)
		}
	}
	own, seams := instrument(prog, entries, exits)
	for _, s := range seams {
		key := [2]int{s.fn, 0}
		if s.exit {
			key[1] = 1
		}
		x.sites[&own.Funcs[s.native]] = sites[key]
	}
	return x, own, nil
}

// functionsNamed returns the functions of a name. Instances of a generic function
// have one; functions of different packages must not.
func functionsNamed(prog *bytecode.Program, name string, pos diag.Pos) ([]int, error) {
	var list []int
	for i := range prog.Funcs {
		f := &prog.Funcs[i]
		if f.Wrapper || f.Name != name && shortName(f) != name {
			continue
		}
		if len(list) > 0 && prog.Funcs[list[0]].Name != f.Name {
			return nil, diag.Sourcef(pos, "%s is %s or %s: say which", name, prog.Funcs[list[0]].Name, f.Name)
		}
		list = append(list, i)
	}
	if len(list) == 0 {
		there := similar(prog, name)
		if there == "" {
			there = "; heddle disasm PACKAGE tells which it has"
		}
		return nil, diag.Sourcef(pos, "the program has no function %s, or never calls it%s", name, there)
	}
	return list, nil
}

// shortName is the name of a function without the folders of its package.
func shortName(f *bytecode.Func) string {
	if i := strings.LastIndexByte(f.Pkg, '/'); i >= 0 && strings.HasPrefix(f.Name, f.Pkg) {
		return f.Name[i+1:]
	}
	return f.Name
}

// similar names functions that may have been meant: those of the same last name.
func similar(prog *bytecode.Program, name string) string {
	last := name[strings.LastIndexByte(name, '.')+1:]
	var list []string
	for i := range prog.Funcs {
		f := &prog.Funcs[i]
		if short := shortName(f); !f.Wrapper && strings.HasSuffix(short, "."+last) && !slices.Contains(list, short) {
			list = append(list, short)
		}
	}
	if len(list) == 0 || len(list) > 5 {
		return ""
	}
	return ": there is " + strings.Join(list, ", ")
}

// messages adds a rule about messages.
func (x *observer) messages(prog *bytecode.Program, o *Observe, i int) (s siteRule, err error) {
	r := &o.Rules[i]
	at := x.got
	if r.Send {
		at = x.sent
	}
	elem := -1
	for k := range prog.Types {
		t := &prog.Types[k]
		if t.Kind != bytecode.Chan || prog.Types[t.Elem].Str != r.Chan || t.Elem == elem {
			continue
		}
		if elem >= 0 {
			return s, diag.Unsupportedf(r.Pos, "%s is the name of two types with channels", r.Chan)
		}
		elem = t.Elem
	}
	if elem < 0 {
		return s, diag.Sourcef(r.Pos, "the program has no channel of %s", r.Chan)
	}
	if s, err = newSiteRule(placer{prog: prog, elem: &prog.Types[elem], values: o.Values, pos: r.Pos}, r, &o.seen[i]); err != nil {
		return s, err
	}
	if at[r.Chan] == nil {
		at[r.Chan] = &site{}
	}
	at[r.Chan].rules = append(at[r.Chan].rules, s)
	return s, nil
}

// newSiteRule reads the places of a rule.
func newSiteRule(p placer, r *ObserveRule, seen *atomic.Bool) (s siteRule, err error) {
	s.ObserveRule, s.seen = r, seen
	for _, c := range r.If {
		place, err := p.place(c.Place)
		if err != nil {
			return s, err
		}
		s.conds = append(s.conds, siteIf{place, c.Match})
	}
	if r.Text != "" {
		place, err := p.place(r.Text)
		if err != nil {
			return s, err
		}
		s.text = &place
	}
	groups := 0
	if r.Match != nil {
		groups = r.Match.NumSubexp()
	}
	s.action, err = p.template(r.Action, groups)
	if err == nil && r.Fits != nil {
		err = r.Fits(s.action.holes)
	}
	return s, err
}

// audit, if it is not nil, replaces natives by others that look at what they do. Tests
// set it.
var audit func(table map[string]vm.Native)

// natives are those of a machine, with the observer's.
func (x *observer) natives() map[string]vm.Native {
	table := native.Table()
	if x != nil {
		table[observeNative] = x.observe
	}
	if audit != nil {
		audit(table)
	}
	return table
}

// listener is who observes messages on channels, nil for nobody.
func (x *observer) listener() drive.Listener {
	if x == nil || !x.HearsAny() {
		return nil
	}
	return x
}

// operations are the visible operations of an observed program.
func (x *observer) operations() map[string]*drive.Operation {
	if x == nil {
		return native.Operations()
	}
	table := make(map[string]*drive.Operation)
	for name, op := range native.Operations() {
		table[name] = op
	}
	table[observeNative] = &drive.Operation{Row: effect.Native(observeNative)}
	return table
}

// observe is the native that stands for observed operations.
func (x *observer) observe(c *vm.NativeCall) vm.Outcome {
	if drive.Of(c.M).Observe(c) {
		x.sites[c.Func()].observe(x, &operated{c.M, c.G, c.Words(0)})
	}
	return vm.Done
}

// HearsAny reports whether messages are observed.
func (x *observer) HearsAny() bool { return len(x.sent)+len(x.got) > 0 }

// Hears reports whether messages of a type are observed.
func (x *observer) Hears(elem *bytecode.Type, send bool) bool {
	if send {
		return x.sent[elem.Str] != nil
	}
	return x.got[elem.Str] != nil
}

// Message observes a message.
func (x *observer) Message(g *drive.G, elem *bytecode.Type, send bool, value unsafe.Pointer) {
	at := x.got
	if send {
		at = x.sent
	}
	at[elem.Str].observe(x, &operated{x.sys.m.Machine, &g.G, value})
}

// observe tells of an operation what the first rule says that fits.
func (s *site) observe(x *observer, op *operated) {
	for i := range s.rules {
		r := &s.rules[i]
		if told := r.tell(x.sys, op); told != nil {
			r.seen.Store(true)
			pos, actor := x.sys.folder.pos(x.sys.placeOf(op.m.Places(op.g))), x.sys.nameOf(drive.GOf(op.g))
			for _, action := range told {
				x.list = append(x.list, lts.Observation{Actor: actor, Action: action, Pos: pos})
			}
			return
		}
	}
}

// innermost is the innermost function of a goroutine that is not one of the standard
// library.
func (s *System) innermost(g *vm.G) (in *bytecode.Func) {
	s.m.Frames(g, func(f *bytecode.Func, _ int, _ bytecode.Line) bool {
		if f.Native == "" && !s.inLibrary(s.m.File(int32(f.File))) {
			in = f
		}
		return in == nil
	})
	return in
}

// tell returns what is told of an operation, nil if the rule does not fit.
func (r *siteRule) tell(sys *System, op *operated) []string {
	if r.In != "" {
		if f := sys.innermost(op.g); f == nil || f.Name != r.In && shortName(f) != r.In {
			return nil
		}
	}
	for i := range r.conds {
		if !r.conds[i].match.MatchString(r.conds[i].read(op)) {
			return nil
		}
	}
	if r.Match == nil {
		return []string{r.action.fill(op, nil)}
	}
	text := r.text.read(op)
	lines := []string{text}
	if r.Lines {
		lines = strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	}
	var told []string
	for _, line := range lines {
		if groups := r.Match.FindStringSubmatch(line); groups != nil {
			told = append(told, r.action.fill(op, groups))
		}
	}
	return told
}

// Observed appends what was observed in the step just taken or, right after Reset,
// on the way to the initial state.
func (s *System) Observed(dst []lts.Observation) []lts.Observation {
	switch {
	case s.observer == nil:
		return dst
	case s.atStart:
		return append(dst, s.observer.first...)
	}
	return append(dst, s.observer.list...)
}

// A template is an action with places.
type template struct {
	parts     []templatePart
	holes     []Hole
	goroutine bool
}

// A templatePart is one of four: a text, a place, a group of a match, or the number
// of the goroutine.
type templatePart struct {
	text  string
	place *placeOf
	group int // -1 for none, -2 for the goroutine
}

var hole = regexp.MustCompile(`\{[^{}]*\}`)

// template reads an action.
func (p *placer) template(text string, groups int) (t template, err error) {
	at := 0
	for _, m := range hole.FindAllStringIndex(text, -1) {
		t.parts = append(t.parts, templatePart{text: text[at:m[0]], group: -1})
		at = m[1]
		name := text[m[0]+1 : m[1]-1]
		part := templatePart{group: -1}
		hole := Hole{At: m[0], End: m[1]}
		n := 0
		switch _, err := fmt.Sscanf(name, "%d", &n); {
		case name == "goroutine":
			part.group, t.goroutine = -2, true
			hole.Kind = HoleNumber
		case err == nil && fmt.Sprint(n) == name:
			if n < 1 || n > groups {
				return t, diag.Sourcef(p.pos, "{%s}: what is matched has %d groups", name, groups)
			}
			part.group = n
		default:
			place, err := p.place(name)
			if err != nil {
				return t, err
			}
			part.place = &place
			hole = p.hole(place.typ)
			hole.At, hole.End = m[0], m[1]
			if _, none, said := strings.Cut(name, "|"); said {
				hole.None = none
			}
		}
		t.parts, t.holes = append(t.parts, part), append(t.holes, hole)
	}
	t.parts = append(t.parts, templatePart{text: text[at:], group: -1})
	return t, nil
}

// hole returns what values of a type are as places of an action.
func (p *placer) hole(t *bytecode.Type) Hole {
	h := Hole{Type: t.Str, Names: slices.Sorted(maps.Values(p.values[t.Str]))}
	switch {
	case t.Kind == bytecode.Bool:
		h.Kind = HoleBool
	case t.Kind == bytecode.Float32 || t.Kind == bytecode.Float64:
		h.Kind = HoleReal
	case t.Kind == bytecode.Array || t.Kind == bytecode.Slice && p.prog.Types[t.Elem].Kind != bytecode.Uint8:
		elem := p.hole(&p.prog.Types[t.Elem])
		h.Kind, h.Elem = HoleList, &elem
	case t.Kind >= bytecode.Int && t.Kind <= bytecode.Float64:
		h.Kind = HoleNumber
	}
	return h
}

// fill returns the action.
func (t *template) fill(op *operated, groups []string) string {
	var b strings.Builder
	for i := range t.parts {
		switch p := &t.parts[i]; {
		case p.place != nil:
			b.WriteString(p.place.read(op))
		case p.group == -2:
			b.WriteString(numberOf(drive.GOf(op.g)))
		case p.group >= 0:
			b.WriteString(groups[p.group])
		default:
			b.WriteString(p.text)
		}
	}
	return b.String()
}

// numberOf is the number of a goroutine among those that its creator has started.
func numberOf(g *drive.G) string {
	if i := strings.LastIndexByte(g.Birth(), '.'); i >= 0 {
		return g.Birth()[i+1:]
	}
	return "0"
}
