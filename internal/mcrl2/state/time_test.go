package state

import (
	"fmt"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/graph"
)

// Actions at a time happen after the last one that had a time. Where nothing is
// left to happen, time is not looked at: delta @ 1 does not stop b.
func TestTime(t *testing.T) {
	for _, c := range []struct{ what, text, want string }{
		{"sequence", "init a @ 2 . b @ 3 . b @ 3;", "0 a @ 2 1, 1 b @ 3 2"},
		{"zero", "init a @ 0 + b @ (1/2) . delta;", "0 b @ 1/2 1"},
		{"twice", "init (a @ 2) @ 2 . delta + (b @ 1) @ 2;", "0 a @ 2 1"},
		{"without", "init a @ 2 . b . a @ 1;", "0 a @ 2 1, 1 b 2"},
		{"together", "init allow({a|b}, a @ 2 . delta || b @ 2 . delta);", "0 a|b @ 2 1"},
		{"apart", "init allow({a|b}, a @ 2 || b @ 3);", ""},
		{"one has a time", "init allow({a|b}, a @ 2 . delta || b . delta);", "0 a|b @ 2 1"},
		{"one after the other", "init allow({a, b}, a @ 2 . delta || b @ 3 . delta);", "0 b @ 3 1, 0 a @ 2 2, 2 b @ 3 3"},
		{"inside of a sequence", "init b . (a @ 2 || b @ 2) . delta;", "0 b 1, 1 a @ 2 2, 1 b @ 2 3, 1 a|b @ 2 4"},
		{"data", "init sum t: Real. (t == 1 || t == 2) -> n(3) @ (t * 3) . delta;", "0 n(3) @ 3 1, 0 n(3) @ 6 2"},
		{"hidden", "init hide({a}, a @ 2 . delta);", "0 tau @ 2 1"},
		{"condition", "proc P(i: Nat) = n(i) @ (i + 1) . ((i < 1) -> P(i + 1) <> delta); init P(0);", "0 n(0) @ 1 1, 1 n(1) @ 2 2"},
		{"delta", "init a @ 1 . delta @ 2 + delta @ 1 + b @ 3 . delta;", "0 a @ 1 1, 0 b @ 3 2"},
		{"name", "proc time(time: Nat) = n(time) @ 1 . time(1); init time(0);", "0 n(0) @ 1 1"},
	} {
		l := linearised(t, "act a, b; n: Nat; "+c.text)
		var b graph.Builder
		search(t, l, Options{}, explore.Options{All: true, Strategy: explore.BreadthFirst, Observer: &b})
		g := b.Graph()
		var got []string
		for _, x := range g.Transitions {
			got = append(got, fmt.Sprintf("%d %s %d", x.From, g.Labels[x.Label], x.To))
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%s: got %q, want %q", c.what, text, c.want)
		}
	}
}
