package trace

import (
	"fmt"
	"slices"
	"strings"
)

// A lock goes by one name in a trace, and may be called something else at a line of the source. It may be locked for reading only.
type lock struct {
	name, here string
	read       bool
}

// A grip is that an actor holds a lock since a step.
type grip struct {
	actor string
	lock  lock
	step  int
}

// CauseText says in one line who holds what and wants what, if actors wait for locks of each other in a circle, or for one that somebody
// holds who is gone; or who came between two steps of another; or "". It goes by the words of the steps.
//
//	first holds a since step 2 and wants b, second holds b (its to) since step 3 and wants a (its from)
func (t *Trace) CauseText() string {
	held := t.held()
	for _, w := range t.Waiting {
		if text := t.circle(held, w.Actor); text != "" {
			return text + "\n"
		}
	}
	switch t.Finding.Kind {
	case "deadlock":
	case "leak":
		return t.leftAlone()
	default: // who does not wait may still go on
		return t.between()
	}
	for _, w := range t.Waiting {
		for _, h := range held {
			if want, ok := locked(w.For); ok && h.lock.name == want.name && h.actor != w.Actor && !t.there(h.actor) {
				return fmt.Sprintf("%s wants %s, which %s holds since step %d and has ended\n", w.Actor, want.here, h.actor, h.step)
			}
		}
	}
	return ""
}

// leftAlone tells who was the last to act on what somebody waits for whom nobody can release, or "".
func (t *Trace) leftAlone() string {
	for _, w := range t.Waiting {
		if i := t.lastUse(&w); i >= 0 {
			return fmt.Sprintf("nobody can release %s any more: the last other one to use what it waits for was %s, at step %d: %s\n", w.Actor, t.Steps[i].Actor, i+1, brief(t.Steps[i].Action))
		}
	}
	return ""
}

// between tells of an actor that has changed something between two steps of another one on the same thing: of a variable that the other
// one reads and then overwrites, or of what the last step goes wrong on. It is "" if there is none.
func (t *Trace) between() string {
	if t.Loop > 0 || t.Finding.Kind == "race" {
		return ""
	}
	for k := len(t.Steps) - 1; k > 0; k-- {
		last := k == len(t.Steps)-1 && happens(t.Finding.Kind)
		s := &t.Steps[k]
		if s.Weight == Apart || s.Library {
			continue
		}
		for _, touch := range s.Touched {
			variable, isVariable := strings.CutPrefix(touch.Thing, "variable ")
			switch {
			case isVariable && touch.Write && t.uses(k, touch.Thing) == onlyWrites:
				if i, j := t.rivals(k, touch.Thing); i >= 0 && t.uses(i, touch.Thing) == onlyReads {
					return fmt.Sprintf("%s reads %s at step %d and writes it at step %d; what %s writes to it in between, at step %d, is overwritten\n",
						s.Actor, variable, i+1, k+1, t.Steps[j].Actor, j+1)
				}
			case last && !isVariable && touch.Thing != "something" && hasWord(s.Action, touch.Thing):
				if i, j := t.rivals(k, touch.Thing); i >= 0 {
					return fmt.Sprintf("between steps %d and %d of %s comes step %d of %s: %s\n", i+1, k+1, s.Actor, j+1, t.Steps[j].Actor, brief(t.Steps[j].Action))
				}
			}
		}
	}
	return ""
}

// How a step uses a thing.
const (
	onlyReads  = 1
	onlyWrites = 2
)

// uses returns how a step uses a thing, 0 if it does not.
func (t *Trace) uses(i int, thing string) (how int) {
	for _, touch := range t.Steps[i].Touched {
		switch {
		case touch.Thing != thing:
		case touch.Write:
			how |= onlyWrites
		default:
			how |= onlyReads
		}
	}
	return how
}

// rivals returns the last step before step k of its actor that uses a thing, and the last one between the two of another actor that
// writes it; or -1.
func (t *Trace) rivals(k int, thing string) (i, j int) {
	j = -1
	for i = k - 1; i >= 0; i-- {
		how := t.uses(i, thing)
		switch {
		case how == 0:
		case t.Steps[i].Actor == t.Steps[k].Actor && j >= 0:
			return i, j
		case t.Steps[i].Actor == t.Steps[k].Actor:
			return -1, -1
		case how != onlyReads && j < 0:
			j = i
		}
	}
	return -1, -1
}

// held returns who holds which locks in the end, in the order in which they were taken.
func (t *Trace) held() (list []grip) {
	for i := range t.Steps {
		s := &t.Steps[i]
		if s.Library {
			continue
		}
		if l, ok := locked(s.Action); ok {
			list = append(list, grip{s.Actor, l, i + 1})
			continue
		}
		if l, ok := unlocked(s.Action); ok {
			at := slices.IndexFunc(list, func(g grip) bool { return g.lock.name == l.name && g.actor == s.Actor })
			if at < 0 { // another one may do that
				at = slices.IndexFunc(list, func(g grip) bool { return g.lock.name == l.name })
			}
			if at >= 0 {
				list = slices.Delete(list, at, at+1)
			}
		}
	}
	return list
}

// circle tells of a circle that an actor is in, or "".
func (t *Trace) circle(held []grip, first string) string {
	var around []grip // each holds what the one before wants
	for actor := first; ; {
		want, ok := t.wants(actor)
		if !ok {
			return ""
		}
		at := slices.IndexFunc(held, func(g grip) bool { return g.lock.name == want.name && t.there(g.actor) })
		if at < 0 || len(around) > len(t.Waiting) {
			return ""
		}
		h := held[at]
		if h.actor == actor && len(around) == 0 {
			return t.again(h, want)
		}
		around = append(around, h)
		if actor = h.actor; actor != first {
			continue
		}
		last := len(around) - 1 // what the first one holds
		return t.circleText(append([]grip{around[last]}, around[:last]...))
	}
}

// again tells of an actor that wants what it holds itself.
func (t *Trace) again(h grip, want lock) string {
	switch {
	case h.lock.read && !want.read:
		return fmt.Sprintf("%s has read-locked %s since step %d and wants to lock it", h.actor, h.lock.here, h.step)
	case h.lock.read && want.read:
		for _, w := range t.Waiting { // readers wait behind it
			if l, ok := locked(w.For); ok && l.name == want.name && !l.read {
				return fmt.Sprintf("%s has read-locked %s since step %d and wants to once more, behind %s, which waits to lock it", h.actor, h.lock.here, h.step, w.Actor)
			}
		}
	}
	return fmt.Sprintf("%s holds %s since step %d and wants it again", h.actor, h.lock.here, h.step)
}

// circleText tells of a circle. A lock goes by the name that is met first, with what it is called where somebody else uses it.
func (t *Trace) circleText(around []grip) string {
	called, used := map[string]string{}, map[string]bool{}
	tell := func(l lock) string {
		here, _, _ := strings.Cut(l.here, "#")
		name, known := called[l.name]
		if !known {
			if name = here; used[name] {
				name = l.name
			}
			called[l.name], used[name] = name, true
		}
		if first, _, _ := strings.Cut(name, "#"); first != here {
			name += " (its " + here + ")"
		}
		return name
	}
	var parts []string
	for _, h := range around {
		want, _ := t.wants(h.actor)
		parts = append(parts, fmt.Sprintf("%s holds %s since step %d and wants %s", h.actor, tell(h.lock), h.step, tell(want)))
	}
	return some(parts, ", ")
}

// wants returns the lock that an actor waits for.
func (t *Trace) wants(actor string) (l lock, ok bool) {
	for _, w := range t.Waiting {
		if w.Actor == actor {
			return locked(w.For)
		}
	}
	return lock{}, false
}

// there reports whether an actor waits in the end.
func (t *Trace) there(actor string) bool {
	for _, w := range t.Waiting {
		if w.Actor == actor {
			return true
		}
	}
	return false
}

// locked returns what an action locks, if it does nothing but that.
func locked(action string) (lock, bool) { return named(action, "lock ", "read-lock ") }

func unlocked(action string) (lock, bool) { return named(action, "unlock ", "read-unlock ") }

// named returns the lock behind one of some words: "to.mu", or "to.mu (= a.mu)" if it goes by the latter.
func named(action string, words ...string) (lock, bool) {
	for _, word := range words {
		if rest, ok := strings.CutPrefix(action, word); ok {
			here, behind, also := strings.Cut(rest, " (= ")
			read := strings.HasPrefix(word, "read-")
			if name, _, ok := strings.Cut(behind, ")"); also && ok {
				return lock{name, here, read}, true
			}
			if at := strings.IndexAny(rest, ",;: "); at >= 0 {
				rest = rest[:at]
			}
			return lock{rest, rest, read}, rest != "" && rest != "something"
		}
	}
	return lock{}, false
}
