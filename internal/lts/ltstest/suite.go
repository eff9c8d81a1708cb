package ltstest

import (
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"pgregory.net/rapid"
)

// maxWalk bounds the steps of one random walk of the suite.
const maxWalk = 60

// Run is the suite: it walks at random through the systems that make returns,
// which have to be of one program, and checks what searches rely on.
func Run(t *testing.T, make func() lts.System) {
	t.Helper()
	first, second := make(), make()
	seen := seenStates{}
	rapid.Check(t, func(t *rapid.T) {
		w := &walk{t: t, sys: first, twin: second, seen: seen}
		w.start()
		t.Repeat(map[string]func(*rapid.T){
			"step":    w.step,
			"save":    w.save,
			"restore": w.restore,
			"again":   w.again,
			"foresee": w.foresee,
			"replay":  w.replay,
			"":        w.look,
		})
	})
}

// A view is all that can be seen of a state from outside.
type view struct {
	key      string
	enabled  []lts.Step
	reduced  []lts.Step
	actors   []int
	findings []diag.Finding
	final    bool
	beyond   string
}

// seenStates remembers, across walks, what a state looks like.
type seenStates map[string]view

// A walk is a state of the suite: the system, the way it went, and its marks.
type walk struct {
	t         *rapid.T
	sys, twin lts.System
	path      lts.Path
	marks     []saved
	seen      seenStates
}

type saved struct {
	mark lts.Mark
	path lts.Path
	view view
}

func key(sys lts.System) string { return string(sys.AppendKey(nil)) }

// viewOf looks at a state.
func viewOf(sys lts.System) view {
	v := view{key: key(sys), enabled: sys.Enabled(nil)}
	v.reduced = v.enabled
	if r, ok := sys.(lts.Reducer); ok {
		v.reduced = r.Reduced(nil)
	}
	if c, ok := sys.(lts.Checker); ok {
		v.findings = c.CheckState(nil)
	}
	if a, ok := sys.(lts.Actors); ok {
		for _, s := range v.enabled {
			v.actors = append(v.actors, a.Actor(s))
		}
	}
	if len(v.enabled) > 0 {
		return v
	}
	if f, ok := sys.(lts.Finisher); ok {
		v.final = f.Final()
	}
	if b, ok := sys.(lts.Bounded); ok {
		if err := b.Beyond(); err != nil {
			v.beyond = err.Error()
		}
	}
	return v
}

// arrival returns what can be asked right after a step: what was wrong with it,
// and who took it.
func arrival(sys lts.System) (wrong string, mover int) {
	if c, ok := sys.(lts.Checker); ok {
		for _, f := range c.CheckStep(nil) {
			wrong += f.Error() + "\n"
		}
	}
	if a, ok := sys.(lts.Actors); ok {
		mover = a.Mover()
	}
	return wrong, mover
}

func (v view) equal(w view) bool {
	return v.key == w.key && slices.Equal(v.enabled, w.enabled) && slices.Equal(v.reduced, w.reduced) &&
		slices.Equal(v.actors, w.actors) && v.final == w.final && v.beyond == w.beyond &&
		slices.EqualFunc(v.findings, w.findings, func(a, b diag.Finding) bool { return a.Error() == b.Error() })
}

func (w *walk) start() {
	w.sys.Reset()
	w.twin.Reset()
	if a, b := viewOf(w.sys), viewOf(w.twin); !a.equal(b) {
		w.t.Fatalf("two systems start differently:\n%+v\n%+v", a, b)
	}
}

// look checks the current state against itself and against what was seen of it
// before.
func (w *walk) look(t *rapid.T) {
	v := viewOf(w.sys)
	if again := viewOf(w.sys); !v.equal(again) {
		t.Fatalf("looking changes the state: got\n%+v\nand then\n%+v", v, again)
	}
	if old, ok := w.seen[v.key]; ok && !v.equal(old) {
		t.Fatalf("equal keys, different states: got\n%+v\nand before\n%+v", v, old)
	}
	w.seen[v.key] = v
	sorted := slices.Clone(v.enabled)
	slices.Sort(sorted)
	if len(slices.Compact(sorted)) != len(v.enabled) {
		t.Fatalf("a step is enabled twice: %v", v.enabled)
	}
	i := 0 // the reduced steps are a subsequence of the enabled ones
	for _, s := range v.enabled {
		if i < len(v.reduced) && v.reduced[i] == s {
			i++
		}
	}
	if i != len(v.reduced) || len(v.enabled) > 0 && len(v.reduced) == 0 {
		t.Fatalf("reduced steps %v of enabled ones %v", v.reduced, v.enabled)
	}
	prefix := w.sys.AppendKey([]byte("x"))
	if string(prefix) != "x"+v.key {
		t.Fatalf("AppendKey overwrites what is there")
	}
}

func (w *walk) choose(t *rapid.T) lts.Step {
	enabled := w.sys.Enabled(nil)
	if len(enabled) == 0 || len(w.path) >= maxWalk {
		t.Skip("no step")
	}
	return rapid.SampledFrom(enabled).Draw(t, "step")
}

func (w *walk) step(t *rapid.T) {
	s := w.choose(t)
	w.sys.Take(s)
	w.path = append(w.path, s)
}

// again takes a step twice, with a Restore between.
func (w *walk) again(t *rapid.T) {
	s := w.choose(t)
	m, before := w.sys.Save(), viewOf(w.sys)
	label := w.sys.Take(s)
	wrong, mover := arrival(w.sys)
	after := viewOf(w.sys)
	w.sys.Restore(m)
	if v := viewOf(w.sys); !v.equal(before) {
		t.Fatalf("restored to\n%+v\nwant\n%+v", v, before)
	}
	if got := w.sys.Take(s); got != label {
		t.Fatalf("step %d again: got label %d, want %d", s, got, label)
	}
	if gotWrong, gotMover := arrival(w.sys); gotWrong != wrong || gotMover != mover {
		t.Fatalf("step %d again: got %q of actor %d, want %q of %d", s, gotWrong, gotMover, wrong, mover)
	}
	if v := viewOf(w.sys); !v.equal(after) {
		t.Fatalf("step %d again leads to\n%+v\nwant\n%+v", s, v, after)
	}
	w.path = append(w.path, s)
}

// foresee takes a step after a look at where it leads, and compares that with
// where the other system gets, which never looks ahead.
func (w *walk) foresee(t *rapid.T) {
	f, ok := w.sys.(lts.Foreseer)
	if !ok {
		t.Skip("not a Foreseer")
	}
	s := w.choose(t)
	next, ok := f.AppendNextKey([]byte("x"), s)
	label := f.NextLabel(s)
	if got := w.sys.Take(s); got != label {
		t.Fatalf("step %d: foreseen label %d, got %d", s, label, got)
	}
	w.path = append(w.path, s)
	if !ok {
		if string(next) != "x" {
			t.Fatalf("step %d: nothing is foreseen, and %q appended", s, next)
		}
		return
	}
	if wrong, _ := arrival(w.sys); wrong != "" {
		t.Fatalf("step %d was foreseen, and is wrong: %s", s, wrong)
	}
	lts.MustReplay(w.twin, w.path)
	if want := "x" + key(w.twin); string(next) != want || "x"+key(w.sys) != want {
		t.Fatalf("step %d: foreseen key\n%x, got\n%x, want\n%x", s, next[1:], key(w.sys), want[1:])
	}
}

func (w *walk) save(*rapid.T) {
	w.marks = append(w.marks, saved{w.sys.Save(), slices.Clone(w.path), viewOf(w.sys)})
}

func (w *walk) restore(t *rapid.T) {
	if len(w.marks) == 0 {
		t.Skip("no mark")
	}
	i := rapid.IntRange(0, len(w.marks)-1).Draw(t, "mark")
	m := w.marks[i]
	w.sys.Restore(m.mark)
	w.marks = w.marks[:i+1]
	w.path = slices.Clone(m.path)
	if v := viewOf(w.sys); !v.equal(m.view) {
		t.Fatalf("restored to\n%+v\nwant\n%+v", v, m.view)
	}
}

// replay goes the same way with the other system, and sometimes starts again.
func (w *walk) replay(t *rapid.T) {
	if err := lts.Replay(w.twin, w.path); err != nil {
		t.Fatal(err)
	}
	if a, b := viewOf(w.sys), viewOf(w.twin); !a.equal(b) {
		t.Fatalf("path %v leads to\n%+v\nand with another system to\n%+v", w.path, a, b)
	}
	if d, ok := w.twin.(lts.Describer); ok && len(w.path) > 0 {
		last := len(w.path) - 1
		lts.MustReplay(w.twin, w.path[:last])
		d.Describe(w.path[last])
		if key(w.twin) != key(w.sys) {
			t.Fatalf("path %v: Describe leads to another state than Take", w.path)
		}
	}
	if rapid.Bool().Draw(t, "reset") {
		w.sys.Reset()
		w.twin.Reset()
		w.path, w.marks = nil, nil
		if key(w.sys) != key(w.twin) {
			t.Fatal("two systems start differently after Reset")
		}
	}
}
