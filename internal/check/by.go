package check

import (
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/reduce"
)

// Settle is for searches that are not those of a Task. It has a search run that goes by what is known
// first, and again as long as that turns out to be wrong. Run returns what turned out in
// each of the search's systems. The last time nothing is taken for granted. Run
// may end it all by saying that it is done: what a search has found wrong is wrong
// whatever it went by.
func Settle(first execute.Known, run func(known execute.Known) (found []*execute.Found, done bool)) {
	reduce.Settle(reduce.Plan[execute.Known, struct{}]{ // there are no errors
		First: first,
		Search: func(known execute.Known) (a reduce.Attempt[execute.Known, struct{}], err error) {
			found, done := run(known)
			a.Known, a.News = known.Learn(found...)
			a.Over = done
			return a, nil
		},
	})
}
