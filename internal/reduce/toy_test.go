package reduce

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/bitset"
	"github.com/heddle-mc/heddle/internal/effect"
	"github.com/heddle-mc/heddle/internal/mem"
)

// A toy is a program small enough for its theorem to be tried by brute force: actors that
// run straight through a few instructions on cells. A cell has a value and may lead to
// another cell, and an actor can use the cells that it has in its registers, or can load
// from there.
type toy struct {
	programs [][]instr
	things   []effect.Token // what stands for each cell
	start    toyState
}

// An instr is an instruction. It acts on the cell in register r.
type instr struct {
	do   string // get, put, wait, walk, load, store, back
	r, q int
}

// A toyState is a state of a toy.
type toyState struct {
	pcs  []int
	regs [][]int // by actor: the cells in its registers, -1 for none
	acc  []int   // by actor: what it has seen
	laps []int   // by actor: how often it went back
	vals []int   // by cell
	ptrs []int   // by cell: where it leads, -1 for nowhere
}

func (s *toyState) clone() toyState {
	c := toyState{slices.Clone(s.pcs), nil, slices.Clone(s.acc), slices.Clone(s.laps), slices.Clone(s.vals), slices.Clone(s.ptrs)}
	for _, r := range s.regs {
		c.regs = append(c.regs, slices.Clone(r))
	}
	return c
}

func (s *toyState) key() string { return fmt.Sprint(*s) }

// next returns the instruction of an actor, nil if it has ended.
func (t *toy) next(s *toyState, a int) *instr {
	if s.pcs[a] >= len(t.programs[a]) {
		return nil
	}
	return &t.programs[a][s.pcs[a]]
}

// moves reports whether an actor can take its step.
func (t *toy) moves(s *toyState, a int) bool {
	in := t.next(s, a)
	if in == nil || s.regs[a][in.r] < 0 {
		return false
	}
	return in.do != "wait" || s.vals[s.regs[a][in.r]] > 0
}

// take takes the step of an actor. It returns the tokens of which guesses say that nobody
// acts on them.
func (t *toy) take(s *toyState, a int) (odd []effect.Token) {
	in := t.next(s, a)
	s.pcs[a]++
	c := s.regs[a][in.r]
	switch in.do {
	case "get":
		s.acc[a] = s.acc[a]*5 + s.vals[c]
	case "put":
		s.vals[c]++
		odd = append(odd, t.things[c])
	case "walk": // over a map with keys that lead to another cell
		s.regs[a][in.q] = s.ptrs[c]
		odd = append(odd, effect.Token{Kind: effect.Keys, Number: 1})
	case "load":
		s.regs[a][in.q] = s.ptrs[c]
	case "store":
		s.ptrs[c] = s.regs[a][in.q]
		odd = append(odd, t.things[c])
	case "back":
		if s.laps[a]++; s.laps[a] < 3 {
			s.pcs[a] = 0
		}
	}
	return odd
}

// A toyModel is a toy in one of its states.
type toyModel struct {
	*toy
	s      *toyState
	spares func(int, effect.Token) bool
	actors []effect.Actor
}

func (m *toyModel) Actors(dst []effect.Actor) []effect.Actor { return append(dst, m.actors...) }

func (m *toyModel) Look(spares func(int, effect.Token) bool) { m.spares = spares }

func (m *toyModel) Moving(set bitset.Set) {
	for a := range m.programs {
		if m.moves(m.s, a) {
			set.Add(a)
		}
	}
}

func (m *toyModel) Compare(a, b int) int { return a - b }

func (m *toyModel) Footprint(a int, f *effect.Footprint) {
	in := m.next(m.s, a)
	if in == nil || m.s.regs[a][in.r] < 0 {
		return // it never moves again
	}
	t := m.things[m.s.regs[a][in.r]]
	switch in.do {
	case "get", "load", "walk":
		f.Read(t)
	case "put", "store":
		f.Write(plainly(t))
	case "wait":
		f.Wait(t)
	case "back":
		f.Everything = true
	}
}

// plainly is the token of a write of something that guesses take not to be written.
func plainly(t effect.Token) effect.Token {
	if t.Kind == effect.Object {
		return t
	}
	return effect.Token{Kind: effect.Object, Ptr: mem.MakePtr(mem.ObjID(t.Number), 0)}
}

func (m *toyModel) Holders(t effect.Token, set bitset.Set) {
	for a := range m.programs {
		if m.spares(a, t) {
			continue
		}
		if slices.ContainsFunc(m.reach(a), func(c int) bool { return plainly(m.things[c]) == plainly(t) }) {
			set.Add(a)
		}
	}
}

// reach lists the cells that an actor can ever use, as things are.
func (m *toyModel) reach(a int) (list []int) {
	list = slices.DeleteFunc(slices.Clone(m.s.regs[a]), func(c int) bool { return c < 0 })
	for i := 0; i < len(list); i++ {
		next := m.s.ptrs[list[i]]
		if next < 0 || slices.Contains(list, next) {
			continue
		}
		if m.things[list[i]].Kind == effect.Keys && m.spares(a, m.things[list[i]]) {
			continue
		}
		list = append(list, next)
	}
	return list
}

// outcomes returns the final states of a toy, and what refuted guesses. Without reducer all
// steps are followed.
func (t *toy) outcomes(r *Reducer, deaf bool) (ends map[string]bool, found *Guesses, states int) {
	ends = map[string]bool{}
	if r != nil {
		found = r.Known.Like()
	}
	var actors []effect.Actor
	for a := range t.programs {
		birth := fmt.Sprintf("main.%d", a)
		actors = append(actors, effect.Actor{Main: a == 0, Birth: birth})
	}
	seen := map[string]bool{}
	todo := []toyState{t.start}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[s.key()] {
			continue
		}
		seen[s.key()] = true
		var only bitset.Set
		if r != nil {
			only = r.Stubborn(&toyModel{toy: t, s: &s, actors: actors})
		}
		final := true
		for a := range t.programs {
			if !t.moves(&s, a) {
				continue
			}
			final = false
			if only != nil && !only.Has(a) {
				continue
			}
			c := s.clone()
			for _, odd := range t.take(&c, a) {
				if r != nil && !deaf {
					r.Known.Notice(&actors[a], odd, found)
				}
			}
			todo = append(todo, c)
		}
		if final {
			ends[s.key()] = true
		}
	}
	return ends, found, len(seen)
}

// settled is outcomes with all guesses, again and again until none is refuted.
func (t *toy) settled(deaf bool) (ends map[string]bool, states int) {
	known := Guessing()
	for {
		ends, found, states := t.outcomes(&Reducer{Known: known}, deaf)
		next := known.Clone()
		if !next.Add(found) {
			return ends, states
		}
		known = next
	}
}

func (t *toy) String() string {
	var b strings.Builder
	for a, p := range t.programs {
		fmt.Fprintf(&b, "%d has %v: ", a, t.start.regs[a])
		for _, in := range p {
			fmt.Fprintf(&b, "%s r%d r%d; ", in.do, in.r, in.q)
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "cells %v lead to %v", t.things, t.start.ptrs)
	return b.String()
}
