package check

import (
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/reduce"
)

// Settle is for searches that are not those of a Task. It has a search run with guesses that make reduction strong, and again
// with fewer as long as they turn out to be wrong. Run returns what turned out in
// each of the search's systems. The last time no guess is made. Run
// may end it all by saying that it is done: what a search has found wrong is wrong
// whatever was guessed.
func Settle(run func(known drive.Known) (found []*drive.Found, done bool)) {
	reduce.Settle(reduce.Plan[drive.Known, struct{}]{ // there are no errors
		First: drive.Unknown(),
		Doubt: drive.Known.Doubt,
		Search: func(known drive.Known) (a reduce.Attempt[drive.Known, struct{}], err error) {
			found, done := run(known)
			a.Known, a.News = known.Learn(found...)
			a.Over = done
			return a, nil
		},
	})
}
