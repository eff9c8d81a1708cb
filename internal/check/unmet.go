package check

import (
	"fmt"
	"strings"

	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/kernel"
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

// unmet makes a result inconclusive that says nothing of what the program is for: it has found nobody where it
// looked for somebody, or the peers that it was to be checked with were never met.
func unmet(res *explore.Result, met *kernel.Met) {
	if res.Verdict != explore.Verified {
		return
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
	if out, err := s.untimed(states); err != nil {
		return nil, err
	} else if out != nil {
		return out.Result, nil
	}
	res := &explore.Result{Verdict: explore.Verified}
	unmet(res, metIn(s.Pool.List))
	cut(res, thingsIn(s.Pool.List), s.Settings.Ticks)
	return res, nil
}

func leave(res *explore.Result, format string, args ...any) {
	res.Verdict = explore.Inconclusive
	res.Left = append(res.Left, explore.Left{Reason: explore.SystemBound, Text: fmt.Sprintf(format, args...)})
}
