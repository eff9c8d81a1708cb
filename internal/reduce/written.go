package reduce

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/heddle-mc/heddle/internal/effect"
)

var _ = register("written", func() Guess { return &written{words: map[int]bool{}} })

// written guesses that what was there when the program began, such as tables, flags and
// errors, is not written again, so that to read it depends on nobody. It knows the words
// that are written.
type written struct{ words map[int]bool }

func (w *written) Kinds() []effect.Kind { return []effect.Kind{effect.Base} }

func (w *written) Drops(t effect.Token) bool { return !w.words[t.Number] }

func (w *written) Spares(*effect.Actor, effect.Token) bool { return false }

func (w *written) Refuted(_ *effect.Actor, t effect.Token) bool { return !w.words[t.Number] }

func (w *written) Learn(_ *effect.Actor, t effect.Token) { w.words[t.Number] = true }

func (w *written) Merge(o Guess) bool {
	before := len(w.words)
	maps.Copy(w.words, o.(*written).words)
	return len(w.words) > before
}

func (w *written) MarshalJSON() ([]byte, error) {
	return json.Marshal(append([]int{}, slices.Sorted(maps.Keys(w.words))...))
}

func (w *written) UnmarshalJSON(data []byte) error {
	var list []int
	err := json.Unmarshal(data, &list)
	for _, n := range list {
		w.words[n] = true
	}
	return err
}
