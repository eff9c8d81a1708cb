package chance

import (
	"bytes"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/graph"
)

func read(t *testing.T, text string) *graph.Graph {
	t.Helper()
	g, err := graph.ReadAut("test", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func of(t *testing.T, text string) *Graph {
	t.Helper()
	g, err := Of(read(t, text), "P")
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Two draws after each other are one distribution; equal ends are added up.
const twice = `des (0,9,6)
(0,"P(1/2, true)",1)
(0,"P(1/2, false)",2)
(1,"a",3)
(2,"P(1/3, 1)",1)
(2,"P(1/3, 2)",4)
(2,"P(1/3, 3)",4)
(3,"Pair(1/2)",1)
(4,"a",5)
(5,"b",5)
`

func TestOf(t *testing.T) {
	var b bytes.Buffer
	g := of(t, twice)
	if err := g.WriteAut(&b); err != nil {
		t.Fatal(err)
	}
	want := `des (0 2/3 2,4,4)
(0,"a",1)
(1,"Pair(1/2)",0)
(2,"a",3)
(3,"b",3)
`
	if b.String() != want {
		t.Errorf("got %s want %s", b.String(), want)
	}
	b.Reset()
	if err := g.WriteFsm(&b); err != nil {
		t.Fatal(err)
	}
	if want := "---\n\n\n\n\n---\n1 2 \"a\"\n2 1 \"Pair(1/2)\"\n3 4 \"a\"\n4 4 \"b\"\n---\n[1 2/3 3 1/3]\n"; b.String() != want {
		t.Errorf("got %q want %q", b.String(), want)
	}
	b.Reset()
	if err := of(t, "des (0,3,3)\n(0,\"a\",1)\n(1,\"P(1/4, 1)\",0)\n(1,\"P(3/4, 2)\",2)\n").WriteDot(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"initial -> 0 [label=\"1\"]", "0 -> d0 [label=\"a\"]", "d0 -> 0 [label=\"1/4\"]", "d0 -> 1 [label=\"3/4\"]"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("got %s, want it to have %s", b.String(), want)
		}
	}
	if got := g.Deadlocks(); got != 0 {
		t.Errorf("got %d deadlocks, want none", got)
	}
}

func TestWrongSum(t *testing.T) {
	_, err := Of(read(t, "des (0,2,2)\n(0,\"P(1/2, 1)\",1)\n(0,\"P(1/3, 2)\",1)\n"), "P")
	if err == nil || !strings.Contains(err.Error(), "have the sum 5/6, want 1") {
		t.Errorf("got %v, want the sum refused", err)
	}
	_, err = Of(read(t, "des (0,1,1)\n(0,\"P(1, 1)\",0)\n"), "P")
	if err == nil || !strings.Contains(err.Error(), "draws without an end") {
		t.Errorf("got %v, want it refused", err)
	}
}

func TestBisimulation(t *testing.T) {
	// A draw of one of two states that do the same is none.
	half := of(t, "des (0,5,5)\n(0,\"a\",1)\n(1,\"P(1/2, 1)\",2)\n(1,\"P(1/2, 2)\",3)\n(2,\"b\",4)\n(3,\"b\",4)\n")
	line := of(t, "des (0,2,3)\n(0,\"a\",1)\n(1,\"b\",2)\n")
	if r := Reduce(half); r.States != 3 || len(r.Transitions) != 2 {
		t.Errorf("got %d states and %d transitions, want 3 and 2", r.States, len(r.Transitions))
	}
	if !Equivalent(half, line) || !Equivalent(line, half) {
		t.Error("a.(1/2 b + 1/2 b) differs from a.b")
	}
	other := func(p, q string) *Graph {
		return of(t, "des (0,5,5)\n(0,\"a\",1)\n(1,\"P("+p+", 1)\",2)\n(1,\"P("+q+", 2)\",3)\n(2,\"b\",4)\n(3,\"c\",4)\n")
	}
	for _, c := range []struct {
		g, h *Graph
		want bool
	}{
		{other("1/2", "1/2"), line, false},
		{other("1/3", "2/3"), other("1/3", "2/3"), true},
		{other("1/3", "2/3"), other("2/3", "1/3"), false},
		{of(t, twice), Reduce(of(t, twice)), true},
		{of(t, "des (0,1,2)\n(0,\"b\",1)\n"), of(t, "des (0,1,2)\n(0,\"c\",1)\n"), false},
	} {
		if got := Equivalent(c.g, c.h); got != c.want {
			t.Errorf("got %t, want %t", got, c.want)
		}
	}
}
