package native

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/effect"
)

// TestRowsOfNatives: each row is of a native that there is, each visible native has a row
// (without one it would be right, but slow), and functions are bound to rows alone.
func TestRowsOfNatives(t *testing.T) {
	rows := make(map[string]bool)
	for _, r := range effect.Natives() {
		rows[r.Name] = true
		in, ok := intrinsics[r.Name]
		switch {
		case r.Name == effect.Observation: // package execute supplies it
		case !ok:
			t.Errorf("%s: got a row, but there is no such native", r.Name)
		case in.Visible == (r.Stop == effect.Never || r.Stop == effect.Chosen):
			t.Errorf("%s: got visible %v, but a row that stops %s", r.Name, in.Visible, r.Stop)
		}
	}
	for _, in := range List() {
		if in.Visible && !rows[in.Name] {
			t.Errorf("%s: is visible and has no row", in.Name)
		}
	}
	for name := range operations {
		if !rows[name] {
			t.Errorf("%s: got functions for a search, but no row", name)
		}
	}
	for name := range systemCalls {
		if !effect.Native(name).Has(effect.ByCall) {
			t.Errorf("%s: got a row that is not that of a system call", name)
		}
	}
	for name, op := range Operations() {
		for _, a := range op.Row.Acts {
			if a.What >= effect.ByCall && op.Acts == nil {
				t.Errorf("%s: %s needs a function", name, a)
			}
		}
	}
}

// TestWithoutRow: a visible native that nobody wrote a row for acts on everything.
func TestWithoutRow(t *testing.T) {
	if op := operationOf("sync/atomic.LoadInt128"); !op.Row.Has(effect.Anything) || op.Row.Memory || op.Acts != nil {
		t.Errorf("got %v, want everything", op.Row)
	}
	if row := rowOf(1 << 40); row.What(true) != effect.Anything {
		t.Errorf("got %v, want everything", row)
	}
}

// TestRowsOfCalls: each row is of a system call that there is.
func TestRowsOfCalls(t *testing.T) {
	numbers := make(map[string]int)
	for num, h := range handlers {
		if h != nil {
			numbers[sysName(uint64(num))] = num
		}
	}
	for _, c := range effect.Calls() {
		num, ok := numbers[c.Name]
		if !ok {
			t.Errorf("%s: got a row, but no such system call", c.Name)
		} else if rowOf(uint64(num)) != c {
			t.Errorf("%s: got another row by its number %d", c.Name, num)
		}
	}
}
