package execute

import (
	"strconv"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mem"
)

// writes tells which shared variables a step changes, by taking it and going
// back. A variable goes by its name in the statement that assigns to it. Types of
// heap objects are not known at run time, so only numbers and pointers to
// nothing are told.
func (s *System) writes(step lts.Step) []lts.Change {
	m := s.m
	mark := m.Mark()
	who, alt := splitStep(step)
	m.NoteTouched(true)
	m.TakeStep(who, alt)
	m.NoteTouched(false)
	type write struct {
		at   mem.Ptr
		n    uint32
		name string
		new  string
	}
	var list []write
	_, accesses := m.Touched()
	for _, a := range accesses {
		lo, hi := a.Range()
		if !a.Write || hi-lo > 8 || s.globalName(a.Obj) != "" {
			continue // globals are told with their types
		}
		_, line := m.AccessLine(a)
		at := mem.MakePtr(a.Obj, lo)
		if name := s.story.sources.variable(s.posOf(line)); name != "" && m.Exit() == nil {
			list = append(list, write{at, hi - lo, name, s.numberAt(at, hi-lo)})
		}
	}
	m.Restore(mark)
	m.Release(mark)
	var out []lts.Change
	for _, w := range list {
		if old := s.numberAt(w.at, w.n); old != w.new && old != "" && w.new != "" {
			out = append(out, lts.Change{Name: s.variables.name(w.at, w.name), Old: old, New: w.new})
		}
	}
	return out
}

// numberAt reads an integer, "" if there is none.
func (s *System) numberAt(at mem.Ptr, n uint32) string {
	p := s.m.Heap.Peek(at, n)
	switch {
	case p == nil:
		return ""
	case s.m.Heap.PtrAt(at):
		if *(*uint64)(p) == 0 {
			return "nil"
		}
		return "a pointer"
	}
	var v int64
	switch n {
	case 1:
		v = int64(*(*int8)(p))
	case 2:
		v = int64(*(*int16)(p))
	case 4:
		v = int64(*(*int32)(p))
	case 8:
		v = *(*int64)(unsafe.Pointer(p))
	default:
		return ""
	}
	return strconv.FormatInt(v, 10)
}
