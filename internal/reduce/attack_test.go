package reduce

import (
	"maps"
	"testing"

	"github.com/heddle-mc/heddle/internal/effect"
)

// attack is a toy in which one actor reads something and another one writes it, although
// a guess says that nobody does.
func attack(kind effect.Kind) *toy {
	y := &toy{things: []effect.Token{thing(10, kind)}, start: toyState{vals: []int{0}, ptrs: []int{-1}}}
	y.add([]instr{{"get", 0, 0}}, 0)
	y.add([]instr{{"put", 0, 0}}, 0)
	return y
}

// attackKeys: one actor reads what the keys of a map lead to, another one finds it by a range over
// the map and writes it.
func attackKeys() *toy {
	y := &toy{things: []effect.Token{thing(10, effect.Keys), thing(11, effect.Object)}, start: toyState{vals: []int{0, 0}, ptrs: []int{1, -1}}}
	y.add([]instr{{"get", 0, 0}}, 1)
	y.add([]instr{{"walk", 0, 1}, {"put", 1, 0}}, 0, -1)
	return y
}

var attacks = map[string]*toy{
	"clock":   attack(effect.Clock),
	"counter": attack(effect.Counter),
	"end":     attack(effect.End),
	"garbage": attack(effect.Forgotten),
	"keys":    attackKeys(),
	"written": attack(effect.Base),
}

// TestAttacks: each guess loses something in a toy that does what it says that nobody does,
// unless it is refuted. A guess that nothing attacks is a failure too.
func TestAttacks(t *testing.T) {
	for _, name := range Names() {
		y := attacks[name]
		if y == nil {
			t.Errorf("%s: nothing attacks this guess", name)
			continue
		}
		want, _, _ := y.outcomes(nil, false)
		if got, _ := y.settled(false); !maps.Equal(got, want) {
			t.Errorf("%s: got %d final states, want %d", name, len(got), len(want))
		}
		if got, _ := y.settled(true); maps.Equal(got, want) {
			t.Errorf("%s: nothing is lost if it is not refuted: this is no attack", name)
		}
	}
}
