package trace

import (
	"slices"
	"strings"
	"time"
)

// A Delay is for how long an actor is kept waiting that could move.
type Delay struct {
	Actor string
	Time  time.Duration
}

// Delays returns who is kept waiting in the story, and for how long at most in one go, in the order in which they are.
func (t *Trace) Delays() []Delay {
	var list []Delay
	waited := map[string]time.Duration{}
	for i := range t.Steps {
		s := &t.Steps[i]
		delete(waited, s.Actor)
		if s.Passed == 0 {
			continue
		}
		for name := range waited {
			if !slices.Contains(s.Kept, name) {
				delete(waited, name)
			}
		}
		for _, name := range s.Kept {
			waited[name] += time.Duration(s.Passed)
			at := slices.IndexFunc(list, func(d Delay) bool { return d.Actor == name })
			if at < 0 {
				at, list = len(list), append(list, Delay{Actor: name})
			}
			list[at].Time = max(list[at].Time, waited[name])
		}
	}
	return list
}

// maxDelays is how many of those that are kept waiting are named.
const maxDelays = 3

// DelayText says who has to be kept waiting for the story to happen, "" if nobody has to.
func (t *Trace) DelayText() string {
	var parts []string
	list := t.Delays()
	for i, d := range list {
		switch {
		case i == maxDelays:
			parts = append(parts, "and others")
		case i == 0:
			parts = append(parts, d.Actor+" to be kept waiting for "+d.Time.String())
		case i < maxDelays:
			parts = append(parts, d.Actor+" for "+d.Time.String())
		}
	}
	switch {
	case len(parts) == 0:
		return ""
	case t.Finding.Kind == "race": // it is one without that, too
		return "that time passes between the accesses orders nothing\n"
	}
	return "it takes " + strings.Join(parts, ", ") + " although it could run (see -late)\n"
}
