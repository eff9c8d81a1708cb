package execute

import (
	"cmp"
	"slices"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/diag"
)

// Covered calls yield for each place of the program, the standard library left
// out, that was executed since the system was made, in order. The count is 1: that
// it happened is known, not how often. Settings.Cover must be on.
func (s *System) Covered(yield func(file string, line, col int, count int64)) {
	if !s.settings.Cover {
		return
	}
	seen := make(map[diag.Pos]bool)
	s.m.Covered(func(line bytecode.Line) {
		if pos := s.posOf(line); pos.Line > 0 && !s.inLibrary(pos.File) {
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

// own returns which functions of a program do not belong to the standard library, and those that note what became of tests.
func own(prog *bytecode.Program, library string) func(f *bytecode.Func) bool {
	files := make([]bool, len(prog.Files))
	for i, name := range prog.Files {
		files[i] = !inLibrary(name, library)
	}
	return func(f *bytecode.Func) bool {
		return f.File < len(files) && files[f.File] || f.Name == skipNow || f.Name == setRan
	}
}

// skipNow is the function of the standard library by which a test skips itself, and setRan that by which a test says that it was run, or one
// below it: -run may leave out all of these. That they are executed is noted, too.
const (
	skipNow = "testing.(*common).SkipNow"
	setRan  = "testing.(*common).setRan"
)

// Skips reports whether a test was skipped since the system was made. Settings.Cover must be on.
func (s *System) Skips() bool {
	return s.settings.Cover && !s.settings.Trace && s.m.Executed(skipNow)
}

// Ran reports whether a test was run since the system was made, and not only the one around those that -run leaves out, or nobody has noted that.
func (s *System) Ran() bool { return s.Entered(setRan) }

// Entered reports whether a function of the program was executed since the system was made, or nobody has noted that.
func (s *System) Entered(name string) bool {
	return !s.settings.Cover || s.settings.Trace || s.m.Entered(name)
}
