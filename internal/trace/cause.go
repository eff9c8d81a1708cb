package trace

import (
	"fmt"
	"slices"
	"strings"
)

// A grip is that an actor holds a lock since a step.
type grip struct {
	actor, lock string
	step        int
}

// CauseText says in one line who holds what and wants what, if actors wait for locks of each other in a circle, or for one that somebody
// holds who is gone; or "". It goes by the words of the steps.
//
//	main.first holds a since step 2 and wants b, main.second holds b since step 3 and wants a
func (t *Trace) CauseText() string {
	held := t.held()
	for _, w := range t.Waiting {
		if text := t.circle(held, w.Actor); text != "" {
			return text + "\n"
		}
	}
	if t.Finding.Kind != "deadlock" { // who does not wait may still go on
		return ""
	}
	for _, w := range t.Waiting {
		for _, h := range held {
			if want, ok := locked(w.For); ok && h.lock == want && h.actor != w.Actor && !t.there(h.actor) {
				return fmt.Sprintf("%s wants %s, which %s holds since step %d and has ended\n", w.Actor, want, h.actor, h.step)
			}
		}
	}
	return ""
}

// held returns who holds which locks in the end, in the order in which they were taken.
func (t *Trace) held() (list []grip) {
	for i := range t.Steps {
		s := &t.Steps[i]
		if s.Library {
			continue
		}
		if name, ok := locked(s.Action); ok {
			list = append(list, grip{s.Actor, name, i + 1})
			continue
		}
		if name, ok := unlocked(s.Action); ok {
			at := slices.IndexFunc(list, func(g grip) bool { return g.lock == name && g.actor == s.Actor })
			if at < 0 { // another one may do that
				at = slices.IndexFunc(list, func(g grip) bool { return g.lock == name })
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
	var parts []string
	for actor := first; ; {
		want, ok := t.wants(actor)
		if !ok {
			return ""
		}
		at := slices.IndexFunc(held, func(g grip) bool { return g.lock == want && t.there(g.actor) })
		if at < 0 || len(parts) > len(t.Waiting) {
			return ""
		}
		h := held[at]
		next, ok := t.wants(h.actor)
		if !ok {
			return ""
		}
		if h.actor == actor && len(parts) == 0 {
			return fmt.Sprintf("%s holds %s since step %d and wants it again", actor, want, h.step)
		}
		parts = append(parts, fmt.Sprintf("%s holds %s since step %d and wants %s", h.actor, h.lock, h.step, next))
		if actor = h.actor; actor == first {
			last := len(parts) - 1 // what the first one holds
			return strings.Join(append([]string{parts[last]}, parts[:last]...), ", ")
		}
	}
}

// wants returns the lock that an actor waits for.
func (t *Trace) wants(actor string) (lock string, ok bool) {
	for _, w := range t.Waiting {
		if w.Actor == actor {
			return locked(w.For)
		}
	}
	return "", false
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
func locked(action string) (name string, ok bool) { return named(action, "lock ", "read-lock ") }

func unlocked(action string) (name string, ok bool) { return named(action, "unlock ", "read-unlock ") }

func named(action string, words ...string) (string, bool) {
	for _, word := range words {
		if name, ok := strings.CutPrefix(action, word); ok {
			if at := strings.IndexAny(name, ",;: "); at >= 0 {
				name = name[:at]
			}
			return name, name != "" && name != "something"
		}
	}
	return "", false
}
