package graph

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
	"pgregory.net/rapid"
)

// dining is two philosophers as mCRL2 writes them.
const dining = `des (0,12,10)
(0,"lock(p2, f2)",1)
(0,"lock(p1, f1)",2)
(1,"lock(p1, f1)",3)
(1,"lock(p2, f1)",4)
(2,"lock(p2, f2)",3)
(2,"lock(p1, f2)",5)
(4,"eat(p2)",6)
(5,"eat(p1)",7)
(6,"free(p2, f2)",8)
(7,"free(p1, f1)",9)
(8,"free(p2, f1)",0)
(9,"free(p1, f2)",0)
`

func TestAut(t *testing.T) {
	g, err := ReadAut("dining.aut", strings.NewReader(dining))
	if err != nil {
		t.Fatal(err)
	}
	want := Info{States: 10, Transitions: 12, Labels: 10, Deadlocks: 1, Reachable: 10, Deterministic: true}
	if got := g.Info(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	var b strings.Builder
	if err := g.WriteAut(&b); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); got != dining {
		t.Errorf("got\n%s\nwant\n%s", got, dining)
	}
}

func TestAutForms(t *testing.T) {
	got, err := ReadAut("x.aut", strings.NewReader("\n des( 1 , 4 , 2 )\r\n( 0 , a , 1 )\n(1,\"b, \"c\" d\",0)\n\n(0,tau,0)\n(0,\"%22%2522%\",0)\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := &Graph{Initial: 1, States: 2, Labels: []string{"a", `b, "c" d`, "tau", `"%22%`},
		Transitions: []Transition{{0, 0, 1}, {1, 1, 0}, {0, 2, 0}, {0, 3, 0}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestAutErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "x.aut: want des (initial,transitions,states), got nothing",
		"des (0,1)":                      `x.aut:1: "des (0,1)": want des (initial,transitions,states)`,
		"dis (0,1,2)":                    `x.aut:1: "dis (0,1,2)": want des (initial,transitions,states)`,
		"des (0 1/3 1, 2, 2)":            `x.aut:1: "0 1/3 1": want a number below 2`,
		"des (2,0,2)":                    `x.aut:1: "2": want a number below 2`,
		"des (0,0,0)":                    `x.aut:1: "0": want a number below 0`,
		"des (0,1,4294967296)":           `x.aut:1: "4294967296": want a number below 2147483647`,
		"des (0,0,2000000000)":           "x.aut:1: 2000000000 states and 0 transitions: at least 1999999999 states are in no transition, and at most 4000000 such are read",
		"des (0,2000000000,2000000000)":  "x.aut:1: got 0 transitions, the first line says 2000000000",
		"des (0,1,1)\n(0,\"a\",1)":       `x.aut:2: "1": want a number below 1`,
		"des (0,1,1)\n(0,\"a\",0":        `x.aut:2: "(0,\"a\",0": want (from,"label",to)`,
		"des (0,1,1)\n(0,0)":             `x.aut:2: "(0,0)": want (from,"label",to)`,
		"des (0,1,1)\n(0,\"a,0)":         `x.aut:2: label "a: want a quote at its end`,
		"des (0,2,1)\n(0,\"a\",0)\n":     "x.aut:2: got 1 transitions, the first line says 2",
		"des (0,1,2)\n(0,\"a\",0 1/2 1)": `x.aut:2: "0 1/2 1": want a number below 2`,
	} {
		_, err := ReadAut("x.aut", strings.NewReader(text))
		if err == nil || err.Error() != want || diag.ExitCode(err) != diag.ExitUsage {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

// States that are in no transition are states, too.
func TestAutIsolated(t *testing.T) {
	for _, text := range []string{"des (0,0,4000001)\n", "des (7,1,4000003)\n(0,\"a\",4000002)\n"} {
		g, err := ReadAut("x.aut", strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := g.WriteAut(&b); err != nil || b.String() != text {
			t.Errorf("got %q, %v, want %q", b.String(), err, text)
		}
	}
}

func TestDot(t *testing.T) {
	g := &Graph{States: 2, Labels: []string{`say "\n"`}, Transitions: []Transition{{0, 0, 1}}}
	var b strings.Builder
	if err := g.WriteDot(&b); err != nil {
		t.Fatal(err)
	}
	want := `digraph {
	node [shape=circle]
	0 [peripheries=2]
	1 [style=filled]
	0 -> 1 [label="say \"\\n\""]
}
`
	if got := b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Any text can be a label.
func TestAutRoundTrip(t *testing.T) {
	text := rapid.StringOfN(rapid.SampledFrom([]rune("%20AD5\"\n\r\\,)( aé")), 0, 8, -1)
	rapid.Check(t, func(t *rapid.T) {
		g := draw(t, 6, rapid.SliceOfNDistinct(text, 1, 4, rapid.ID[string]).Draw(t, "labels"))
		var b bytes.Buffer
		if err := g.WriteAut(&b); err != nil {
			t.Fatal(err)
		}
		h, err := ReadAut("x.aut", &b)
		if err != nil {
			t.Fatal(err)
		}
		if !g.Equal(h) || len(g.Transitions) != len(h.Transitions) {
			t.Fatalf("got %+v, want %+v", h, g)
		}
	})
}

func FuzzReadAut(f *testing.F) {
	f.Add(dining)
	f.Add("des(1,2,3)\n(0,tau,2)\n(2,\"%22\",1)")
	f.Fuzz(func(t *testing.T, text string) {
		g, err := ReadAut("x.aut", strings.NewReader(text))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := g.WriteAut(&b); err != nil {
			t.Fatal(err)
		}
		h, err := ReadAut("y.aut", &b)
		if err != nil || !reflect.DeepEqual(g, h) {
			t.Fatalf("got %+v, %v, want %+v", h, err, g)
		}
		if g.States < 1000 {
			g.Info()
			for e := Strong; e <= WeakTrace; e++ {
				if _, err := Reduce(g, e, "tau"); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}
