package reduce

import (
	"encoding/json"

	"github.com/heddle-mc/heddle/internal/effect"
)

// A never guesses that nobody ever writes a kind of token, so that to read it or to wait for
// it depends on nobody. It knows whether somebody does.
type never struct {
	kind   effect.Kind
	writes bool
}

// neverWritten registers such a guess.
func neverWritten(name string, kind effect.Kind) bool {
	return register(name, func() Guess { return &never{kind: kind} })
}

func (n *never) Kinds() []effect.Kind { return []effect.Kind{n.kind} }

func (n *never) Drops(effect.Token) bool { return !n.writes }

func (n *never) Spares(*effect.Actor, effect.Token) bool { return false }

func (n *never) Refuted(*effect.Actor, effect.Token) bool { return !n.writes }

func (n *never) Learn(*effect.Actor, effect.Token) { n.writes = true }

func (n *never) Merge(o Guess) bool {
	before := n.writes
	n.writes = n.writes || o.(*never).writes
	return n.writes != before
}

func (n *never) MarshalJSON() ([]byte, error) { return json.Marshal(n.writes) }

func (n *never) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &n.writes) }
