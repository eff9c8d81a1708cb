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
		{"called otherwise", "x:lock a.mu, y:lock from.mu", "x:lock b.mu (= from.mu), y:lock to.mu (= a.mu)", "x holds a.mu since step 1 and wants b.mu, y holds b.mu (its from.mu) since step 2 and wants a.mu (its to.mu)\n"},
		{"called the same", "x:lock from, y:lock from#2", "x:lock to (= from#2), y:lock to (= from)", "x holds from since step 1 and wants to, y holds to (its from) since step 2 and wants from (its to)\n"},
		{"all called the same", "x:lock f, y:lock f#2", "x:lock f#2, y:lock f", "x holds f since step 1 and wants f#2, y holds f#2 since step 2 and wants f\n"},
		{"a ring", "x:lock x, y:lock x#2, z:lock x#3", "x:lock y (= x#2), y:lock y (= x#3), z:lock y (= x)", "x holds x since step 1 and wants y, y holds y (its x) since step 2 and wants x#3 (its y), z holds x#3 since step 3 and wants x (its y)\n"},
		{"again", "x:lock a, x:lock b, x:unlock b", "x:lock a", "x holds a since step 1 and wants it again\n"},
		{"readers", "x:read-lock a, y:read-lock a", "x:lock a, z:read-lock a", "x has read-locked a since step 1 and wants to lock it\n"},
		{"a reader again", "x:read-lock a", "y:lock a, x:read-lock a", "x has read-locked a since step 1 and wants to once more, behind y, which waits to lock it\n"},
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

// TestBetween: it is told who came between two steps of another one, and only then.
func TestBetween(t *testing.T) {
	for _, test := range []struct {
		name, kind, steps, want string
	}{
		{"lost", "test", "x:r v, y:w v, x:w v", "x reads v at step 1 and writes it at step 3; what y writes to it in between, at step 2, is overwritten\n"},
		{"read again", "test", "x:r v, y:w v, x:rw v", ""},
		{"not in between", "test", "y:w v, x:r v, x:w v", ""},
		{"only read", "test", "x:r v, y:r v, x:w v", ""},
		{"its own", "test", "x:w v, y:w v, x:w v", ""},
		{"a race", "race", "x:r v, y:w v, x:w v", ""},
		{"closed", "panic", "x:close c, y:close c, x:close c", "between steps 1 and 3 of x comes step 2 of y: close c\n"},
		{"not the last", "panic", "x:close c, y:close c, x:close c, x:r v", ""},
	} {
		tr := &Trace{Finding: diag.Finding{Kind: test.kind}}
		for _, s := range strings.Split(test.steps, ", ") {
			actor, rest, _ := strings.Cut(s, ":")
			how, thing, _ := strings.Cut(rest, " ")
			step := Step{Event: lts.Event{Actor: actor, Action: rest}, Weight: Past}
			if how == "close" {
				step.Touched = []lts.Touch{{Thing: thing, Write: true}}
			}
			if strings.HasPrefix(how, "r") {
				step.Touched = append(step.Touched, lts.Touch{Thing: "variable " + thing})
			}
			if strings.HasSuffix(how, "w") {
				step.Touched = append(step.Touched, lts.Touch{Thing: "variable " + thing, Write: true})
			}
			tr.Steps = append(tr.Steps, step)
		}
		if got := tr.CauseText(); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// TestLeftAlone: of who waits forever it is told who was the last to use what it waits for.
func TestLeftAlone(t *testing.T) {
	use := func(actor, action string) Step {
		return Step{Event: lts.Event{Actor: actor, Action: action, Touched: []lts.Touch{{Thing: "q.more", Write: true}}}}
	}
	tr := &Trace{
		Finding: diag.Finding{Kind: "leak"},
		Steps:   []Step{use("x", "q.more.Wait(): join the queue"), use("main", "q.more.Signal()"), use("y", "q.more.Wait(): wait")},
		Waiting: []lts.Waiting{{Actor: "x", For: "q.more.Wait(): wait", On: []string{"q.more"}}},
	}
	want := "nobody can release x any more: the last other one to use what it waits for was main, at step 2: q.more.Signal()\n"
	if got := tr.CauseText(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	tr.Waiting[0].Releasers = []string{"main"}
	if got := tr.CauseText(); got != "" {
		t.Errorf("got %q of one that can be released", got)
	}
}
