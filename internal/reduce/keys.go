package reduce

import (
	"encoding/json"

	"github.com/heddle-mc/heddle/internal/effect"
)

var _ = register("keys", func() Guess { return &keys{walked: map[uint64]bool{}} })

// keys guesses that maps whose keys are pointers are only looked up in. To look up, to insert
// and to delete tells nobody what it does not know already, so a goroutine that can
// reach such a map does not get to what its keys lead to. It knows the maps that are
// ranged over, by the layout of their keys, and whether others than main do so: these are
// not told apart, since whoever has started one may have meant it to.
type keys struct{ walked map[uint64]bool }

func (k *keys) Kinds() []effect.Kind { return []effect.Kind{effect.Keys} }

func (k *keys) Drops(effect.Token) bool { return false }

func (k *keys) Spares(a *effect.Actor, t effect.Token) bool {
	others, walked := k.walked[uint64(t.Number)]
	return !walked || !others && !a.Main
}

func (k *keys) Refuted(a *effect.Actor, t effect.Token) bool { return k.Spares(a, t) }

func (k *keys) Learn(a *effect.Actor, t effect.Token) {
	n := uint64(t.Number)
	k.walked[n] = k.walked[n] || !a.Main
}

func (k *keys) Merge(o Guess) (news bool) {
	for n, others := range o.(*keys).walked {
		was, known := k.walked[n]
		if !known || others && !was {
			k.walked[n], news = others, true
		}
	}
	return news
}

func (k *keys) MarshalJSON() ([]byte, error) { return json.Marshal(k.walked) }

func (k *keys) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &k.walked) }
