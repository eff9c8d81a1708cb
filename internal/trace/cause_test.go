package trace

import (
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
)

// TestCause: who holds what and wants what is said of circles, and of who has ended with a lock, and of nothing else.
func TestCause(t *testing.T) {
	for _, test := range []struct {
		name, steps, waits, want string
	}{
		{"two", "x:lock a, y:lock b", "main:wg.Wait(), x:lock b, y:lock a", "x holds a since step 1 and wants b, y holds b since step 2 and wants a\n"},
		{"again", "x:lock a, x:lock b, x:unlock b", "x:lock a", "x holds a since step 1 and wants it again\n"},
		{"readers", "x:read-lock a, y:read-lock a", "x:lock a, z:read-lock a", "x holds a since step 1 and wants it again\n"},
		{"gone", "x:lock a, x:unlock a, x:lock a", "y:lock a", "y wants a, which x holds since step 3 and has ended\n"},
		{"given back", "x:lock a, y:lock b, x:unlock a", "x:lock b, y:receive on c", ""},
		{"by another", "x:lock a, z:unlock a, y:lock a", "x:receive on c, y:receive on d, z:lock a", ""},
		{"channels", "x:lock a", "x:receive on c, y:send 1 on d", ""},
		{"three", "x:lock a, y:lock b, z:lock c", "x:lock b, y:lock c, z:lock a", "x holds a since step 1 and wants b, y holds b since step 2 and wants c, z holds c since step 3 and wants a\n"},
	} {
		tr := &Trace{Finding: diag.Finding{Kind: "deadlock"}}
		for _, s := range strings.Split(test.steps, ", ") {
			actor, action, _ := strings.Cut(s, ":")
			tr.Steps = append(tr.Steps, Step{Event: lts.Event{Actor: actor, Action: action}})
		}
		for _, s := range strings.Split(test.waits, ", ") {
			actor, action, _ := strings.Cut(s, ":")
			tr.Waiting = append(tr.Waiting, lts.Waiting{Actor: actor, For: action})
		}
		if got := tr.CauseText(); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
		if tr.Finding.Kind = "leak"; test.name == "gone" && tr.CauseText() != "" {
			t.Errorf("leak: got %q, want nothing", tr.CauseText())
		}
	}
}
