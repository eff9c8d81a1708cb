package execute

import (
	"fmt"
	"go/constant"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/compile"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// An Inspector looks into the programs of a system: their goroutines, stacks and variables, between steps and also in the middle of
// one. It changes nothing. What it returns is good until the system goes on.
type Inspector struct {
	parts  []*System
	names  []string          // of processes, nil if there is one
	locals []*compile.Locals // by process; nil if nothing is known of variables
}

// NewInspector returns an inspector of a system, nil if it is not a program. Locals tells where the variables of a program are.
func NewInspector(sys lts.System, locals func(*bytecode.Program) *compile.Locals) *Inspector {
	in := &Inspector{}
	switch s := sys.(type) {
	case *System:
		in.parts = []*System{s}
	case *TestSystem:
		in.parts = []*System{s.System}
	case *Group:
		in.parts, in.names = s.parts, s.names
	default:
		return nil
	}
	for _, p := range in.parts {
		in.locals = append(in.locals, locals(p.m.Prog))
	}
	return in
}

// maxGoroutines is how many goroutines a process is taken to have, for numbers of threads.
const maxGoroutines = 1 << 20

// A Thread is a goroutine.
type Thread struct {
	ID   int    // on a path nobody else has that number
	Name string // as stories have it
}

// Threads lists the goroutines, by name in each process. Those of the library that only serve it are left out.
func (in *Inspector) Threads() (list []Thread) {
	for i, p := range in.parts {
		for _, g := range p.m.ByName() {
			if !g.System() {
				list = append(list, Thread{i*maxGoroutines + g.ID, in.name(i, p.nameOf(g))})
			}
		}
	}
	return list
}

func (in *Inspector) name(part int, name string) string {
	if in.names == nil {
		return name
	}
	return in.names[part] + "/" + name // as Group.name
}

// Mover returns the thread that takes a step, which is enabled, 0 if it is the clock's.
func (in *Inspector) Mover(step lts.Step) int {
	part, who := 0, 0
	if in.names == nil {
		who, _ = splitStep(step)
	} else {
		part, who, _ = (*Group)(nil).split(step)
	}
	if who == drive.ClockStep || who >= len(in.parts[part].m.Goroutines()) {
		return 0
	}
	return part*maxGoroutines + in.parts[part].m.Goroutines()[who].ID
}

// Waits says what a thread is about to do, or waits for, where it stands between two steps.
func (in *Inspector) Waits(thread int) string {
	s, g := in.find(thread)
	if g == nil {
		return ""
	}
	return s.folder.text(s.waitsFor(g))
}

// find returns a goroutine, nil if there is none.
func (in *Inspector) find(thread int) (*System, *drive.G) {
	part := thread / maxGoroutines
	if part < 0 || part >= len(in.parts) {
		return nil, nil
	}
	s := in.parts[part]
	for _, g := range s.m.Goroutines() {
		if g.ID == thread%maxGoroutines {
			return s, g
		}
	}
	return nil, nil
}

// A Line is a line of the user's code that a thread is about to execute, or in the middle of which it stands.
type Line struct {
	Thread int
	File   string
	Line   int
	Depth  int // how many frames are below
}

// Watch calls visit before each line of code that is not the standard library's is executed. Visit may look around, and change nothing.
func (in *Inspector) Watch(visit func(Line)) {
	for i, p := range in.parts {
		p.m.WatchLines(own(p.m.Prog, p.library), func(g *vm.G, fn, pc int) {
			l := vm.LineAt(&p.m.Prog.Funcs[fn], pc)
			if l.Line > 0 && !g.System() {
				visit(Line{i*maxGoroutines + g.ID, p.m.File(l.File), int(l.Line), g.Depth() - 1})
			}
		})
	}
}

// Begin says that a step begins.
func (in *Inspector) Begin() {
	for _, p := range in.parts {
		p.m.LinesAgain()
	}
}

// Lines lists the lines of a file that have code of their own, in order.
func (in *Inspector) Lines(file string) []int {
	set := make(map[int]bool)
	for _, p := range in.parts {
		ours := own(p.m.Prog, p.library)
		for i := range p.m.Prog.Funcs {
			f := &p.m.Prog.Funcs[i]
			if f.Native != "" || !ours(f) {
				continue
			}
			for _, l := range f.Lines {
				if l.Line > 0 && p.m.File(l.File) == file {
					set[int(l.Line)] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// A StackFrame is a function that a thread is in.
type StackFrame struct {
	Func    string
	Pos     diag.Pos
	Library bool
	Index   int // for Vars
}

// Stack returns the frames of a thread, the innermost first. Those without a place are left out.
func (in *Inspector) Stack(thread int) (list []StackFrame) {
	s, g := in.find(thread)
	if g == nil {
		return nil
	}
	frames := g.Frames()
	for i := len(frames) - 1; i >= 0; i-- {
		f := &s.m.Prog.Funcs[frames[i].Func()]
		line := vm.LineAt(f, int(frames[i].PC()))
		if f.Wrapper || line.Line <= 0 || f.Name == "runtime.main" {
			continue
		}
		pos := s.posOf(line)
		list = append(list, StackFrame{f.Name, pos, s.inLibrary(pos.File), i})
	}
	return list
}

// At returns where a thread stands in the code of its user.
func (in *Inspector) At(thread int) Line {
	for _, f := range in.Stack(thread) {
		if !f.Library {
			return Line{thread, f.Pos.File, f.Pos.Line, f.Index}
		}
	}
	return Line{Thread: thread}
}

// Vars returns the variables of a frame: parameters, or the others with what was captured.
func (in *Inspector) Vars(thread, frame int, params bool) (list []Value) {
	s, g := in.find(thread)
	if g == nil || frame < 0 || frame >= g.Depth() {
		return nil
	}
	locals := in.locals[thread/maxGoroutines]
	fr := &g.Frames()[frame]
	called := frame+1 < g.Depth() && s.m.Prog.Funcs[g.Frames()[frame+1].Func()].Native == ""
	for _, v := range locals.At(int(fr.Func()), int(fr.PC())) {
		if v.Param != params {
			continue
		}
		list = append(list, s.variable(g, fr, v, called))
	}
	return list
}

// variable returns a variable of a frame. Called says that the frame has called another one, which may use words of it.
func (s *System) variable(g *drive.G, fr *vm.Frame, v compile.Var, called bool) Value {
	out := Value{Name: v.Name, s: s, t: unknownType}
	if v.Type >= 0 {
		out.t = s.m.Type(v.Type)
	}
	words := g.Words(fr)
	if v.How == compile.Constant {
		out.text = v.Text
		return out
	}
	if v.How == compile.Gone || v.Window && called || int(v.Slot) >= len(words) {
		out.text = NotKept
		return out
	}
	at := unsafe.Pointer(&words[v.Slot])
	if v.How == compile.Captured {
		if at = s.m.Heap.Peek(*(*mem.Ptr)(at)+mem.Ptr(v.Off), 8); at == nil {
			out.text = NotKept
			return out
		}
	}
	if v.How != compile.InFrame && out.t.Size > 0 {
		if at = s.m.Heap.Peek(*(*mem.Ptr)(at), out.t.Size); at == nil {
			out.text = NotKept
			return out
		}
	}
	out.at = at
	return out
}

var unknownType = &bytecode.Type{Elem: -1, Key: -1}

// NotKept is told of a variable whose value is not kept, because nothing reads it any more.
const NotKept = "(not kept: not used any more)"

// Globals returns the package-level variables of the program's own packages, of the process of a thread.
func (in *Inspector) Globals(thread int) (list []Value) {
	part := thread / maxGoroutines
	if part < 0 || part >= len(in.parts) {
		return nil
	}
	s := in.parts[part]
	pkgs := make(map[string]bool)
	for i := range s.m.Prog.Funcs {
		if f := &s.m.Prog.Funcs[i]; f.Native == "" && f.File < len(s.m.Prog.Files) && !s.inLibrary(s.m.Prog.Files[f.File]) {
			pkgs[f.Pkg] = true
		}
	}
	for i := range s.m.Prog.Globals {
		g := &s.m.Prog.Globals[i]
		dot := strings.LastIndexByte(g.Name, '.')
		if g.Origin != bytecode.Variable || dot < 0 || !pkgs[g.Name[:dot]] || strings.Contains(g.Name[dot:], "$") {
			continue
		}
		t := s.m.Type(g.Type)
		if at := s.m.Heap.Peek(mem.MakePtr(mem.ObjID(bytecode.GlobalBase+i), 0), t.Size); at != nil && t.Size > 0 {
			list = append(list, Value{Name: g.Name, s: s, t: t, at: at})
		}
	}
	slices.SortFunc(list, func(a, b Value) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// A Value is a value with a name, which may have parts.
type Value struct {
	Name string
	s    *System
	t    *bytecode.Type
	at   unsafe.Pointer // nil if there is only a text
	text string
}

// Type is the type of the value.
func (v Value) Type() string { return v.t.Str }

// Known reports whether the value is known.
func (v Value) Known() bool { return v.text != NotKept }

// maxText is how many bytes of a text are told.
const maxText = 4096

// Text is the value as a person would write it.
func (v Value) Text() (text string) {
	if v.at == nil {
		return v.text
	}
	v.look(func() { text = v.print() })
	return text
}

// look has something looked at. A word that is no pointer would make the heap panic.
func (v Value) look(f func()) {
	v.s.m.Quietly(func() {
		defer func() { _ = recover() }()
		f()
	})
}

func (v Value) print() string {
	m := v.s.m
	switch v.t.Kind {
	case bytecode.String:
		w := (*[2]uint64)(v.at)
		text := stringAt(m.Machine, mem.Ptr(w[0]), min(w[1], maxText))
		if w[1] > maxText {
			return strconv.Quote(text) + fmt.Sprintf("... (%d bytes)", w[1])
		}
		return strconv.Quote(text)
	case bytecode.Interface:
		x, ok := v.dynamic()
		if !ok {
			return "nil"
		}
		if text := x.print(); strings.Contains(text, x.t.Str) {
			return text
		} else {
			return x.t.Str + "(" + text + ")"
		}
	case bytecode.FuncKind:
		if p := *(*mem.Ptr)(v.at); p != 0 {
			if f := v.function(p); f != nil {
				return f.Name
			}
		}
	case bytecode.Complex64:
		return fmt.Sprint(*(*complex64)(v.at))
	case bytecode.Complex128:
		return fmt.Sprint(*(*complex128)(v.at))
	}
	return valueText(m.Machine, v.t, v.at, 2)
}

// function is that of a func value.
func (v Value) function(p mem.Ptr) *bytecode.Func {
	if p.Obj() != bytecode.ObjFuncs {
		at := v.s.m.Heap.Peek(p, 8)
		if at == nil {
			return nil
		}
		if p = *(*mem.Ptr)(at); p.Obj() != bytecode.ObjFuncs {
			return nil
		}
	}
	if i := int(p.Off() / 8); i < len(v.s.m.Prog.Funcs) {
		return &v.s.m.Prog.Funcs[i]
	}
	return nil
}

// dynamic is the value in an interface.
func (v Value) dynamic() (x Value, ok bool) {
	w := (*[2]uint64)(v.at)
	t := v.s.m.IfaceType(mem.Ptr(w[0]))
	if t == nil || t.Kind == bytecode.Invalid {
		return x, false
	}
	at := unsafe.Pointer(&w[1])
	if t.Flags&bytecode.FlagDirect == 0 && t.Size > 0 {
		if at = v.s.m.Heap.Peek(mem.Ptr(w[1]), t.Size); at == nil {
			return x, false
		}
	}
	return Value{Name: v.Name, s: v.s, t: t, at: at}, true
}

// Parts is how many parts a value has: fields, elements, entries, or what it points to. Indexed says that they have numbers.
func (v Value) Parts() (n int, indexed bool) {
	if v.at == nil {
		return 0, false
	}
	v.look(func() {
		switch v.t.Kind {
		case bytecode.Struct:
			n = len(v.t.Fields)
		case bytecode.Array:
			n, indexed = int(v.t.Len), true
		case bytecode.Slice:
			n, indexed = int((*[3]uint64)(v.at)[1]), true
		case bytecode.MapKind:
			n = int(v.s.m.Heap.MapLen(*(*mem.Ptr)(v.at)))
		case bytecode.Pointer:
			if x, ok := v.pointee(); ok {
				if n, indexed = x.Parts(); n == 0 {
					n = 1
				}
			}
		case bytecode.Interface:
			if x, ok := v.dynamic(); ok {
				n, indexed = x.Parts()
			}
		}
	})
	return n, indexed
}

func (v Value) pointee() (x Value, ok bool) {
	t := v.s.m.Type(v.t.Elem)
	at := v.s.m.Heap.Peek(*(*mem.Ptr)(v.at), t.Size)
	if *(*mem.Ptr)(v.at) == 0 || at == nil || t.Size == 0 {
		return x, false
	}
	return Value{Name: "*" + v.Name, s: v.s, t: t, at: at}, true
}

// PartsFrom returns some parts of a value.
func (v Value) PartsFrom(from, count int) (list []Value) {
	if v.at == nil || count <= 0 {
		return nil
	}
	v.look(func() { list = v.parts(max(from, 0), count) })
	return list
}

func (v Value) parts(from, count int) (list []Value) {
	m := v.s.m
	switch v.t.Kind {
	case bytecode.Struct:
		for i := range v.t.Fields {
			f := &v.t.Fields[i]
			list = append(list, Value{Name: f.Name, s: v.s, t: m.Type(f.Type), at: unsafe.Add(v.at, f.Off)})
		}
	case bytecode.Array:
		return v.elements(v.at, int(v.t.Len), from, count)
	case bytecode.Slice:
		w := (*[3]uint64)(v.at)
		return v.elements(m.Heap.Peek(mem.Ptr(w[0]), uint32(w[1])*m.Type(v.t.Elem).Size), int(w[1]), from, count)
	case bytecode.MapKind:
		return v.entries(from, count)
	case bytecode.Pointer:
		if x, ok := v.pointee(); ok {
			if n, _ := x.Parts(); n > 0 {
				return x.parts(from, count)
			}
			return []Value{x}
		}
	case bytecode.Interface:
		if x, ok := v.dynamic(); ok {
			return x.parts(from, count)
		}
	}
	if from < len(list) {
		return list[from:min(len(list), from+count)]
	}
	return nil
}

func (v Value) elements(at unsafe.Pointer, n, from, count int) (list []Value) {
	t := v.s.m.Type(v.t.Elem)
	if at == nil {
		return nil
	}
	for i := from; i < min(n, from+count); i++ {
		list = append(list, Value{Name: "[" + strconv.Itoa(i) + "]", s: v.s, t: t, at: unsafe.Add(at, uintptr(i)*uintptr(t.Size))})
	}
	return list
}

// entries returns those of a map in the order in which they were added.
func (v Value) entries(from, count int) (list []Value) {
	m := v.s.m
	mp := *(*mem.Ptr)(v.at)
	kt, et := m.Type(v.t.Key), m.Type(v.t.Elem)
	for seq, n := uint64(0), 0; len(list) < count; n++ {
		var key, elem mem.Ptr
		if seq, key, elem = m.Heap.MapNext(mp, seq); seq == 0 {
			break
		}
		if n < from {
			continue
		}
		k := Value{s: v.s, t: kt, at: m.Heap.Peek(key, kt.Size)}
		name := "?"
		if k.at != nil {
			name = k.print()
		}
		list = append(list, Value{Name: "[" + name + "]", s: v.s, t: et, at: m.Heap.Peek(elem, et.Size)})
	}
	return list
}

// Constant returns a number, a text or a bool as such.
func (v Value) Constant() (c constant.Value, ok bool) {
	if v.at == nil {
		return constantOf(v.text)
	}
	v.look(func() { c, ok = v.constant() })
	return c, ok
}

func (v Value) constant() (constant.Value, bool) {
	switch k := v.t.Kind; {
	case k == bytecode.Interface:
		if x, ok := v.dynamic(); ok {
			return x.constant()
		}
	case k == bytecode.String:
		w := (*[2]uint64)(v.at)
		return constant.MakeString(stringAt(v.s.m.Machine, mem.Ptr(w[0]), w[1])), true
	case k >= bytecode.Bool && k <= bytecode.Float64:
		return constantOf(valueText(v.s.m.Machine, v.t, v.at, 0))
	}
	return nil, false
}

// constantOf reads a constant as it is printed.
func constantOf(text string) (constant.Value, bool) {
	switch {
	case text == "true" || text == "false":
		return constant.MakeBool(text == "true"), true
	case strings.HasPrefix(text, "\""):
		s, err := strconv.Unquote(text)
		return constant.MakeString(s), err == nil
	}
	if number, minus := strings.CutPrefix(text, "-"); minus {
		c, ok := constantOf(number)
		if !ok || c.Kind() != constant.Int && c.Kind() != constant.Float {
			return nil, false
		}
		return constant.UnaryOp(token.SUB, c, 0), true
	}
	for _, kind := range []token.Token{token.INT, token.FLOAT} {
		if c := constant.MakeFromLiteral(text, kind, 0); c.Kind() != constant.Unknown {
			return c, true
		}
	}
	return nil, false
}

// IsNil reports whether a pointer, map, slice, channel, function or interface is nil.
func (v Value) IsNil() (is, ok bool) {
	if v.at == nil {
		return v.text == "nil", v.text == "nil"
	}
	switch v.t.Kind {
	case bytecode.Pointer, bytecode.MapKind, bytecode.Chan, bytecode.FuncKind, bytecode.UnsafePointer, bytecode.Slice, bytecode.Interface:
		return *(*uint64)(v.at) == 0, true
	}
	return false, false
}

// Len is what len returns.
func (v Value) Len() (n int, ok bool) {
	v.look(func() {
		switch {
		case v.at == nil:
		case v.t.Kind == bytecode.Chan:
			n, ok = int(v.s.m.Heap.ChanLen(*(*mem.Ptr)(v.at))), true
		case v.t.Kind == bytecode.String:
			n, ok = int((*[2]uint64)(v.at)[1]), true
		case v.t.Kind == bytecode.Slice || v.t.Kind == bytecode.MapKind || v.t.Kind == bytecode.Array:
			n, _ = v.Parts()
			ok = true
		}
	})
	return n, ok
}
