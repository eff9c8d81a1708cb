package execute

import (
	"fmt"
	"strings"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// A Property is a kind of finding. The name is what findings say and what the
// command line takes.
type Property string

// The properties.
const (
	Deadlock  Property = "deadlock"  // main is blocked forever, or all goroutines are
	Leak      Property = "leak"      // another goroutine is blocked forever
	Panic     Property = "panic"     // a panic that nobody recovers from
	Race      Property = "race"      // two accesses that nothing orders
	Fatal     Property = "fatal"     // what the runtime throws: concurrent map access, unlock of an unlocked mutex
	Assert    Property = "assert"    // verify.Assert
	Invariant Property = "invariant" // verify.Always, verify.Step
	Exit      Property = "exit"      // os.Exit with another code than 0
	Test      Property = "test"      // t.Error, t.Fatal
	Livelock  Property = "livelock"  // goroutines go around and get nowhere
	Liveness  Property = "liveness"  // verify.Eventually, verify.Leads
)

// AllProperties are all of them, in the order in which they are listed.
var AllProperties = []Property{Deadlock, Leak, Panic, Race, Fatal, Assert, Invariant, Exit, Test, Liveness, Livelock}

// Optional are those that are looked for only if that is asked for: they make a search long.
var Optional = []Property{Livelock}

// Properties are the kinds that are not looked for, and single findings that do not count.
type Properties struct {
	Off []Property
	// Ignore, if it is not nil, says that a finding does not count: it is as if it were not looked for there, and what comes
	// behind it is searched as ever. The places are where it is, with the names of files as the program has them.
	// Several systems may ask at once.
	Ignore func(f diag.Finding, places ...diag.Pos) bool
	// Ignores says that there are findings which do not count, by Ignore.
	Ignores bool
}

// On reports whether a kind is looked for.
func (p Properties) On(k Property) bool {
	for _, off := range p.Off {
		if off == k {
			return false
		}
	}
	return true
}

// Survives reports whether a program may end by a panic or a fatal error without a finding: see drive.Views.Ends.
func (p Properties) Survives() bool { return !p.On(Panic) || !p.On(Fatal) || p.Ignores }

// CheckState appends what is wrong with the current state.
func (s *System) CheckState(dst []diag.Finding) []diag.Finding {
	if s.atStart {
		dst = append(dst, s.first...)
	}
	if s.settings.Differ {
		s.sampler.sample(s)
	}
	dst = s.brokenFindings(dst, len(s.m.Steps()) == 0)
	if e := s.m.Exit(); e != nil {
		return s.exitFinding(dst, e)
	}
	return s.blockedFindings(dst)
}

// CheckStep appends what was wrong with the step just taken.
func (s *System) CheckStep(dst []diag.Finding) []diag.Finding { return s.stepFindings(dst) }

// find appends a finding of a kind that is looked for.
func (s *System) find(dst []diag.Finding, kind Property, pos diag.Pos, format string, args ...any) []diag.Finding {
	if !s.settings.Properties.On(kind) {
		return dst
	}
	return s.add(dst, diag.Finding{Kind: string(kind), Message: s.folder.text(fmt.Sprintf(format, args...)), Pos: s.folder.pos(pos)}, pos)
}

// add appends a finding, unless it does not count.
func (s *System) add(dst []diag.Finding, f diag.Finding, places ...diag.Pos) []diag.Finding {
	if ignore := s.settings.Properties.Ignore; ignore != nil && ignore(f, places...) {
		return dst
	}
	return append(dst, f)
}

// exitFinding tells how the program ended, if that was not as it should.
func (s *System) exitFinding(dst []diag.Finding, e *vm.Exit) []diag.Finding {
	switch e.Kind {
	case vm.ExitPanic:
		return s.find(dst, Panic, s.placeOf(e.Where), "%s", strings.TrimPrefix(e.Msg, "panic: "))
	case vm.ExitFatal:
		return s.find(dst, Fatal, s.placeOf(e.Where), "%s", strings.TrimPrefix(e.Msg, "fatal error: "))
	case vm.ExitCall:
		if e.Code != 0 {
			return s.find(dst, Exit, s.placeOf(e.Where), "the program exits with code %d", e.Code)
		}
	}
	return dst
}

// stepFindings tells what the last step did wrong.
func (s *System) stepFindings(dst []diag.Finding) []diag.Finding {
	for _, r := range s.m.Races() {
		dst = s.raceFinding(dst, r)
	}
	for _, f := range s.m.Failures() {
		pos := s.watchPos(f.Watch)
		if f.Where != nil {
			pos = s.assertPos(f.Where)
		}
		dst = s.find(dst, Property(f.Kind), pos, "%s", f.Message)
	}
	for _, g := range s.m.Left() {
		dst = s.blockedFinding(dst, Leak, g)
	}
	return dst
}

// assertPos is the place of a call of package verify.
func (s *System) assertPos(where []bytecode.Line) diag.Pos {
	for i, l := range where {
		if !strings.HasSuffix(s.m.File(l.File), "/verify/verify.go") {
			return s.placeOf(where[i:])
		}
	}
	return s.placeOf(where)
}

// watchPos is where a condition is written: the function itself or, if that is
// one of package verify, the last of those that it has captured.
func (s *System) watchPos(fv mem.Ptr) diag.Pos {
	fn := s.m.FuncAt(fv)
	if fn == nil {
		return diag.Pos{}
	}
	if fn.Pkg == verifyPkg {
		for off := mem.Ptr(8); off < 64; off += 8 {
			cell := s.m.Heap.Peek(fv+off, 8) // a captured variable has a cell of its own
			if cell == nil {
				break
			}
			w := s.m.Heap.Peek(*(*mem.Ptr)(cell), 8)
			if w == nil {
				continue
			}
			if inner := s.m.FuncAt(*(*mem.Ptr)(w)); inner != nil && inner.Pkg != verifyPkg {
				fn = inner
			}
		}
	}
	return s.posOf(bytecode.Line{File: int32(fn.File), Line: int32(fn.Line)})
}

const verifyPkg = "github.com/heddle-mc/heddle/verify"

func (s *System) raceFinding(dst []diag.Finding, r drive.Race) []diag.Finding {
	first, second := s.sides(r)
	if r.Rivals[0] == drive.NoRival && s.m.Heap.Kind(mem.MakePtr(r.A.Obj, 0)) == mem.Map {
		what := "concurrent map read and map write"
		if first.access.Write && second.access.Write {
			what = "concurrent map writes"
		}
		return s.findBoth(dst, Fatal, first.pos, second.pos, fmt.Sprintf("%s: the other is at %s", what, second.pos))
	}
	return s.findBoth(dst, Race, first.pos, second.pos, fmt.Sprintf("%s races with %s at %s", first.does(), second.does(), second.pos))
}

// findBoth is find for what two goroutines do at once.
func (s *System) findBoth(dst []diag.Finding, kind Property, first, second diag.Pos, message string) []diag.Finding {
	if !s.settings.Properties.On(kind) {
		return dst
	}
	return s.add(dst, diag.Finding{Kind: string(kind), Message: s.folder.text(message), Pos: s.folder.pos(first)}, first, second)
}

// blockedFindings tells of goroutines that wait for ever. That must not depend on
// the order of steps, of which a reduced search takes only some: what is certain in
// a state must be told in all that follow. A main goroutine that waits for ever is a
// deadlock, whether others still move or not. Another one that does is a leak, also
// if the end is a deadlock; but not if only main could let it go on, which waits too.
func (s *System) blockedFindings(dst []diag.Finding) []diag.Finding {
	return s.stuckFindings(dst, len(s.m.Steps()) == 0)
}

// stuckFindings does so in a state in which something can happen, or nothing.
func (s *System) stuckFindings(dst []diag.Finding, still bool) []diag.Finding {
	main, others := s.m.Stuck()
	var told *drive.G
	switch {
	case main != nil:
		hangs := s.hanging(main)
		if dst = s.blockedFinding(dst, Deadlock, hangs); s.settings.Properties.On(Deadlock) {
			told = hangs
		}
	case still && !s.m.MainGone() && !s.m.Pruned() && !s.m.Serves() && !s.m.Hears() && s.m.Unmet() == nil:
		dst = s.deadlockFinding(dst)
	case !still && !s.joined && !s.m.Serves() && s.m.Unmet() == nil:
		dst = s.circleFinding(dst)
	}
	for _, g := range others {
		if g != told { // the test that main waits for
			dst = s.blockedFinding(dst, Leak, g)
		}
	}
	return dst
}

// circleFinding tells that nothing happens any more but that goroutines go around in circles, if that is so.
func (s *System) circleFinding(dst []diag.Finding) []diag.Finding {
	if g := s.m.Spins(); g != nil {
		dst = s.find(dst, Deadlock, s.position(g), "%s goes around in circles forever, and nothing else can happen", s.entryOf(g))
	}
	return dst
}

// blockedFinding tells that a goroutine is blocked forever.
func (s *System) blockedFinding(dst []diag.Finding, kind Property, g *drive.G) []diag.Finding {
	return s.find(dst, kind, s.position(g), "%s is blocked forever: %s", s.entryOf(g), s.waitsFor(g))
}

// hanging returns whom main waits for if it waits in package testing: the test that hangs, and of several the first one. As long as
// one of them can go on main is not blocked.
func (s *System) hanging(main *drive.G) *drive.G {
	if !s.waitsInTesting(main) {
		return main
	}
	for _, g := range s.m.ByName() {
		if g != main && s.m.StartedWith(g) == "testing.tRunner" && !s.waitsInTesting(g) {
			return g
		}
	}
	return main
}

// waitsInTesting reports whether it is package testing that waits: for a test to end, or to be its turn.
func (s *System) waitsInTesting(g *drive.G) bool {
	where := s.m.Places(g)
	return len(where) > 0 && strings.HasPrefix(s.m.File(where[0].File), s.library+"testing/")
}

// deadlockFinding tells that nothing can happen any more, in a state in which that
// is so.
func (s *System) deadlockFinding(dst []diag.Finding) []diag.Finding {
	all := s.m.ByName()
	switch {
	case len(all) == 0:
		return s.find(dst, Deadlock, diag.Pos{}, "no goroutines are left, main has called runtime.Goexit")
	case len(all[0].Path()) > 0:
		return s.find(dst, Deadlock, s.position(all[0]), "main has called runtime.Goexit, and all others are blocked forever: %s at %s", s.entryOf(all[0]), s.waitsFor(all[0]))
	}
	return s.blockedFinding(dst, Deadlock, s.hanging(all[0]))
}

// position is where g stands in the user's code: the innermost frame outside of
// the standard library, or the innermost one.
func (s *System) position(g *drive.G) diag.Pos {
	return s.placeOf(s.m.Places(g))
}

// placeOf returns the first of some places that is not in the standard library.
// If all are, it is the first outside of the packages that others are built on.
func (s *System) placeOf(where []bytecode.Line) diag.Pos {
	for _, l := range where {
		if pos := s.posOf(l); !s.inLibrary(pos.File) && l.Line > 0 {
			return pos
		}
	}
	for _, l := range where {
		if pos := s.posOf(l); !s.inFoundation(pos.File) && l.Line > 0 {
			return pos
		}
	}
	if len(where) > 0 {
		return s.posOf(where[0])
	}
	return diag.Pos{}
}

func (s *System) posOf(l bytecode.Line) diag.Pos {
	return diag.Pos{File: s.m.File(l.File), Line: int(l.Line), Col: int(l.Col)}
}
