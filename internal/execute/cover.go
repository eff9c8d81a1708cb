package execute

import (
	"cmp"
	"slices"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/vm"
)

// Covered calls yield for each place of the program, the standard library left
// out, that was executed since the system was made, in order. The count is 1: that
// it happened is known, not how often. Settings.Cover must be on.
func (s *System) Covered(yield func(file string, line, col int, count int64)) {
	if !s.settings.Cover {
		return
	}
	seen := make(map[diag.Pos]bool)
	s.m.Covered(func(f *bytecode.Func, pc int) {
		pos := s.posOf(vm.LineAt(f, pc))
		if pos.Line > 0 && !s.inLibrary(pos.File) {
			seen[pos] = true
		}
	})
	list := make([]diag.Pos, 0, len(seen))
	for pos := range seen {
		list = append(list, pos)
	}
	slices.SortFunc(list, func(a, b diag.Pos) int {
		return cmp.Or(cmp.Compare(a.File, b.File), a.Compare(b))
	})
	for _, pos := range list {
		yield(pos.File, pos.Line, pos.Col, 1)
	}
}
