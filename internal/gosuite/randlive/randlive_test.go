package main

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/testlong"
)

// TestCompare holds Heddle against the plain search on a few programs. More of them are compared by make livelocks.
func TestCompare(t *testing.T) {
	sum, err := Compare(1, testlong.Or(30, 500), func(*Summary) {})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range sum.Differ {
		t.Error(d)
	}
	if small := sum.Programs - sum.Large; small < sum.Programs/2 || sum.Livelocks < small/20 || sum.Broken < small/10 || sum.Nobody < small/10 {
		t.Errorf("got %v, and nothing of %d: want some of each kind", sum, sum.Nobody)
	}
}

// TestPlain pins what the plain search says of a few programs.
func TestPlain(t *testing.T) {
	flags := func(me, other int) []Op {
		return []Op{{Store, me, 1, 0}, {IfNot, other, 1, 4}, {Store, me, 0, 0}, {IfNot, me, 2, 0}, {Kind: Done}}
	}
	tests := []struct {
		name             string
		p                Program
		livelock, broken bool
	}{
		{"both step back", Program{Routines: [][]Op{flags(0, 1), flags(1, 0)}}, true, false},
		{"waits for what the other one does", Program{Routines: [][]Op{{{IfNot, 0, 1, 0}, {Kind: Done}}, {{Store, 0, 1, 0}, {Kind: Done}}}}, false, false},
		{"waits for nothing", Program{Routines: [][]Op{{{IfNot, 0, 1, 0}, {Kind: Done}}, {{Store, 1, 1, 0}, {Kind: Done}}}}, true, false},
		{"draws until", Program{Routines: [][]Op{{{Draw, 0, 0, 0}, {Kind: Done}}}}, false, false},
		{"chooses for ever", Program{Routines: [][]Op{{{Choose, 0, 0, 0}, {Store, 0, 1, 0}, {Kind: Done}}}, Promise: &Promise{Q: &Cond{0, 1}}}, false, true},
		{"draws and keeps it", Program{Routines: [][]Op{{{Draw, 0, 0, 0}, {Store, 0, 1, 0}, {Kind: Done}}}, Promise: &Promise{Q: &Cond{0, 1}}}, false, false},
		{"takes turns at a lock", Program{Routines: [][]Op{
			{{Lock, 0, 0, 0}, {Unlock, 0, 0, 0}, {IfNot, 0, 1, 0}, {Kind: Done}},
			{{Lock, 0, 0, 0}, {Store, 0, 1, 0}, {Unlock, 0, 0, 0}, {Kind: Done}},
		}}, false, false},
	}
	for _, test := range tests {
		s := Search(test.p, 1000)
		if a, b := s.Livelock(), s.Broken(); a != test.livelock || b != test.broken {
			t.Errorf("%s: got %v, %v, want %v, %v", test.name, a, b, test.livelock, test.broken)
		}
	}
}
