package model

import (
	"os"
	"reflect"
	"testing"

	"github.com/heddle-mc/heddle/internal/explore"
)

// TestWorkers: formulas, loops and choices are judged alike by one worker and by three,
// with the same ways. Two labels of the model have one text: a(1) of
// a natural number and of an integer.
func TestWorkers(t *testing.T) {
	const text = `act a: Nat; a: Int; b: Nat; c;
proc P(n: Nat) = (n < 40) -> (a(n) . P(n + 1) + b(n) . P((n * 7) mod 40) + tau . P((n + 3) mod 40)) + (n == 40) -> c . P(40);
     Q(i: Int) = (i < 5) -> a(i) . Q(i + 1);
init P(0) || Q(0);
`
	file := t.TempDir() + "/m.mcrl2"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	m, err := Load(file, UsualPasses)
	if err != nil {
		t.Fatal(err)
	}
	type answer struct {
		States  int64
		Kinds   []string
		Actions [][]string
	}
	answers := map[int]*answer{}
	for _, workers := range []int{1, 3} {
		s := &Spec{Divergence: true, Nondeterminism: true, Formulas: []string{
			written(t, "[true* . c]false"), written(t, "[true*]<true>true"), written(t, "<true* . a(4) . (exists n: Nat. a(n))>true"), written(t, "<exists i: Int. a(i)>true && <exists n: Nat. a(n)>true"),
		}}
		p, err := Prepare(m, s, workers)
		if err != nil {
			t.Fatal(err)
		}
		a := &answer{}
		res, err := p.Check(explore.Options{Strategy: explore.BreadthFirst, Workers: workers, All: true}, Hooks{
			Search: func(o explore.Options) (*explore.Result, error) { return explore.Run(p.New, o) },
		})
		if err != nil {
			t.Fatal(err)
		}
		a.States = res.States
		for _, tr := range res.Stories {
			a.Kinds = append(a.Kinds, tr.Finding.Kind)
			var actions []string
			for _, s := range tr.Steps {
				actions = append(actions, s.Action)
			}
			a.Actions = append(a.Actions, actions)
		}
		answers[workers] = a
	}
	if len(answers[1].Kinds) < 3 || !reflect.DeepEqual(answers[1], answers[3]) {
		t.Errorf("one worker:\n%+v\nthree:\n%+v", answers[1], answers[3])
	}
}
