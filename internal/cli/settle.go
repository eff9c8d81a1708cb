package cli

import (
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
)

// What reduction assumes turns out not to be so early in most programs, and a search
// that has to begin again had better not be a long one. So it is first tried with a few
// states, one worker and depth first: then it is the same whatever search follows.
const (
	trialStates = 2000
	maxTrials   = 24
)

// found returns what turned out in the systems of a search.
func (p *systems) found() (list []*drive.Assumptions) {
	for _, sys := range p.list {
		if f, ok := sys.(interface{ Found() *drive.Assumptions }); ok {
			list = append(list, f.Found())
		}
	}
	return list
}

// trial searches a few states until nothing more turns out, and returns what did.
// If a trial was all of the search that o asks for, or was interrupted, its result
// is returned too.
func trial(s *execute.Settings, pool *systems, o explore.Options) (known *drive.Assumptions, res *explore.Result, err error) {
	short := explore.Options{Reduce: true, Interrupt: o.Interrupt}
	like := o.Strategy == explore.DepthFirst && o.Workers < 2
	if like {
		short = o
	}
	if short.Limits.States == 0 || short.Limits.States > trialStates {
		short.Limits.States = trialStates
	}
	known = new(drive.Assumptions)
	for range maxTrials {
		pool.close()
		s.Assume = known
		r, err := explore.Run(pool.new, short)
		if err != nil {
			return nil, nil, err
		}
		next, news := new(drive.Assumptions), false
		next.Add(known)
		for _, f := range pool.found() {
			news = next.Add(f) || news
		}
		over := like && len(r.Left) == 0 && (!news || len(r.Findings) > 0 && !o.All)
		if over || o.Interrupt() { // a peer has failed, or the user has had enough
			return next, r, nil
		}
		if !news {
			return next, nil, nil
		}
		known = next
	}
	return known, nil, nil
}
