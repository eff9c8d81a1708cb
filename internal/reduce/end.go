package reduce

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/heddle-mc/heddle/internal/effect"
)

var _ = register("end", func() Guess { return &end{left: map[string]bool{}} })

// end guesses that a process beside others ends by the end of main, when all of its other
// goroutines have ended. Who ends a process closes its connections, so others that act on
// the far ends depend on that. As long as the guess holds, nobody but main ends a process,
// and main does not as long as one of those is there who can reach the connection. It
// knows whether others end processes, and which goroutines were there when one ended.
type end struct {
	others bool
	left   map[string]bool // by the functions that they began with
}

func (e *end) Kinds() []effect.Kind { return []effect.Kind{effect.End} }

func (e *end) Drops(effect.Token) bool { return false }

func (e *end) Spares(a *effect.Actor, t effect.Token) bool {
	if t.Birth != "" {
		return !e.left[t.Birth]
	}
	return a.Main && t.Number == effect.ByOthers || !a.Main && !e.others
}

func (e *end) Refuted(a *effect.Actor, t effect.Token) bool { return e.Spares(a, t) }

func (e *end) Learn(a *effect.Actor, t effect.Token) {
	if t.Birth != "" {
		e.left[t.Birth] = true
	} else {
		e.others = true
	}
}

func (e *end) Merge(o Guess) bool {
	others, n := e.others, len(e.left)
	e.others = e.others || o.(*end).others
	maps.Copy(e.left, o.(*end).left)
	return e.others != others || len(e.left) > n
}

// endKnown is how it is written down.
type endKnown struct {
	Others bool     `json:"others"`
	Left   []string `json:"left"`
}

func (e *end) MarshalJSON() ([]byte, error) {
	return json.Marshal(endKnown{e.others, append([]string{}, slices.Sorted(maps.Keys(e.left))...)})
}

func (e *end) UnmarshalJSON(data []byte) error {
	var k endKnown
	err := json.Unmarshal(data, &k)
	e.others = k.Others
	for _, b := range k.Left {
		e.left[b] = true
	}
	return err
}
