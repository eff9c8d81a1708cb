package explore

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/heddle-mc/heddle/internal/stateset"
)

// Limits end a search. 0 means no limit.
type Limits struct {
	States int64
	// Depth is how long paths get: a state that many steps away is seen but not
	// left. Breadth-first, all states up to there are seen; depth-first, one that
	// was first reached on a long path is not tried again on a short one.
	Depth int
	Time  int64 // nanoseconds
	// Total says that Time is over when the clock says so, however late the search began.
	Total bool
	// Memory is in bytes. A search counts those of visited states and frontier; what else the process
	// takes Options.Full knows.
	Memory int64
}

// Progress is how far a search has come.
type Progress struct {
	States, Transitions, Revisited int64
	Depth                          int   // of the current state, or level
	Frontier                       int64 // states waiting, or on the stack
	Bytes                          int64
	Elapsed                        int64 // nanoseconds; 0 without a clock
	Rate                           int64 // states a second; 0 without a clock
	// Estimate guesses what is left, nil if it cannot be guessed.
	Estimate func() Estimate
	// Beyond is the first reason for which a state was not followed, "" if all were.
	Beyond string
}

// A search is what all strategies share.
type search struct {
	tally
	o       Options
	set     stateset.Set
	began   int64
	ticks   uint32
	resumed int64 // states that came from a checkpoint
	passed  int64 // states of walks that are not told apart

	// What the strategy sets: how much memory the frontier takes, how large it
	// is and how deep the search is.
	frontier func() (bytes, states int64, depth int)
	guess    func() Estimate // of what is left; may be nil

	team *team // nil with one worker
}

// A team is what the workers of a parallel depth-first search share.
type team struct {
	stop        atomic.Bool
	transitions atomic.Int64
}

func newSearch(o Options) *search {
	s := &search{o: o, set: o.NewSet()}
	if a, ok := s.set.(interface{ Alone() }); ok && o.Workers == 1 {
		a.Alone()
	}
	s.all, s.enough, s.bound = o.All, o.enough, -1
	s.frontier = func() (int64, int64, int) { return 0, 0, 0 }
	if o.Clock != nil {
		s.began = o.Clock()
	}
	return s
}

func (s *search) states() int64 { return s.set.Len() + s.passed }

func (s *search) bytes() int64 {
	frontier, _, _ := s.frontier()
	if o, ok := s.o.Observer.(Keeper); ok {
		frontier += o.Bytes()
	}
	return s.set.Bytes() + frontier
}

// tickMask says how often the costly limits are looked at.
const tickMask = 1<<10 - 1

// over returns the limit that is reached, or "". It is called once a transition.
func (s *search) over() Reason {
	if s.o.Limits.States > 0 && s.states() >= s.o.Limits.States {
		return LimitStates
	}
	s.ticks++
	if s.o.Interrupt != nil && s.o.Interrupt() {
		return s.stopped()
	}
	if s.ticks&tickMask != 0 {
		return ""
	}
	return s.overSlow()
}

// stopped returns why Interrupt says to stop.
func (s *search) stopped() Reason {
	switch {
	case s.late():
		return LimitTime
	case s.o.Full != nil && s.o.Full():
		return LimitMemory
	}
	return Interrupted
}

// late reports whether the time is over.
func (s *search) late() bool {
	l := &s.o.Limits
	began := s.began
	if l.Total {
		began = 0
	}
	return l.Time > 0 && s.o.Clock()-began >= l.Time
}

func (s *search) overSlow() Reason {
	if s.o.Progress != nil && s.ticks&(4*tickMask+3) == 0 {
		s.report()
	}
	switch l := s.o.Limits; {
	case s.late():
		return LimitTime
	case l.Memory > 0 && s.bytes() >= l.Memory:
		return LimitMemory
	case s.set.Err() != nil:
		return Store
	}
	return ""
}

// report calls the progress callback.
func (s *search) report() {
	p := Progress{States: s.states(), Transitions: s.transitions, Estimate: s.guess}
	if s.team != nil {
		p.Transitions = s.team.transitions.Load()
	}
	var bytes int64
	bytes, p.Frontier, p.Depth = s.frontier()
	if i := slices.IndexFunc(s.left, func(l Left) bool { return l.Reason == SystemBound }); i >= 0 {
		p.Beyond = s.left[i].Text
	}
	p.Revisited = max(p.Transitions-p.States+1, 0)
	p.Bytes = s.set.Bytes() + bytes
	if s.o.Clock != nil {
		if p.Elapsed = s.o.Clock() - s.began; p.Elapsed > 0 {
			p.Rate = int64(float64(p.States-s.resumed) / float64(p.Elapsed) * 1e9)
		}
	}
	s.o.Progress(p)
}

// abandon says that a limit ended the search with so much left.
func (s *search) abandon(why Reason, count int64, what string) {
	text := ""
	switch l := s.o.Limits; why {
	case LimitStates:
		text = fmt.Sprintf("limit of %d states", l.States)
		if l.States == 1 {
			text = "limit of 1 state"
		}
	case LimitTime:
		text = fmt.Sprintf("limit of %d ms", l.Time/1e6)
	case LimitMemory:
		text = fmt.Sprintf("limit of %d bytes", l.Memory)
	case Interrupted:
		text = "interrupted"
	case Store:
		text = "the store of visited states failed"
	}
	s.leave(Left{Reason: why, Count: count, Text: text + ": " + what})
}

// tooDeep notes a state at the limit of depth that has steps.
func (s *search) tooDeep() {
	s.leave(Left{Reason: LimitDepth, Count: 1, Text: fmt.Sprintf("limit of depth %d: states that have steps", s.o.Limits.Depth)})
}
