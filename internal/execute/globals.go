package execute

import (
	"time"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mem"
)

// A variable is a package-level variable of the program and its value in words.
type variable struct{ name, value string }

// globals returns the package-level variables of the program itself.
func (s *System) globals() []variable {
	var list []variable
	for i := range s.m.Prog.Globals {
		g := &s.m.Prog.Globals[i]
		if !s.ownGlobal(g) {
			continue
		}
		t := s.m.Type(g.Type)
		p := s.m.Heap.Peek(mem.MakePtr(mem.ObjID(bytecode.GlobalBase+i), 0), t.Size)
		if p != nil && t.Size > 0 {
			list = append(list, variable{g.Name, valueText(s.m.Machine, t, p, 2)})
		}
	}
	return list
}

// A rawGlobal is a variable and its bytes.
type rawGlobal struct {
	index int
	bytes []byte
}

// globalBytes returns the package-level variables of the program itself as they
// lie in memory.
func (s *System) globalBytes() []rawGlobal {
	var list []rawGlobal
	for i := range s.m.Prog.Globals {
		g := &s.m.Prog.Globals[i]
		if !s.ownGlobal(g) {
			continue
		}
		size := s.m.Type(g.Type).Size
		if p := s.m.Heap.Peek(mem.MakePtr(mem.ObjID(bytecode.GlobalBase+i), 0), size); p != nil && size > 0 {
			list = append(list, rawGlobal{i, bytesAt(p, size)})
		}
	}
	return list
}

func bytesAt(p unsafe.Pointer, n uint32) []byte { return unsafe.Slice((*byte)(p), n) }

// ownGlobal reports whether a variable belongs to the program's main package.
func (s *System) ownGlobal(g *bytecode.Global) bool {
	return g.Origin == bytecode.Variable && len(g.Name) > 5 && g.Name[:5] == "main." && g.Name != "main.init$guard"
}

// globalName is the name of the variable that an object is, "" if it is none.
func (s *System) globalName(id mem.ObjID) string {
	i := int(id) - bytecode.GlobalBase
	if i < 0 || i >= len(s.m.Prog.Globals) || s.m.Prog.Globals[i].Origin != bytecode.Variable {
		return ""
	}
	return s.m.Prog.Globals[i].Name
}

// changes lists the variables that have other values than before.
func changes(before, after []variable) []lts.Change {
	var list []lts.Change
	for i := range after {
		if i < len(before) && before[i].value != after[i].value {
			list = append(list, lts.Change{Name: after[i].name, Old: before[i].value, New: after[i].value})
		}
	}
	return list
}

func duration(ns int64) string { return time.Duration(ns).String() }
