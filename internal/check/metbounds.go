package check

import (
	"fmt"
	"slices"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/kernel"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/report"
)

// MetBounds returns what limits the claim "verified" only because of what the programs of systems have done in
// some state.
func (s *Spec) MetBounds(list []lts.System) []report.Setting {
	var some, all bool
	for _, sys := range list {
		if x, ok := sys.(interface{ Asked() (some, all bool) }); ok {
			a, b := x.Asked()
			some, all = some || a, all || b
		}
	}
	if !some {
		return nil
	}
	return s.signalBound(all)
}

// PossibleBounds are those of a program of which it is not known what it has done.
func (s *Spec) PossibleBounds(prog *bytecode.Program) []report.Setting {
	if slices.ContainsFunc(prog.Funcs, func(f bytecode.Func) bool { return f.Native == "os/signal.signal_recv" }) {
		return s.signalBound(true)
	}
	return nil
}

// signalBound is what -signals leaves out, of a program that asks for some, or for all there are.
func (s *Spec) signalBound(all bool) []report.Setting {
	words := "no signals from outside"
	if n := s.Model.Signals; n > 0 {
		words = fmt.Sprintf("at most %d signals from outside", n)
		if n == 1 {
			words = "at most one signal from outside"
		}
		if all {
			words += ", of all only " + kernel.UsualSignals()
		}
	}
	return []report.Setting{{Name: "signals", Value: s.Model.Signals, Words: words}}
}
