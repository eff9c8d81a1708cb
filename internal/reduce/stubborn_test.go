package reduce

import (
	"encoding/json"
	"maps"
	"testing"

	"pgregory.net/rapid"

	"github.com/heddle-mc/heddle/internal/effect"
	"github.com/heddle-mc/heddle/internal/mem"
)

// special are the kinds that guesses are about, as tokens of a cell.
var special = []effect.Kind{effect.Base, effect.Clock, effect.Counter, effect.Forgotten, effect.End, effect.Keys}

func thing(cell int, kind effect.Kind) effect.Token {
	t := effect.Token{Kind: kind, Number: cell}
	switch kind {
	case effect.Object:
		t = effect.Whole(0, mem.MakePtr(mem.ObjID(cell), 0))
	case effect.Keys:
		t.Number = 1
	}
	return t
}

// drawToy makes a random toy.
func drawToy(t *rapid.T) *toy {
	const registers = 2
	cells := rapid.IntRange(1, 4).Draw(t, "cells")
	y := &toy{}
	kinds := append([]effect.Kind{effect.Object, effect.Object, effect.Object}, special...)
	oneMap := false
	for c := range cells {
		kind := rapid.SampledFrom(kinds).Draw(t, "kind")
		if kind == effect.Keys {
			if oneMap {
				kind = effect.Object
			}
			oneMap = true
		}
		y.things = append(y.things, thing(c+10, kind))
		y.start.vals = append(y.start.vals, 0)
		y.start.ptrs = append(y.start.ptrs, rapid.IntRange(-1, cells-1).Draw(t, "leads to"))
	}
	for range rapid.IntRange(2, 3).Draw(t, "actors") {
		var p []instr
		for range rapid.IntRange(0, 4).Draw(t, "length") {
			do := rapid.SampledFrom([]string{"get", "get", "put", "put", "wait", "load", "store", "walk", "back"}).Draw(t, "do")
			p = append(p, instr{do, rapid.IntRange(0, registers-1).Draw(t, "r"), rapid.IntRange(0, registers-1).Draw(t, "q")})
		}
		var regs []int
		for range registers {
			regs = append(regs, rapid.IntRange(-1, cells-1).Draw(t, "register"))
		}
		y.add(p, regs...)
	}
	return y.legal()
}

// add adds an actor with cells in its registers.
func (t *toy) add(p []instr, regs ...int) {
	t.programs = append(t.programs, p)
	s := &t.start
	s.pcs, s.acc, s.laps, s.regs = append(s.pcs, 0), append(s.acc, 0), append(s.laps, 0), append(s.regs, regs)
}

// legal makes each actor do to cells what can be done to them: maps are walked over and never
// written, and nothing else is walked over.
func (t *toy) legal() *toy {
	seen := map[string]bool{}
	for changed := true; changed; {
		changed = false
		clear(seen)
		todo := []toyState{t.start}
		for len(todo) > 0 && !changed {
			s := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if seen[s.key()] {
				continue
			}
			seen[s.key()] = true
			for a := range t.programs {
				in := t.next(&s, a)
				if in == nil || !t.moves(&s, a) {
					continue
				}
				isMap := t.things[s.regs[a][in.r]].Kind == effect.Keys
				if isMap != (in.do == "walk") {
					t.programs[a] = append(t.programs[a][:s.pcs[a]:s.pcs[a]], t.programs[a][s.pcs[a]+1:]...)
					changed = true
					break
				}
				c := s.clone()
				t.take(&c, a)
				todo = append(todo, c)
			}
		}
	}
	return t
}

// TestTheorem: reduced and plain search of random toys come to the same final states.
func TestTheorem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		y := drawToy(t)
		want, _, all := y.outcomes(nil, false)
		for _, guess := range []bool{false, true} {
			var got map[string]bool
			var n int
			if guess {
				got, n = y.settled(false)
			} else {
				got, _, n = y.outcomes(&Reducer{}, false)
			}
			if !maps.Equal(got, want) || n > all {
				t.Fatalf("guesses %v: got %d final states of %d states, want %d of %d\n%v", guess, len(got), n, len(want), all, y)
			}
		}
	})
}

// TestManyActors: there may be more actors than a word has bits.
func TestManyActors(t *testing.T) {
	y := &toy{start: toyState{}}
	const n = 100
	for a := range n {
		y.things = append(y.things, thing(a+10, effect.Object))
		y.start.vals, y.start.ptrs = append(y.start.vals, 0), append(y.start.ptrs, -1)
		y.add([]instr{{"put", 0, 0}}, a)
	}
	if ends, _, states := y.outcomes(&Reducer{}, false); len(ends) != 1 || states != n+1 {
		t.Errorf("got %d final states of %d, want 1 of %d: one after the other", len(ends), states, n+1)
	}
}

// TestGuessesAreWrittenDown: what is known comes back from text, and equal knowledge has
// equal text.
func TestGuessesAreWrittenDown(t *testing.T) {
	known := Guessing("garbage")
	found := known.Like()
	for i, kind := range special {
		known.Notice(&effect.Actor{Process: 1, Birth: "main.2"}, effect.Token{Kind: kind, Process: 1, Number: i, Birth: "main.1"}, found)
	}
	if !known.Add(found) || known.Add(found) {
		t.Error("what was found is to be news once")
	}
	text, err := json.Marshal(known)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"clock":true,"counter":true,"end":{"others":false,"left":["main.1"]},"garbage":null,"keys":{"5":true},"written":[0]}`
	if string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	var back Guesses
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if again, _ := json.Marshal(&back); string(again) != want || back.Add(known) {
		t.Errorf("got back %s", again)
	}
	if err := json.Unmarshal([]byte(`{"luck":true}`), &back); err == nil {
		t.Error("a guess that nobody knows: got no error")
	}
	if (*Guesses)(nil).Drops(effect.Token{}) || !Guessing().Drops(effect.Of(effect.Clock, 0)) {
		t.Error("without guesses nothing is removed, with them the clock")
	}
}
