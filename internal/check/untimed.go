package check

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
)

// That time has passed orders nothing: two accesses of which one comes after a time.Sleep of a second race, if nothing
// else orders them, as the race detector has it. A search in which nobody is late for so long does not see that. So
// a program in which nothing is wrong is searched a second time, for races alone, in which time.Sleep returns at any
// moment. Timers are as before: one that is stopped in time does not fire. That search may have many more states. It is tried with a number
// of them, and what is not seen then is what the bound of -late leaves out. Where nobody has ever slept it would be the same search.

// untimedStates is how many states are searched so at least.
const untimedStates = 10_000

// untimed returns how the second search has ended if it has found a race, and what it has left because of a limit that somebody has
// set, or an interrupt. Both are nil if there is none, or there is no need to search. The first one had so many states.
func (s *Task) untimed(states int64) (*Outcome, []explore.Left, error) {
	own := *s.Settings
	if !Held(FoundIn(s.Pool.List)) || !own.Properties.On(execute.Race) || s.Member != nil || own.Known.Views.Wakes ||
		!thingsIn(s.Pool.List).Has(drive.MetSleep) {
		return nil, nil, nil
	}
	defer func() { *s.Settings = own }()
	s.Settings.Properties.Off = slices.DeleteFunc(slices.Clone(execute.AllProperties), func(p execute.Property) bool { return p == execute.Race })
	pool := &Pool{Make: s.Pool.Make}
	defer pool.Close()
	limits, asked := s.Options.Limits, true // for so few states
	if most := max(untimedStates, states); limits.States == 0 || limits.States > most {
		limits.States, asked = most, false
	}
	known := execute.Plain()
	if s.Options.Reduce {
		known = execute.Unknown(own.Without...)
	}
	known.Views.Wakes = true
	second := Task{Settings: s.Settings, Pool: pool, First: &known, Options: explore.Options{
		Reduce: s.Options.Reduce, Limits: limits, Clock: s.Options.Clock, Interrupt: s.Options.Interrupt, Full: s.Options.Full, All: s.Options.All,
	}}
	out, err := second.Search()
	if err != nil || len(out.Findings) > 0 {
		return out, nil, err
	}
	var left []explore.Left
	for _, l := range out.Left {
		if stops(l) || l.Reason == explore.LimitDepth || l.Reason == explore.LimitStates && asked {
			l.Text += ", of the search for races that only a sleep hides"
			left = append(left, l)
		}
	}
	return nil, left, nil
}
