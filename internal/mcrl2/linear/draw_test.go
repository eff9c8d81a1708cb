package linear_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/chance"
	"github.com/heddle-mc/heddle/internal/mcrl2/linear"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
)

// Draws come before anything else, and choices after all of their draws.
func TestDraws(t *testing.T) {
	for _, c := range []struct{ what, text, want string }{
		{"coin", "proc X = a . dist x: Bool[1/2]. p(x) . X; init X;", `des (0,3,3) (0,"a",1 1/2 2) (1,"p(true)",0) (2,"p(false)",0)`},
		{"first", "init dist x: Bool[if(x, 1/3, 2/3)]. p(x) . delta;", `des (0 1/3 2,2,3) (0,"p(true)",1) (2,"p(false)",1)`},
		{"bounded by its weight", "init a . dist x: Nat[if(x < 2, 1/2, 0)]. n(x) . delta;", `des (0,3,4) (0,"a",1 1/2 3) (1,"n(0)",2) (3,"n(1)",2)`},
		{"two at once", "init a . dist x: Bool[1/2]. dist y: Bool[if(x == y, 1, 0)]. p(y) . delta;", `des (0,3,4) (0,"a",1 1/2 3) (1,"p(true)",2) (3,"p(false)",2)`},
		{"in a choice", "init a . (b . delta + dist x: Bool[if(x, 1/4, 3/4)]. p(x) . delta);",
			`des (0,5,4) (0,"a",1 1/4 3) (1,"b",2) (1,"p(true)",2) (3,"b",2) (3,"p(false)",2)`},
		{"in a condition", "init a . (1 < 2) -> dist x: Bool[1/2]. p(x) . delta <> b;", `des (0,3,4) (0,"a",1 1/2 3) (1,"p(true)",2) (3,"p(false)",2)`},
		{"side by side", "init allow({c}, comm({a|b -> c}, (a . dist x: Bool[1/2]. delta) || b . dist x: Bool[1/3 + 1/6]. delta));", `des (0,1,2) (0,"c",1)`},
		{"before the other side goes on", "init allow({a, b}, (a . dist x: Bool[1/2]. (x -> a . delta <> delta)) || b . delta);",
			`des (0,7,6) (0,"b",1) (1,"a",2 1/2 3) (2,"a",3) (0,"a",4 1/2 5) (4,"b",2) (4,"a",5) (5,"b",3)`},
		{"hidden", "init hide({a}, a . dist x: Bool[1/2]. p(x) . delta);", `des (0,3,4) (0,"tau",1 1/2 3) (1,"p(true)",2) (3,"p(false)",2)`},
		{"name that is taken", "init Probability(1) . dist x: Bool[1/2]. p(x) . delta;", `des (0,3,4) (0,"Probability(1)",1 1/2 3) (1,"p(true)",2) (3,"p(false)",2)`},
	} {
		lps, err := linear.Linearise(load(t, "act a, b, c; p: Bool; n: Nat; Probability: Real; "+c.text))
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		sys, err := state.New(lps, state.Options{})
		if err != nil {
			t.Fatal(err)
		}
		g, err := chance.Of(explore(sys), lps.Draws)
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		var b bytes.Buffer
		if err := chance.Reduce(g).WriteAut(&b); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(strings.Fields(strings.ReplaceAll(b.String(), "\n", " ")), " "); got != c.want {
			t.Errorf("%s: got %s, want %s", c.what, got, c.want)
		}
	}
}
