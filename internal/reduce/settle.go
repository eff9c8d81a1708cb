package reduce

// A search goes by what is known of the program: which guesses are wrong, and which views
// fit it. If something more turns out while it runs, what it has found wrong is
// wrong, since every path that was followed is one of the program. But that nothing
// else is wrong must be shown again, with what is known then.
//
//	known ──► search ──► something is wrong ─────────► Refuted
//	  ▲         │
//	  │         ├──────► a limit, or the user ───────► Stopped
//	  │         │
//	  └─ news ──┤
//	            └──────► nothing new, all searched ──► Proved
//
// What turns out does so early in most programs, and a search that has to begin again had
// better not be a long one. So it is tried with a few states first, and then with more.

// An End says how a search has ended. The zero End proves nothing.
type End uint8

// The ends.
const (
	Stopped End = iota // before everything was searched, and nothing wrong was seen
	Refuted            // something is wrong
	Proved             // everything was searched, going by what is so, and nothing is wrong
)

func (e End) String() string { return [...]string{"stopped", "refuted", "proved"}[e] }

// An Attempt is one search.
type Attempt[K, R any] struct {
	Result R
	Known  K    // what is known after it
	News   bool // that is more than before
	Found  bool // something is wrong
	Whole  bool // everything that there is was searched
	Over   bool // the time is over, or the user has had enough: there is no use in another one
}

// A Plan says how to search.
type Plan[K, R any] struct {
	// First is what is known at first, and Plain what a search goes by if there seems to be no
	// end of news: nothing can turn out then.
	First, Plain K
	// Trials search a little, each of them more than the one before it.
	Trials []func(known K) (Attempt[K, R], error)
	// Alike says that a trial that comes to an end is as good as a search.
	Alike bool
	// Search searches everything.
	Search func(known K) (Attempt[K, R], error)
	// All goes on when something wrong was found.
	All bool
}

// Settled is how the attempts of a plan have ended. Its end is given by Settle alone.
type Settled[K, R any] struct {
	Result R // of the last attempt
	Known  K // after it
	end    End
}

// End returns how it has ended.
func (s *Settled[K, R]) End() End { return s.end }

// Verified reports whether everything was searched and nothing is wrong.
func (s *Settled[K, R]) Verified() bool { return s.end == Proved }

// The numbers of attempts, of each trial too, before nothing more is guessed. A search is given up soon after something has turned out
// (check.patience), and what it would have met later turns out in the next one: so there may be many short ones.
const (
	maxTrials   = 24
	maxSearches = 32
)

// Settle searches until it is known what is so. Errors are those of the plan.
func Settle[K, R any](p Plan[K, R]) (Settled[K, R], error) {
	known := p.First
	for _, trial := range p.Trials {
		for range maxTrials {
			a, err := trial(known)
			switch {
			case err != nil:
				return Settled[K, R]{}, err
			case a.Over || p.Alike && a.Found && !p.All:
				return a.stopped(), nil
			case p.Alike && a.Whole && !a.News:
				return a.ended(), nil
			}
			if known = a.Known; !a.News {
				break
			}
		}
	}
	for range maxSearches {
		a, err := p.Search(known)
		switch {
		case err != nil:
			return Settled[K, R]{}, err
		case a.Over || a.Found && !p.All:
			return a.stopped(), nil
		case !a.News:
			return a.ended(), nil
		}
		known = a.Known
	}
	a, err := p.Search(p.Plain)
	switch {
	case err != nil:
		return Settled[K, R]{}, err
	case a.Over || a.News:
		return a.stopped(), nil
	}
	return a.ended(), nil
}

// stopped ends with an attempt that proves nothing.
func (a *Attempt[K, R]) stopped() Settled[K, R] {
	s := Settled[K, R]{Result: a.Result, Known: a.Known, end: Stopped}
	if a.Found {
		s.end = Refuted
	}
	return s
}

// ended ends with an attempt in which nothing new has turned out. It is the one place where something is
// proved.
func (a *Attempt[K, R]) ended() Settled[K, R] {
	s := a.stopped()
	if a.Whole && !a.News && !a.Over && !a.Found {
		s.end = Proved
	}
	return s
}
