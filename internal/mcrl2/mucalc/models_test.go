package mucalc

import (
	"os"
	"testing"
)

// TestModels: what is known of the example models.
func TestModels(t *testing.T) {
	for _, test := range []struct {
		model, formula string
		want           bool
	}{
		// Mutual exclusion.
		{"peterson", "forall p: Id. [true* . enter(p) . (!leave(p))* . (exists q: Id. enter(q))]false", true},
		{"dekker", "[true* . enter(1) . (!leave(1))* . enter(2)]false", true},
		{"bakery", "[true* . enter(1) . (!leave(1))* . enter(2)]false", true},
		// Tickets end at Max: then both wait for each other.
		{"bakery", "[true*]<true* . enter(2)>true", false},
		// Who is in can get out, and who is out can get in.
		{"peterson", "[true*](<true* . enter(p1)>true && <true* . enter(p2)>true)", true},
		// In every run processes enter again and again: who waits does nothing.
		{"peterson", "nu X. mu Y. [exists p: Id. enter(p)]X && [!(exists p: Id. enter(p))]Y", true},
		{"peterson", "[true*]<true>true", true},
		// Deadlocks.
		{"dining", "[true*]<true>true", false},
		{"dining", "<true . true . true . true . true>[true]false", true},
		{"dining", "<true . true . true . true>[true]false", false},
		// Buffers deliver what was read, in fair runs, and nothing else.
		{"abp", "forall d: D. [true* . r1(d) . (!s4(d))* . (exists e: D. r1(e))]false", true},
		{"abp", "forall d: D. [true* . r1(d)](nu X. (<true* . s4(d)>true && [!s4(d)]X))", true},
		{"abp", "forall d: D. [true* . r1(d)](mu X. [!s4(d)]X)", false},
		{"abp", "[(!(exists d: D. r1(d)))* . (exists d: D. s4(d))]false", true},
		{"cabp", "forall d: D. [true* . r1(d)](nu X. (<true* . s2(d)>true && [!s2(d)]X))", true},
		{"swp", "[(!(exists d: D. rA(d)))* . (exists d: D. sD(d))]false", true},
		// Exactly one leader, in every run.
		{"leader", "(mu X. [!leader]X && <true>true) && [true* . leader . true* . leader]false", true},
		// Cyclers start in turn.
		{"scheduler", "forall i, j: Nat. val(i < 4 && j < 4 && j != (i + 1) mod 4) => [true* . start(i) . (!(exists k: Nat. start(k)))* . start(j)]false", true},
		// The ferryman needs seven crossings.
		{"wolfgoat", "<true . true . true . true . true . true . true . done>true", true},
		{"wolfgoat", "<true . true . true . true . true . true . done>true", false},
		// The towers move in 15 steps and no less: an odd number of moves counts.
		{"hanoi", "nu X(n: Nat = 0). val(n >= 15) || ([done]false && [!done]X(n + 1))", true},
		{"hanoi", "nu X(n: Nat = 0). val(n >= 16) || ([done]false && [!done]X(n + 1))", false},
		// Both players can win, and a game ends after nine moves at the latest.
		{"tictactoe", "<true* . win(cross)>true && <true* . win(nought)>true && <true* . draw>true", true},
		{"tictactoe", "nu X(n: Nat = 0). val(n <= 9) && [exists p: Piece, i: Nat. move(p, i)]X(n + 1)", true},
		// With best play nobody wins: cross cannot force it, and can keep nought from it.
		{"tictactoe", "mu X. <win(cross)>true || <exists i: Nat. move(cross, i)>(<true>true && [exists i: Nat. move(nought, i)]X && [win(nought) || draw]false)", false},
		{"tictactoe", "nu X. [win(nought)]false && ([exists i: Nat. move(cross, i)]false || <exists i: Nat. move(cross, i)>([win(nought)]false && [exists i: Nat. move(nought, i)]X))", true},
		// The lift does not move with its door open.
		{"lift", "forall f: Pos. val(f <= 3) => [true* . open(f) . (!close(f))* . (exists d: Dir. move(d))]false", true},
	} {
		text, err := os.ReadFile("../../../examples/models/" + test.model + ".mcrl2")
		if err != nil {
			t.Fatal(err)
		}
		g, sys := explored(t, string(text))
		got, err := solved(t, g, sys, test.formula)
		if err != nil {
			t.Errorf("%s: %s: %v", test.model, test.formula, err)
		} else if got.Holds != test.want {
			t.Errorf("%s: %s: got %v, want %v", test.model, test.formula, got.Holds, test.want)
		}
	}
}
