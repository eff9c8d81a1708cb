package trace

import (
	"fmt"
	"slices"
	"strings"
)

// weigh marks the steps that matter: it goes backwards from the finding along
// what each step depends on.
//
//	the finding  ◄── the last step, or those of the loop; of a deadlock or a leak, the actors that wait:
//	                 their last steps, the last use of what they wait for, and the
//	                 last steps of those who could have released them
//	a step       ◄── the last write of what it reads; the last write, and the
//	                 reads since, of what it writes; the step before of each of
//	                 its actors
//
// An actor of a step is the one that moves and each one that its words name: who
// is started, who is met.
func (t *Trace) weigh() {
	w := &weigher{t: t, uses: map[string][]use{}, next: make([]int, len(t.Steps))}
	w.prepare()
	w.roots()
	for j := len(t.Steps) - 1; j >= 0; j-- {
		step := &t.Steps[j]
		if len(w.things) == 0 && step.Weight == Apart {
			step.Weight = Past // nobody can know
		}
		if len(step.Why) == 0 && w.next[j] > 0 {
			step.Weight = Past
			step.Why = []Reason{{w.next[j], fmt.Sprintf("leads to step %d", w.next[j])}}
		}
		if step.Weight == Apart {
			continue
		}
		w.order(j)
		for _, touch := range step.Touched {
			w.dependencies(j, touch.Thing, touch.Write)
		}
		slices.SortStableFunc(step.Why, func(a, b Reason) int { return rank(a, t) - rank(b, t) })
	}
}

// rank orders reasons: by the later step, and the end last.
func rank(r Reason, t *Trace) int {
	if r.For == 0 {
		return len(t.Steps) + 1
	}
	return r.For
}

// A weigher is the work of weigh.
type weigher struct {
	t      *Trace
	actors [][]string       // of each step
	before map[string][]int // of each actor: its steps
	uses   map[string][]use // of each thing, in order
	things []string         // in the order of their first use
	next   []int            // the number of a later step that has it in its past, or 0
}

// A use is a step that touches a thing.
type use struct {
	step  int
	write bool
}

func (w *weigher) prepare() {
	names := w.t.actorNames()
	w.before = map[string][]int{}
	for i := range w.t.Steps {
		s := &w.t.Steps[i]
		involved := []string{s.Actor}
		for _, name := range names {
			if name != s.Actor && hasWord(s.Action, name) {
				involved = append(involved, name)
			}
		}
		w.actors = append(w.actors, involved)
		for _, name := range involved {
			w.before[name] = append(w.before[name], i)
		}
		for _, touch := range s.Touched {
			list := w.uses[touch.Thing]
			if list == nil {
				w.things = append(w.things, touch.Thing)
			}
			if n := len(list); n > 0 && list[n-1].step == i {
				list[n-1].write = list[n-1].write || touch.Write
				continue
			}
			w.uses[touch.Thing] = append(list, use{i, touch.Write})
		}
	}
}

// key marks a step as one that others depend on.
func (w *weigher) key(i, later int, text string) {
	s := &w.t.Steps[i]
	s.Weight = Key
	if !slices.ContainsFunc(s.Why, func(r Reason) bool { return r.Text == text }) {
		s.Why = append(s.Why, Reason{later, text})
	}
}

// maxReleasers is how many actors that could have released one are worth naming.
const maxReleasers = 2

// roots marks what the finding itself depends on.
func (w *weigher) roots() {
	t := w.t
	if len(t.Steps) == 0 {
		return
	}
	if t.Loop > 0 {
		for i := t.Loop - 1; i < len(t.Steps); i++ {
			w.key(i, 0, "goes around in the loop")
		}
		return
	}
	if t.Finding.Kind != "deadlock" && t.Finding.Kind != "leak" || len(t.Waiting) == 0 {
		kind := t.Finding.Kind
		if kind == "" {
			kind = "the end"
		}
		w.key(len(t.Steps)-1, 0, "leads to "+kind)
		return
	}
	for _, waiting := range t.Waiting {
		if i := w.last(waiting.Actor, len(t.Steps)); i >= 0 {
			w.key(i, 0, fmt.Sprintf("last step of %s, which then waits", waiting.Actor))
		}
		for _, thing := range w.things {
			if !slices.Contains(waiting.On, thing) && !hasWord(waiting.For, thing) {
				continue
			}
			uses := w.uses[thing]
			for i := len(uses) - 1; i >= 0; i-- {
				if u := uses[i]; u.write {
					w.key(u.step, 0, fmt.Sprintf("last use of %s, for which %s waits", thing, waiting.Actor))
					break
				}
			}
		}
		if len(waiting.Releasers) > maxReleasers {
			continue // of so many it says little that each could have
		}
		for _, r := range waiting.Releasers {
			if i := w.last(r, len(t.Steps)); i >= 0 && r != waiting.Actor {
				w.key(i, 0, fmt.Sprintf("last step of %s, which could have released %s", r, waiting.Actor))
			}
		}
	}
}

// last returns the last step before j that has a part in it, or -1.
func (w *weigher) last(actor string, j int) int {
	list := w.before[actor]
	n, _ := slices.BinarySearch(list, j)
	if n == 0 {
		return -1
	}
	return list[n-1]
}

// order marks the steps that come before step j in the lives of its actors.
func (w *weigher) order(j int) {
	for _, actor := range w.actors[j] {
		i := w.last(actor, j)
		if i < 0 {
			continue
		}
		if mover := w.t.Steps[i].Actor; mover == actor {
			if w.next[i] == 0 {
				w.next[i] = j + 1
			}
		} else if w.before[actor][0] == i {
			w.key(i, j+1, "starts "+actor)
		} else {
			w.key(i, j+1, fmt.Sprintf("lets %s go on to step %d", actor, j+1))
		}
	}
}

// dependencies marks the steps of other actors that step j depends on because of
// a thing that it touches.
func (w *weigher) dependencies(j int, thing string, write bool) {
	uses := w.uses[thing]
	n, _ := slices.BinarySearchFunc(uses, j, func(u use, j int) int { return u.step - j })
	later := w.t.Steps[j]
	var readers []string
	for k := n - 1; k >= 0; k-- {
		u := uses[k]
		earlier := w.t.Steps[u.step]
		if u.write || write {
			if earlier.Actor != later.Actor && !slices.Contains(readers, earlier.Actor) {
				w.key(u.step, j+1, because(thing, u.write, write, earlier.Action, later.Action, j+1))
			} else if w.next[u.step] == 0 {
				w.next[u.step] = j + 1
			}
			readers = append(readers, earlier.Actor)
		}
		if u.write {
			return
		}
	}
}

// because says in words why a step depends on an earlier one.
func because(thing string, wrote, writes bool, earlier, later string, number int) string {
	named := hasWord(earlier, thing) || hasWord(later, thing)
	switch {
	case !wrote && named:
		return fmt.Sprintf("reads %s before step %d writes it", thing, number)
	case !wrote:
		return fmt.Sprintf("reads what step %d writes (%s)", number, brief(later))
	case !writes && named:
		return fmt.Sprintf("last write of %s before step %d reads it", thing, number)
	case !writes:
		return fmt.Sprintf("writes what step %d reads (%s)", number, brief(later))
	case named:
		return fmt.Sprintf("last use of %s before step %d (%s)", thing, number, brief(later))
	}
	return fmt.Sprintf("last use of the same before step %d (%s)", number, brief(later))
}

// brief cuts an action off where its details begin.
func brief(action string) string {
	if i := strings.Index(action, " ("); i > 0 {
		action = action[:i]
	}
	if r := []rune(action); len(r) > 40 {
		action = string(r[:39]) + "…"
	}
	return action
}
