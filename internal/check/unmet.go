package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/kernel"
	"github.com/heddle-mc/heddle/internal/kernel/sockets"
	"github.com/heddle-mc/heddle/internal/lts"
)

// metIn returns whom the programs of systems have met.
func metIn(list []lts.System) *kernel.Met {
	all := new(kernel.Met)
	for _, sys := range list {
		if s, ok := sys.(interface{ Met() *kernel.Met }); ok {
			if m := s.Met(); m != nil {
				all.Add(m)
			}
		}
	}
	return all
}

// Missed reports whether the programs of systems have listened for somebody who did not come, or wanted to reach somebody who was not there.
func Missed(list []lts.System) bool {
	met := metIn(list)
	return slices.ContainsFunc(met.Places(), func(p sockets.Place) bool { return !p.Listens || !met.Connected() })
}

// unmet makes a result inconclusive that says nothing of what the program is for: nobody came to where it listens, unless it is said to be
// alone, it has found nobody where it looked for somebody, or the peers that it was to be checked with were never met.
func unmet(res *explore.Result, met *kernel.Met, alone bool) {
	if res.Verdict != explore.Verified {
		return
	}
	if awaited := met.Awaited(); len(awaited) > 0 && !alone {
		leave(res, "nobody came to %s: name a client with -client, or check both together, heddle check SERVER CLIENT; with -alone nobody ever comes", strings.Join(awaited, ", "))
	}
	if refused := met.Refused(); len(refused) > 0 {
		leave(res, "nobody was at %s, so that only refused connections were seen: name a server with -server, or check both together, heddle check SERVER CLIENT", strings.Join(refused, ", "))
	}
	if unused := met.Unused(); len(unused) > 0 {
		leave(res, "the program never had to do with %s: see whether they use the same ports", strings.Join(unused, ", "))
	}
}

// cut makes a result inconclusive if no path has come to the end of main, or of the test, and some could have, if the clock had moved more often.
func cut(res *explore.Result, met drive.Met, ticks int) {
	if res.Verdict == explore.Verified && met.Has(drive.MetCut) && !met.Has(drive.MetEnd) {
		leave(res, "no path came to the end of the program before the clock had moved %d times where the program looks at it: -ticks says how often it may", ticks)
	}
}

// Besides looks at what is not seen in the graph of a program: whether time alone hides a race, and whether the program came to do
// what it is there for. It is for who knows from elsewhere that nothing is wrong in any of so many states, which the systems of the
// task have gone through. The result is verified, too, or says what is wrong, or why nothing is known.
func (s *Task) Besides(states int64) (*explore.Result, error) {
	out, left, err := s.untimed(states)
	if err != nil {
		return nil, err
	}
	if out != nil {
		return out.Result, nil
	}
	res := &explore.Result{Verdict: explore.Verified}
	if len(left) > 0 {
		res.Verdict, res.Left = explore.Inconclusive, left
	}
	unmet(res, metIn(s.Pool.List), s.Settings.Alone)
	cut(res, thingsIn(s.Pool.List), s.Settings.Ticks)
	return res, nil
}

// NeverRun makes a result inconclusive if it says that a test is right that was never run, since a TestMain decides what runs, or that never
// ends. The systems were searched.
func NeverRun(res *explore.Result, prog *bytecode.Program, pkg, test string, list []lts.System) {
	if test == "" || res.Verdict != explore.Verified {
		return
	}
	names := TestFunctions(prog, pkg, test)
	entered := func(sys lts.System) bool {
		s, ok := sys.(interface{ Entered(name string) bool })
		return !ok || slices.ContainsFunc(names, s.Entered)
	}
	if len(names) > 0 && !slices.ContainsFunc(list, entered) {
		res.Conclude(nil, []explore.Left{{Reason: explore.SystemBound, Text: "the test was never run: TestMain ends before it, or leaves it out"}})
		return
	}
	if !thingsIn(list).Has(drive.MetEnd) {
		res.Conclude(nil, []explore.Left{{Reason: explore.SystemBound, Text: "no path comes to the end of the test (-livelock looks whether somebody gets nowhere)"}})
	}
}

// SkipsSome reports whether a test, or one below it, was skipped in some state of systems whose executed statements are counted.
func SkipsSome(list []lts.System) bool {
	return slices.ContainsFunc(list, func(sys lts.System) bool {
		s, ok := sys.(interface{ Skips() bool })
		return ok && s.Skips()
	})
}

// NoneRan reports whether a test of systems that were searched has only tests below it that are left out, by -run or -skip.
func NoneRan(list []lts.System) bool {
	return !slices.ContainsFunc(list, func(sys lts.System) bool {
		s, ok := sys.(interface{ Ran() bool })
		return !ok || s.Ran()
	})
}

// TestFunctions returns the names of a test's functions: a package and its tests outside may both have one. A package main is called so.
func TestFunctions(prog *bytecode.Program, pkg, test string) (names []string) {
	for _, pkg := range []string{pkg, pkg + "_test", "main", "main_test"} {
		name := pkg + "." + test
		if slices.ContainsFunc(prog.Funcs, func(f bytecode.Func) bool { return f.Name == name }) {
			names = append(names, name)
		}
	}
	return names
}

func leave(res *explore.Result, format string, args ...any) {
	res.Verdict = explore.Inconclusive
	res.Left = append(res.Left, explore.Left{Reason: explore.SystemBound, Text: fmt.Sprintf(format, args...)})
}
