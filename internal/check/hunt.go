package check

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/hunt"
	"github.com/heddle-mc/heddle/internal/lts"
)

// A hunter hunts beside the searches of a task. How much of the work is the hunt's depends on what the
// searches have done, and not on the time that took. As long as they may come to an end soon, that is a tenth.
type hunter struct {
	task    *Task
	hunt    *hunt.Hunt
	systems []lts.System
	worked  int64 // by the search, when it was asked last
	share   int64 // of the hunt, of the work of all searches
	ahead   int64 // of that, what it has had because the end seemed to be far away
	begun   bool
	stop    func() bool
}

const (
	// huntFirst is what the hunt's share has to be before it begins: where a search ends at once, it does not pay.
	huntFirst = 50_000
	// huntMore is after how much work of a search half of all work is the hunt's: about ten seconds.
	huntMore = 150_000_000
	// huntStraight is after how much work a search that goes straight on may be one without an end, or one that has very much before it may
	// not be over soon, and huntAhead how much the hunt has for that at most: about a second.
	huntStraight = 3_000_000
	huntAhead    = 30_000_000
	// PeerLump is a HuntLump for programs with live peers.
	PeerLump = 500_000
	// huntDeep is from which depth on a search that is on its way down counts as one that may never come back.
	huntDeep = 32
)

// newHunter returns nil if the task does not hunt.
func (s *Task) newHunter() *hunter {
	if !s.Hunt || s.Options.Strategy != explore.DepthFirst || s.Member != nil || s.Live != nil {
		return nil
	}
	h := &hunter{task: s, stop: s.Options.Interrupt}
	if h.stop == nil {
		h.stop = func() bool { return false }
	}
	h.hunt = hunt.New(hunt.Plan{New: h.newSystem, Stop: h.stop, All: s.Options.All, Depth: s.Options.Limits.Depth, Seed: s.Options.Seed, Lump: s.HuntLump})
	return h
}

// newSystem makes a system of a member. It goes by no guesses, and no views, unless the member follows reduced steps only.
func (h *hunter) newSystem(reduced bool) (sys lts.System, view string, err error) {
	own := h.task.Settings
	defer func(known execute.Known) { own.Known = known }(own.Known)
	if !reduced || !h.task.Options.Reduce {
		own.Known = execute.Plain()
	}
	own.Known.Views.Short, own.Known.Views.Ends = true, own.Properties.Survives()
	if sys, err = h.task.Pool.Make(); err == nil {
		h.systems = append(h.systems, sys)
	}
	return sys, own.Known.Views.String(), err
}

// beside returns the options of a search beside which is hunted.
func (h *hunter) beside(o explore.Options) explore.Options {
	if h == nil {
		return o
	}
	h.worked = 0
	o.Beside = func(at explore.At) bool {
		work := at.Transitions * hunt.StepWork
		list := h.task.Pool.List
		if o.Workers > 1 { // the others are busy
			list = list[:1]
		}
		for _, sys := range list {
			if w, ok := sys.(lts.Work); ok {
				work += w.Work()
			}
		}
		if at.Transitions > 0 { // what comes before is the same for all
			done := work - h.worked
			if faraway(at, work) && h.ahead < huntAhead {
				h.share += done
				h.ahead += done
			} else {
				h.share += done / parts(at, work)
			}
		}
		h.worked = work
		h.begun = h.begun || h.share > huntFirst
		return h.begun && h.hunt.Go(h.share)
	}
	return o
}

// straight says whether a search goes straight on, by way of reduction, where others could have gone on: one of them may be an
// endless loop. If it comes to an end after all, what the hunt had meanwhile is little.
func straight(at explore.At) bool { return at.Passes && at.Branches == 0 && at.Depth > huntDeep }

// faraway says whether the end of a search seems to be far away, after it has gone on for a while.
func faraway(at explore.At, work int64) bool {
	return work > huntStraight && (at.Distant || straight(at))
}

// parts returns of how many parts one is the hunt's. A search that is still on its way down, and has passed others by, may never come
// back from there.
func parts(at explore.At, work int64) int64 {
	if work > huntMore || at.Branches > 0 && at.Depth > huntDeep && 2*int64(at.Depth) > at.Transitions {
		return 1
	}
	return 10
}

// add adds what the hunt has found to the result of a search. It reports whether there is something.
func (h *hunter) add(res *explore.Result) bool {
	if h == nil {
		return false
	}
	found := h.hunt.Found()
	if len(found) == 0 {
		return false
	}
	if !h.task.Options.All { // that is what has ended the search
		res.Left = slices.DeleteFunc(res.Left, func(l explore.Left) bool { return l.Reason == explore.Interrupted })
	}
	res.Keep(found)
	return true
}

// end ends the hunt.
func (h *hunter) end() (*hunt.Known, error) {
	if h == nil {
		return nil, nil
	}
	known, err := h.hunt.End()
	for _, sys := range h.systems {
		if h.task.Hunted != nil {
			h.task.Hunted(sys)
		}
		CloseSystem(sys)
	}
	if len(h.systems) == 0 {
		return nil, err
	}
	return known, err
}

// keepHunted adds to a result what members of the hunt have found that were not over before it ended: all of it, or one finding if
// there is none.
func keepHunted(res *explore.Result, known *hunt.Known, all bool) {
	switch {
	case known == nil || len(known.Findings) == 0:
	case all:
		res.Keep(known.Findings)
	case len(res.Findings) == 0:
		res.Keep(known.Findings[:1])
	}
}
