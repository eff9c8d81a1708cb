package report

import "testing"

// TestExecuted: a package is said to be executed as a whole only if it was.
func TestExecuted(t *testing.T) {
	e := ExecutedIn("m/p", []Block{{Stmts: 996, Count: 2}, {Stmts: 4}})
	if e.Statements != 1000 || e.Executed != 996 {
		t.Errorf("got %+v, want 996 of 1000", e)
	}
	if got := executedWords([]Executed{e, {Package: "m/q"}}); got != ", 99 % of the statements of package m/p executed" {
		t.Errorf("got %q", got)
	}
	if got := executedWords([]Executed{{Package: "m/q"}}); got != "" {
		t.Errorf("got %q of a package without statements, want nothing", got)
	}
}
