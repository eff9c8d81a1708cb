package execute

import (
	"fmt"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/vm"
)

// nameOf names a goroutine by the function that it was started with. Of several
// with one function, all but the first have a number.
func (s *System) nameOf(g *vm.G) string {
	name := s.m.EntryName(g)
	n := 1
	for _, o := range s.m.Goroutines() {
		if o == g {
			break
		}
		if s.m.EntryName(o) == name {
			n++
		}
	}
	if n > 1 {
		return fmt.Sprintf("%s#%d", name, n)
	}
	return name
}

// waitsFor says before which operation a goroutine stands.
func (s *System) waitsFor(g *vm.G) string {
	f, in := s.m.StandsAt(g)
	if f == nil {
		return "end"
	}
	if in == nil {
		return f.Name
	}
	switch in.Op {
	case bytecode.OpSend:
		return "send"
	case bytecode.OpRecv:
		return "receive"
	case bytecode.OpSelect:
		return "select"
	}
	return in.Op.String()
}
