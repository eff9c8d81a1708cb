package main

import (
	"fmt"
	"strings"

	"github.com/heddle-mc/heddle/internal/explore"
)

// percents are after what part of the states searches are cut off.
var percents = [...]int64{1, 10, 30, 50}

// smallest is how many states there have to be.
const smallest = 500

// A row is what was guessed of one subject.
type row struct {
	kind, name string
	states     int64
	guesses    [len(percents)]guess
}

// A guess is what a search says that was cut off.
type guess struct {
	seen int64
	explore.Estimate
}

// ratio is how many times the true number of states the guess is, 0 if there is none.
func (g guess) ratio(states int64) float64 {
	if !g.Known() {
		return 0
	}
	return float64(g.seen+g.Left) / float64(states)
}

// measure searches a subject. It returns nil if it is too small or too large.
func measure(s subject, most limits) (*row, error) {
	search, err := s.open()
	if err != nil {
		return nil, nil // what cannot be built is for others to mend
	}
	whole, err := search(most)
	if err != nil {
		return nil, nil
	}
	if cutOff(whole) || whole.States < smallest {
		return nil, nil
	}
	r := &row{kind: s.kind, name: s.name, states: whole.States}
	for i, percent := range percents {
		part, err := search(limits{states: max(whole.States*percent/100, 1)})
		if err != nil {
			return nil, err
		}
		r.guesses[i] = guess{part.States, part.Estimate}
	}
	return r, nil
}

// cutOff reports whether a limit has ended a search.
func cutOff(r *explore.Result) bool {
	for _, l := range r.Left {
		switch l.Reason {
		case explore.LimitTime, explore.LimitMemory, explore.LimitStates, explore.Interrupted:
			return true
		}
	}
	return false
}

// again reports whether a row is about the same search as the last one: reduction makes no difference.
func (r *row) again(rows []*row) bool {
	return len(rows) > 0 && r.states == rows[len(rows)-1].states && r.guesses == rows[len(rows)-1].guesses
}

func (r *row) String() string {
	var list []string
	for _, g := range r.guesses {
		switch {
		case !g.Known():
			list = append(list, "-")
		case g.AtLeast:
			list = append(list, fmt.Sprintf(">%.2f", g.ratio(r.states)))
		default:
			list = append(list, fmt.Sprintf("%.2f", g.ratio(r.states)))
		}
	}
	return fmt.Sprintf("%s: %s: %d states: %s", r.kind, r.name, r.states, strings.Join(list, " "))
}
