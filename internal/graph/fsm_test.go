package graph

import (
	"bytes"
	"strings"
	"testing"
)

func TestWriteFsm(t *testing.T) {
	g := &Graph{Initial: 1, States: 3, Labels: []string{"flip", `say("x")`}, Transitions: []Transition{{1, 0, 0}, {0, 1, 2}}}
	v := Vectors{
		Params: []Param{{"b", "Bool", []string{"false", "true"}}, {"n", "Nat", []string{"0", "7"}}},
		States: [][]int32{{1, 0}, {0, 0}, {1, 1}},
	}
	const want = `b(2) Bool "false" "true"
n(2) Nat "0" "7"
---
0 0
1 0
1 1
---
1 2 "flip"
2 3 "say(%22x%22)"
`
	var b bytes.Buffer
	if err := g.WriteFsm(&b, v); err != nil || b.String() != want {
		t.Fatalf("got\n%s%v, want\n%s", &b, err, want)
	}
	h, err := ReadFsm("x", &b)
	if err != nil {
		t.Fatal(err)
	}
	if same, _, err := Compare(g, h, Strong, "tau"); err != nil || !same || h.States != 3 || h.Initial != 0 {
		t.Errorf("got %v, %v, %v, want the same graph", same, h, err)
	}
}

func TestReadFsmRefused(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "x: want three parts with --- between them, got 1"},
		{"---\n\n---\n1 2\n", `x:4: want FROM TO "LABEL" with states from 1 on, got "1 2"`},
		{"---\n\n---\n0 1 \"a\"\n", `x:4: want FROM TO "LABEL" with states from 1 on, got "0 1 \"a\""`},
		{"---\n---\n---\n\n", "x:4: want three parts with --- between them, got a fourth"},
	} {
		_, err := ReadFsm("x", strings.NewReader(test.text))
		if err == nil || err.Error() != test.want {
			t.Errorf("%q: got %v, want %s", test.text, err, test.want)
		}
	}
}

// FuzzReadFsm: what is read can be written and read again, and is the same then.
func FuzzReadFsm(f *testing.F) {
	f.Add("b(2) Bool \"false\" \"true\"\n---\n0\n1\n---\n1 2 \"flip\"\n2 1 \"flip\"\n")
	f.Add("---\n---\n")
	f.Add("---\n\n\n---\n2 1 \"a%22\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		g, err := ReadFsm("x", strings.NewReader(text))
		if err != nil || g.States > 1000 {
			return
		}
		var b bytes.Buffer
		if err := g.WriteFsm(&b, Vectors{}); err != nil {
			t.Fatal(err)
		}
		h, err := ReadFsm("y", &b)
		if err != nil || !g.Equal(h) || g.States != h.States {
			t.Errorf("got %v, %v, want %v", h, err, g)
		}
	})
}
