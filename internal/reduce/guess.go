package reduce

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/effect"
)

// A Guess is something that most programs never do. As long as a program does not do it,
// some tokens of footprints make no difference, and a Guess removes them. That is all
// that it can do: by its type it has no way to change which steps there are, what they do,
// what they are called, or what the key of a state is. If a step does what the guess says
// that nobody does, the guess is refuted; it then knows more, and removes less.
//
// A guess begins with what it knows from the start, which is nothing, and learns what refutes it.
// What it knows is not changed while a search goes on, so that the search sees one
// graph; what is learned is collected beside it, and the search is done again (see settle.go).
//
// Each guess has a file of its own, with an attack on it in its test.
type Guess interface {
	// Kinds are the kinds of tokens that the guess is about. It is asked about no others.
	Kinds() []effect.Kind
	// Drops reports whether a token can be removed from the footprint of a step: nobody who
	// could act on it will.
	Drops(t effect.Token) bool
	// Spares reports whether a token can be removed from all that an actor may ever act on.
	Spares(a *effect.Actor, t effect.Token) bool
	// Refuted reports whether a step of an actor that acts on a token was not to be.
	Refuted(a *effect.Actor, t effect.Token) bool
	// Learn adds a step that refutes the guess to what it knows.
	Learn(a *effect.Actor, t effect.Token)
	// Merge adds what another guess of the same type knows, and reports whether that is more
	// than before.
	Merge(o Guess) bool
}

// makers make the guesses, by name.
var makers = map[string]func() Guess{}

// register adds a guess to those that are made, under the name by which it is written down.
func register(name string, make func() Guess) bool {
	makers[name] = make
	return true
}

// Names returns the names of all guesses, in order.
func Names() []string {
	var names []string
	for name := range makers {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Guesses are all guesses with what is known of them. The nil *Guesses makes none.
type Guesses struct {
	list   []Guess // in the order of names; nil for one that is not made
	byKind [effect.Kinds][]Guess
	knows  bool // something is known
}

// Guessing returns all guesses but the named ones, with nothing known yet.
func Guessing(without ...string) *Guesses {
	g := new(Guesses)
	for _, name := range Names() {
		var guess Guess
		if !slices.Contains(without, name) {
			guess = makers[name]()
			for _, k := range guess.Kinds() {
				g.byKind[k] = append(g.byKind[k], guess)
			}
		}
		g.list = append(g.list, guess)
	}
	return g
}

// Drops reports whether some guess removes a token from footprints.
func (g *Guesses) Drops(t effect.Token) bool {
	if g == nil {
		return false
	}
	for _, guess := range g.byKind[t.Kind] {
		if guess.Drops(t) {
			return true
		}
	}
	return false
}

// Spares reports whether some guess removes a token from what an actor may ever act on.
func (g *Guesses) Spares(a *effect.Actor, t effect.Token) bool {
	if g == nil {
		return false
	}
	for _, guess := range g.byKind[t.Kind] {
		if guess.Spares(a, t) {
			return true
		}
	}
	return false
}

// Notice adds a step of an actor that acts on a token to found, if it refutes one of the
// guesses as far as they are known.
func (g *Guesses) Notice(a *effect.Actor, t effect.Token, found *Guesses) {
	if g == nil {
		return
	}
	for i, guess := range g.byKind[t.Kind] {
		if guess.Refuted(a, t) {
			found.byKind[t.Kind][i].Learn(a, t)
			found.knows = true
		}
	}
}

// Add adds what others know, and reports whether that is more than before.
func (g *Guesses) Add(o *Guesses) (news bool) {
	if g == nil || o == nil {
		return false
	}
	for i, guess := range g.list {
		if guess != nil && o.list[i] != nil {
			news = guess.Merge(o.list[i]) || news
		}
	}
	g.knows = g.knows || news
	return news
}

// Knows reports whether anything is known: some guess was refuted.
func (g *Guesses) Knows() bool { return g != nil && g.knows }

// Like returns the same guesses, with nothing known.
func (g *Guesses) Like() *Guesses {
	if g == nil {
		return nil
	}
	var without []string
	for i, name := range Names() {
		if g.list[i] == nil {
			without = append(without, name)
		}
	}
	return Guessing(without...)
}

// Clone returns a copy that can learn without the other one.
func (g *Guesses) Clone() *Guesses {
	c := g.Like()
	c.Add(g)
	return c
}

// MarshalJSON writes down what is known, by the names of the guesses. Those that are not made
// are null.
func (g *Guesses) MarshalJSON() ([]byte, error) {
	out := map[string]Guess{}
	for i, name := range Names() {
		out[name] = g.list[i]
	}
	return json.Marshal(out) // in the order of names
}

// UnmarshalJSON reads what MarshalJSON wrote. Names that this version does not know are refused;
// a guess that is not named is not made.
func (g *Guesses) UnmarshalJSON(data []byte) error {
	var in map[string]json.RawMessage
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	var without, unknown []string
	for _, name := range Names() {
		if text, ok := in[name]; !ok || string(text) == "null" {
			without = append(without, name)
		}
	}
	for name := range in {
		if makers[name] == nil {
			unknown = append(unknown, name)
		}
	}
	if slices.Sort(unknown); len(unknown) > 0 {
		return fmt.Errorf("unknown guess %s: known are %s", unknown[0], strings.Join(Names(), ", "))
	}
	*g = *Guessing(without...)
	for i, name := range Names() {
		if g.list[i] == nil {
			continue
		}
		if err := json.Unmarshal(in[name], g.list[i]); err != nil {
			return fmt.Errorf("guess %s: %v", name, err)
		}
	}
	g.knows = g.Like().Add(g)
	return nil
}
