package execute

import (
	"strconv"
	"strings"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// A placeOf is a way from the parameters and results of a call to a value:
//
//	arg0.conn.id|0      field id of what field conn of the first parameter points to,
//	                    0 if that is nil
//	arg1[:result0]      the part of a slice that a result tells
type placeOf struct {
	at     int // word of the window
	hops   []hop
	typ    *bytecode.Type
	prog   *bytecode.Program
	values map[string]map[string]string // names of values, by type
	none   string                       // what stands for nil on the way
	cut    *placeOf
}

// A hop goes on from a value: through a pointer to what it points to, whose size is
// known, or to a field.
type hop struct {
	deref bool
	size  uint32
	off   uint32
}

// A placer reads places, going by the types of a function or of messages.
type placer struct {
	prog   *bytecode.Program
	f      *bytecode.Func // or
	elem   *bytecode.Type // of messages
	exit   bool
	values map[string]map[string]string
	pos    diag.Pos
}

// place reads a place.
func (p *placer) place(text string) (placeOf, error) {
	out := placeOf{prog: p.prog, values: p.values, none: "nil"}
	way, none, has := strings.Cut(text, "|")
	if has {
		out.none = none
	}
	if base, cut, ok := strings.Cut(way, "[:"); ok {
		n, err := p.place(strings.TrimSuffix(cut, "]"))
		if err != nil {
			return out, err
		}
		way, out.cut = base, &n
	}
	fields := strings.Split(way, ".")
	typ, err := p.root(&out, fields[0])
	if err != nil {
		return out, err
	}
	for _, name := range fields[1:] {
		if typ, err = p.field(&out, typ, name); err != nil {
			return out, err
		}
	}
	out.typ = typ
	if !p.printable(typ, 0) {
		return out, diag.Sourcef(p.pos, "{%s} is a %s: name a part of it that is a number, a text, a bool or a list of those", text, typ.Str)
	}
	return out, nil
}

// root finds a parameter, a result or a message.
func (p *placer) root(out *placeOf, name string) (*bytecode.Type, error) {
	if p.elem != nil {
		if name != "value" {
			return nil, diag.Sourcef(p.pos, "{%s}: a place of a message begins with value; there are {goroutine} and, with match, {1}, {2}, … besides", name)
		}
		return p.elem, nil
	}
	list, before := p.f.ParamT, 0
	number, ok := strings.CutPrefix(name, "arg")
	if !ok {
		if number, ok = strings.CutPrefix(name, "result"); ok {
			if !p.exit {
				return nil, diag.Sourcef(p.pos, "{%s}: results are known when the function returns: say return instead of call", name)
			}
			list, before = p.f.ResultT, int(p.f.Params)
		}
	}
	n, err := strconv.Atoi(number)
	if !ok || err != nil || n < 0 {
		return nil, diag.Sourcef(p.pos, "{%s}: a place begins with arg0, arg1, …, result0, …; there are {goroutine} and, with match, {1}, {2}, … besides", name)
	}
	if n >= len(list) {
		return nil, diag.Sourcef(p.pos, "{%s}: %s has %d parameters, the receiver counted, and %d results", name, shortName(p.f), len(p.f.ParamT), len(p.f.ResultT))
	}
	out.at = before
	for _, t := range list[:n] {
		out.at += int(p.prog.Types[t].Words)
	}
	return &p.prog.Types[list[n]], nil
}

// field goes on to a field, also to one of an embedded struct.
func (p *placer) field(out *placeOf, typ *bytecode.Type, name string) (*bytecode.Type, error) {
	if hops, t := p.find(typ, name, 0); t != nil {
		out.hops = append(out.hops, hops...)
		return t, nil
	}
	return nil, diag.Sourcef(p.pos, "%s has no field %s", typ.Str, name)
}

// find looks for a field, at most so many embedded structs deep.
func (p *placer) find(typ *bytecode.Type, name string, depth int) ([]hop, *bytecode.Type) {
	var hops []hop
	if typ.Kind == bytecode.Pointer {
		typ = &p.prog.Types[typ.Elem]
		hops = append(hops, hop{deref: true, size: typ.Size})
	}
	if typ.Kind != bytecode.Struct || depth > 4 {
		return nil, nil
	}
	for i := range typ.Fields {
		if f := &typ.Fields[i]; f.Name == name {
			return append(hops, hop{off: f.Off}), &p.prog.Types[f.Type]
		}
	}
	for i := range typ.Fields {
		if f := &typ.Fields[i]; f.Embedded {
			if more, t := p.find(&p.prog.Types[f.Type], name, depth+1); t != nil {
				return append(append(hops, hop{off: f.Off}), more...), t
			}
		}
	}
	return nil, nil
}

// printable reports whether values of a type are told.
func (p *placer) printable(t *bytecode.Type, depth int) bool {
	switch t.Kind {
	case bytecode.Slice, bytecode.Array:
		return depth < 3 && p.printable(&p.prog.Types[t.Elem], depth+1)
	case bytecode.String, bytecode.Bool:
		return true
	}
	return t.Kind >= bytecode.Int && t.Kind <= bytecode.Float64
}

// An operated is what an operation is done with: a machine, a goroutine, and words of
// parameters and results, or the value of a message.
type operated struct {
	m  *vm.Machine
	g  *vm.G
	at unsafe.Pointer
}

// read returns what is at the place in an operation, as text.
func (p *placeOf) read(op *operated) string {
	at := unsafe.Add(op.at, p.at*8)
	for _, h := range p.hops {
		if h.deref {
			ptr := *(*mem.Ptr)(at)
			if at = op.m.Heap.Peek(ptr, h.size); ptr == 0 || at == nil {
				return p.none
			}
			continue
		}
		at = unsafe.Add(at, h.off)
	}
	most := -1
	if p.cut != nil {
		most, _ = strconv.Atoi(p.cut.read(op))
	}
	return p.text(op.m, p.typ, at, most)
}

// text tells a value: names as they are, bytes as text, lists as the models write
// them.
func (p *placeOf) text(m *vm.Machine, t *bytecode.Type, at unsafe.Pointer, most int) string {
	value := ""
	switch t.Kind {
	case bytecode.String:
		w := (*[2]uint64)(at)
		value = stringAt(m, mem.Ptr(w[0]), w[1])
	case bytecode.Slice:
		w := (*[3]uint64)(at)
		n := w[1]
		if most >= 0 {
			n = min(n, uint64(most))
		}
		elem := &p.prog.Types[t.Elem]
		if elem.Kind == bytecode.Uint8 {
			value = stringAt(m, mem.Ptr(w[0]), n)
			break
		}
		value = p.list(m, elem, m.Heap.Peek(mem.Ptr(w[0]), uint32(n)*elem.Size), int(n))
	case bytecode.Array:
		value = p.list(m, &p.prog.Types[t.Elem], at, int(t.Len))
	default:
		value = valueText(m, t, at, 0)
	}
	if name, ok := p.values[t.Str][value]; ok {
		return name
	}
	return value
}

func (p *placeOf) list(m *vm.Machine, elem *bytecode.Type, at unsafe.Pointer, n int) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = p.text(m, elem, unsafe.Add(at, uintptr(i)*uintptr(elem.Size)), -1)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
