package execute

import "github.com/heddle-mc/heddle/internal/drive"

// maxTries is how often assumptions are made anew.
const maxTries = 6

// Settle has a search run with assumptions that make reduction strong, and again
// with fewer as long as they turn out to be wrong. Run returns what turned out in
// each of the search's systems. With nil, the last time, nothing is assumed. Run
// may end it all by saying that it is done: what a search has found wrong is wrong
// whatever was assumed.
func Settle(run func(known *drive.Assumptions) (found []*drive.Assumptions, done bool)) {
	SettleFrom(new(drive.Assumptions), run)
}

// SettleFrom is Settle where it is known already that some assumptions are wrong.
func SettleFrom(known *drive.Assumptions, run func(known *drive.Assumptions) (found []*drive.Assumptions, done bool)) {
	for i := range maxTries {
		found, done := run(known)
		next := new(drive.Assumptions)
		next.Add(known)
		news := false
		for _, f := range found {
			news = next.Add(f) || news
		}
		if done || !news {
			return
		}
		if i >= 2 && len(next.Users) > len(known.Users) {
			next.Handed = true // there may be no end of them
		}
		known = next
	}
	run(nil)
}
