package conform_test

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/conform"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
	"pgregory.net/rapid"
)

// A graph has edges with texts, by state: "a b 1" is an edge to state 1 on which a
// and then b are observed. As a model it has one action an edge, or none.
type graph [][]string

// of splits an edge.
func of(edge string) (actions []string, to int) {
	words := strings.Fields(edge)
	fmt.Sscan(words[len(words)-1], &to)
	return words[:len(words)-1], to
}

// A cursor is a graph as a system.
type cursor struct {
	g     graph
	at    uint16
	last  []string
	marks []uint16
	start []string // observed before the initial state
}

func (c *cursor) Reset() { c.at, c.last, c.marks = 0, c.start, nil }
func (c *cursor) Enabled(dst []lts.Step) []lts.Step {
	for i := range c.g[c.at] {
		dst = append(dst, lts.Step(i))
	}
	return dst
}
func (c *cursor) Take(s lts.Step) lts.Label {
	from := c.at
	actions, to := of(c.g[from][s])
	c.last, c.at = actions, uint16(to)
	return lts.Label(uint64(from)<<16 | uint64(s))
}
func (c *cursor) Save() lts.Mark {
	c.marks = append(c.marks, c.at)
	return lts.Mark(len(c.marks) - 1)
}
func (c *cursor) Restore(m lts.Mark) {
	c.at, c.last, c.marks = c.marks[m], nil, c.marks[:m+1]
}
func (c *cursor) AppendKey(dst []byte) []byte { return binary.LittleEndian.AppendUint16(dst, c.at) }
func (c *cursor) Final() bool                 { return true }
func (c *cursor) LabelText(l lts.Label) string {
	actions, _ := of(c.g[l>>16][l&0xffff])
	return strings.Join(actions, "|")
}
func (c *cursor) Observed(dst []lts.Observation) []lts.Observation {
	for _, a := range c.last {
		dst = append(dst, lts.Observation{Action: a})
	}
	return dst
}

// against returns the systems of a program and a model.
func against(t testing.TB, program, model graph, o conform.Options, start ...string) func() (lts.System, error) {
	t.Helper()
	return func() (lts.System, error) {
		return conform.New(&cursor{g: program, start: start}, &cursor{g: model}, o)
	}
}

func TestConform(t *testing.T) {
	server := graph{{"ask(1) 1", "ask(2) 2"}, {"tell(A) 0"}, {"tell(B) 0"}}
	for _, test := range []struct {
		name           string
		program, model graph
		start          []string
		want           string // the message, "" if it conforms
		states         int64  // of the product, if it conforms
	}{
		{name: "the same", program: server, model: server, states: 3},
		{name: "less", program: graph{{"ask(1) 1"}, {}}, model: server, states: 2},
		{name: "nothing", program: graph{{}}, model: graph{{}}, states: 1},
		{name: "two in one step", program: graph{{"ask(1) tell(A) 0"}}, model: server, states: 1},
		{name: "open argument", program: graph{{"ask(_) 1"}, {"tell(A) 0", "tell(B) 0"}}, model: server, states: 2},
		{name: "before the start", program: graph{{"tell(A) 1"}, {}}, model: server, start: []string{"ask(1)"}, states: 2},
		{name: "internal steps", program: graph{{"1"}, {"2"}, {"a 0"}}, model: graph{{"1", "2"}, {"a 0"}, {}}, states: 3},
		// After a the model is in one of two states, and stays in doubt.
		{name: "not deterministic", program: graph{{"a 1"}, {"c 2"}, {}}, model: graph{{"a 1", "a 2"}, {"b 0"}, {"c 0"}}, states: 3},
		// The same state of the program with other states of the model is another one.
		{name: "memory", program: graph{{"a 0", "b 0"}}, model: graph{{"a 1", "b 0"}, {"a 2", "b 1"}, {"b 2", "a 2"}}, states: 3},
		{name: "wrong answer", program: graph{{"ask(2) 1"}, {"tell(A) 0"}}, model: server,
			want: "the program does tell(A), the model allows tell(B)"},
		{name: "spaces", program: graph{{"ask(2) 1"}, {"tell(C) 0"}}, model: graph{{"ask(2) 1"}, {"tell(A,B) 0", "tell(B) 0", "b 0"}},
			want: "the program does tell(C), the model allows b, tell(A, B) or tell(B)"},
		{name: "wrong in one step", program: graph{{"ask(2) tell(A) tell(B) 0"}}, model: server,
			want: "the program does tell(A), the model allows tell(B)"},
		{name: "wrong before the start", program: graph{{}}, model: server, start: []string{"tell(A)"},
			want: "the program does tell(A), the model allows ask(1) or ask(2)"},
		{name: "end of the model", program: graph{{"a 0"}}, model: graph{{"a 1"}, {}},
			want: "the program does a, the model allows nothing"},
		// One of both states would allow what the other does not.
		{name: "either", program: graph{{"a 1"}, {"b 2"}, {"c 0"}}, model: graph{{"a 1", "a 2"}, {"b 0"}, {"c 0"}},
			want: "the program does c, the model allows a"},
		{name: "parts of a name", program: graph{{"ask(11) 0"}}, model: graph{{"ask(1) 0"}},
			want: "the program does ask(11), the model allows ask(1)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			res, err := explore.Run(against(t, test.program, test.model, conform.Options{}, test.start...), explore.Options{Strategy: explore.BreadthFirst})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if len(res.Findings) > 0 {
				got = res.Findings[0].Message
			}
			if got != test.want || test.want == "" && (res.States != test.states || res.Verdict != explore.Verified) {
				t.Errorf("got %q, %s, %d states, want %q and %d", got, res.Verdict, res.States, test.want, test.states)
			}
		})
	}
}

// TestQuiescence: a program that stops where its model must go on differs. Inputs begin with i.
func TestQuiescence(t *testing.T) {
	server := graph{{"i 1"}, {"o 0"}}
	for _, test := range []struct {
		name           string
		program, model graph
		want           string
	}{
		{"waits for an input", graph{{}}, server, ""},
		{"does not answer", graph{{"i 1"}, {}}, server, "the program stops, the model goes on with o"},
		{"answers", graph{{"i 1"}, {"o 2"}, {}}, server, ""},
		{"one of several will do", graph{{"i 1"}, {"o 0"}}, graph{{"i 1"}, {"o 0", "p 0"}}, ""},
		{"none of several", graph{{"1"}, {}}, graph{{"o 0", "i 0", "p 0"}}, "the program stops, the model goes on with o or p"},
		// The model may have decided to do nothing.
		{"the model may stop", graph{{}}, graph{{"1", "o 0"}, {}}, ""},
		{"the model has to go on in the end", graph{{}}, graph{{"1"}, {"o 0"}}, "the program stops, the model goes on with o"},
		{"nothing for ever", graph{{}}, graph{{"1"}, {"0", "o 0"}}, ""},
		{"in doubt", graph{{"a 1"}, {}}, graph{{"a 1", "a 2"}, {"o 0"}, {}}, ""},
		{"at the end", graph{{"a 1"}, {}}, graph{{"a 1"}, {}}, ""},
		// Circles in which nothing is observed are not found.
		{"circles", graph{{"0"}}, graph{{"o 0"}}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := &cursor{g: test.model}
			o := conform.Options{Quiescence: true, Input: func(l lts.Label) bool { return strings.HasPrefix(m.LabelText(l), "i") }}
			for _, s := range []explore.Strategy{explore.BreadthFirst, explore.DepthFirst} {
				res, err := explore.Run(against(t, test.program, test.model, o), explore.Options{Strategy: s})
				if err != nil {
					t.Fatal(err)
				}
				got := ""
				if len(res.Findings) > 0 {
					got = res.Findings[0].Message
				}
				if got != test.want {
					t.Errorf("got %q, want %q", got, test.want)
				}
			}
			o.Quiescence = false
			if res, err := explore.Run(against(t, test.program, test.model, o), explore.Options{}); err != nil || res.Verdict != explore.Verified {
				t.Errorf("if that is not asked for: got %v, %v", res, err)
			}
		})
	}
}

// newSystem puts a program and a model together.
func newSystem(t *testing.T, program, model graph, o conform.Options) *conform.System {
	t.Helper()
	sys, err := conform.New(&cursor{g: program}, &cursor{g: model}, o)
	if err != nil {
		t.Fatal(err)
	}
	return sys
}

// TestTests: tests are the same for the same seed, cover what can be covered, and find what is wrong.
func TestTests(t *testing.T) {
	// A counter up to 40: to get to the end one has to go up all the way, where each step down, too, is possible.
	var chain graph
	for i := range 40 {
		chain = append(chain, []string{fmt.Sprintf("up %d", i+1), fmt.Sprintf("down %d", max(i-1, 0)), fmt.Sprint(i)})
	}
	chain = append(chain, []string{"top 40"})
	wrong := slices.Clone(chain)
	wrong[40] = []string{"top 40", "over 40"}
	stuck := slices.Clone(chain)
	stuck[40] = nil
	o := conform.TestOptions{Number: 5, Length: 400, Seed: 7}
	quiet := conform.Options{Quiescence: true}

	a, b := newSystem(t, chain, chain, quiet).Test(o), newSystem(t, chain, chain, quiet).Test(o)
	if !reflect.DeepEqual(a, b) {
		t.Errorf("got %+v, and then %+v", a, b)
	}
	// Random walks alone would not come to the top: 400 steps, half of them down.
	if len(a.Failures) > 0 || a.Covered != 81 || a.Transitions != 81 || !a.Whole || len(a.Tests) != 5 {
		t.Errorf("got %d of %d transitions (%v) and failures %v in %d tests, want 81 of 81 and none in 5", a.Covered, a.Transitions, a.Whole, a.Failures, len(a.Tests))
	}
	if a.Tests[0].Steps != 400 || a.Tests[0].End != "the limit of 400 steps" || a.Tests[0].Failed {
		t.Errorf("got %+v", a.Tests[0])
	}
	o.Seed = 8
	if c := newSystem(t, chain, chain, quiet).Test(o); reflect.DeepEqual(a, c) {
		t.Errorf("another seed: got the same, %+v", c)
	}

	for _, test := range []struct {
		name    string
		program graph
		o       conform.Options
		want    string
	}{
		{"not allowed", wrong, conform.Options{}, "the program does over, the model allows top"},
		{"stops", stuck, quiet, "the program stops, the model goes on with top"},
	} {
		sys := newSystem(t, test.program, chain, test.o)
		got := sys.Test(o)
		if len(got.Failures) != 1 || got.Failures[0].Message != test.want || !got.Tests[len(got.Tests)-1].Failed {
			t.Errorf("%s: got %+v, want %s", test.name, got.Failures, test.want)
			continue
		}
		// The way can be gone again.
		path := got.Failures[0].Path
		lts.MustReplay(sys, path[:len(path)-1])
		sys.Take(path[len(path)-1])
		if list := sys.CheckState(sys.CheckStep(nil)); len(list) != 1 || list[0].Message != test.want {
			t.Errorf("%s: along its path: got %v, want %s", test.name, list, test.want)
		}
	}
	if got := newSystem(t, stuck, chain, conform.Options{}).Test(o); len(got.Failures) > 0 || got.Tests[0].End != "the program stops" {
		t.Errorf("quiescence off: got %+v", got)
	}
	stops := 0
	o.Stop = func() bool { stops++; return stops > 100 }
	if got := newSystem(t, chain, chain, quiet).Test(o); !got.Stopped {
		t.Errorf("told to stop: got %+v", got)
	}
}

// A counter is a model without an end: two loops of steps that are worth 1 and 2.
type counter struct {
	n     uint32
	marks []uint32
}

func (c *counter) Reset()                            { c.n, c.marks = 0, nil }
func (c *counter) Enabled(dst []lts.Step) []lts.Step { return append(dst, 1, 2) }
func (c *counter) Take(s lts.Step) lts.Label         { c.n += uint32(s); return lts.Label(s) }
func (c *counter) Save() lts.Mark                    { c.marks = append(c.marks, c.n); return lts.Mark(len(c.marks) - 1) }
func (c *counter) Restore(m lts.Mark)                { c.n, c.marks = c.marks[m], c.marks[:m+1] }
func (c *counter) AppendKey(dst []byte) []byte       { return binary.LittleEndian.AppendUint32(dst, c.n) }
func (c *counter) LabelText(l lts.Label) string      { return fmt.Sprintf("add(%d)", l) }

// TestEndlessModel: of a model without an end a part is counted, and it does not take the square of that.
func TestEndlessModel(t *testing.T) {
	sys, err := conform.New(&cursor{g: graph{{"add(1) 1"}, {"add(2) 2"}, {}}}, &counter{}, conform.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := sys.Test(conform.TestOptions{Number: 1})
	if got.Whole || got.Transitions < 1000 || got.Covered != 2 || len(got.Tests) != 1 || got.Tests[0].End != "the program stops" {
		t.Errorf("got %d of %d transitions, whole %v, %+v", got.Covered, got.Transitions, got.Whole, got.Tests)
	}
}

// TestArguments compares observed actions with labels.
func TestArguments(t *testing.T) {
	for _, test := range []struct {
		observed, label string
		want            bool
	}{
		{"put(_, 2)", "put(request(a, 1), 2)", true},
		{"put(_, 2)", "put(request(a, 2), 1)", false},
		{"put(_)", "put([1, 2])", true},
		{"put(_)", "put(1, 2)", false},
		{"put(request(_, 1))", "put(request(a, 1))", true},
		{"put(_x)", "put(y)", false},
		{"_error(a)", "_error(a)", true},
		{"_", "put", false},
		{"put( 1,2 )", "put(1, 2)", true},
		{"put(a b)", "put(ab)", false},
	} {
		res, err := explore.Run(against(t, graph{{"x 0"}}, graph{{"y 0"}}, conform.Options{Action: func(lts.Label) string { return test.label }}, test.observed),
			explore.Options{Limits: explore.Limits{States: 1}})
		if err != nil {
			t.Fatal(err)
		}
		// What is observed before the start fits or not; what comes then does not.
		if got := len(res.Findings) == 0; got != test.want {
			t.Errorf("%q as %q: got %t, want %t", test.observed, test.label, got, test.want)
		}
	}
}

// TestShortest finds the shorter of two ways to a difference, and where it is.
func TestShortest(t *testing.T) {
	program := graph{{"a 1", "b 3"}, {"a 2"}, {"x 0"}, {"y 0"}}
	model := graph{{"a 0", "b 0"}}
	res, err := explore.Run(against(t, program, model, conform.Options{}), explore.Options{Strategy: explore.BreadthFirst})
	if err != nil {
		t.Fatal(err)
	}
	if want := (lts.Path{1, 0}); len(res.Findings) != 1 || !slices.Equal(res.Findings[0].Path, want) {
		t.Errorf("got %v, want one finding at %v", res.Findings, want)
	}
}

// TestLimit never calls a search complete that has not followed the model.
func TestLimit(t *testing.T) {
	long := graph{{"1"}, {"2"}, {"3"}, {"4"}, {"a 0"}}
	for limit, want := range map[int]explore.Verdict{2: explore.Inconclusive, 5: explore.Verified} {
		res, err := explore.Run(against(t, graph{{"a 0"}}, long, conform.Options{Limit: limit}), explore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if res.Verdict != want {
			t.Errorf("limit %d: got %s, want %s", limit, res.Verdict, want)
		}
	}
}

// TestSuite runs the suite that every system passes.
func TestSuite(t *testing.T) {
	program := graph{{"a 1", "b 0"}, {"b 2", "1"}, {"a 0", "c 1"}}
	model := graph{{"a 1", "b 0", "a 2"}, {"b 1", "0"}, {"a 0", "c 2", "b 2"}}
	ltstest.Run(t, func() lts.System {
		sys, err := against(t, program, model, conform.Options{})()
		if err != nil {
			t.Fatal(err)
		}
		return sys
	})
}

// TestRandom compares with all traces up to a length, of random graphs.
func TestRandom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		program, model := drawGraph(t, "program", 3), drawGraph(t, "model", 4)
		const length = 6
		allowed := traces(model, length)
		want := -1 // length of the shortest difference
		for w := range traces(program, length) {
			if !allowed[w] && (want < 0 || len(w) < want) {
				want = len(w)
			}
		}
		for _, o := range []explore.Options{{Strategy: explore.BreadthFirst}, {Strategy: explore.DepthFirst}, {Strategy: explore.DepthFirst, Workers: 2}} {
			res, err := explore.Run(func() (lts.System, error) {
				return conform.New(&cursor{g: program}, &cursor{g: model}, conform.Options{})
			}, o)
			if err != nil {
				t.Fatal(err)
			}
			if len(res.Findings) == 0 {
				if want >= 0 {
					t.Fatalf("%v: got no difference, want one of %d actions", o.Strategy, want)
				}
				continue
			}
			// A way to a difference has the actions that lead there.
			word := ""
			sys := &cursor{g: program}
			sys.Reset()
			for _, s := range res.Findings[0].Path {
				sys.Take(s)
				word += strings.Join(sys.last, "")
			}
			if long := traces(model, len(word)); long[word] || len(word) > 0 && !long[word[:len(word)-1]] {
				t.Fatalf("%v: got %q, which is not a first difference", o.Strategy, word)
			}
		}
	})
}

// TestRandomQuiescence: where programs stop and models must not is what a look at all traces says, and tests find nothing else. c is an input.
func TestRandomQuiescence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		program, model := drawGraph(t, "program", 3), drawGraph(t, "model", 4)
		o := conform.Options{Quiescence: true, Input: func(l lts.Label) bool {
			actions, _ := of(model[l>>16][l&0xffff])
			return slices.Contains(actions, "c")
		}}
		newBoth := func() (lts.System, error) { return conform.New(&cursor{g: program}, &cursor{g: model}, o) }
		wrong := func(length int) map[string]bool {
			list := map[string]bool{}
			allowed, stops := traces(model, length), stopped(model, length, true)
			for w := range stopped(program, length, false) {
				if allowed[w] && !stops[w] {
					list[w] = true
				}
			}
			return list
		}
		res, err := explore.Run(newBoth, explore.Options{Strategy: explore.BreadthFirst, All: true})
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, f := range res.Findings {
			if !strings.HasPrefix(f.Message, conform.Stops) {
				continue
			}
			found++
			if w := wordOf(program, f.Path); !wrong(len(w))[w] {
				t.Fatalf("got %s after %q, where the model may stop, or the program does not", f.Message, w)
			}
		}
		if list := wrong(6); len(list) > 0 && found == 0 {
			t.Fatalf("got no program that stops, want one after one of %v", list)
		}
		sys, err := newBoth()
		if err != nil {
			t.Fatal(err)
		}
		tested := sys.(*conform.System).Test(conform.TestOptions{Number: 5, Length: 20, Seed: rapid.Uint64().Draw(t, "seed")})
		for _, f := range tested.Failures {
			w := wordOf(program, f.Path)
			if strings.HasPrefix(f.Message, conform.Stops) && !wrong(len(w))[w] || !strings.HasPrefix(f.Message, conform.Stops) && traces(model, len(w))[w] {
				t.Fatalf("a test: got %s after %q, which is right", f.Message, w)
			}
		}
		if tested.Covered > tested.Transitions || !tested.Whole {
			t.Fatalf("got %d of %d transitions, %v", tested.Covered, tested.Transitions, tested.Whole)
		}
	})
}

// wordOf returns what is observed on a path.
func wordOf(g graph, path lts.Path) (word string) {
	sys := &cursor{g: g}
	sys.Reset()
	for _, s := range path {
		sys.Take(s)
		word += strings.Join(sys.last, "")
	}
	return word
}

// stopped returns the traces of a graph up to a length after which it may do nothing more: a state without steps or, if inputs
// and loops count, with none but c, or from which steps without an action go on for ever.
func stopped(g graph, length int, count bool) map[string]bool {
	words := map[string]bool{}
	for n := range g {
		rests := !slices.ContainsFunc(g[n], func(e string) bool { return !count || e[0] != 'c' })
		if count {
			at := map[int]bool{n: true} // after so many silent steps
			for range g {
				next := map[int]bool{}
				for k := range at {
					for _, e := range g[k] {
						if actions, to := of(e); len(actions) == 0 {
							next[to] = true
						}
					}
				}
				at = next
			}
			rests = rests || len(at) > 0
		}
		if !rests {
			continue
		}
		for w := range tracesTo(g, length, n) {
			words[w] = true
		}
	}
	return words
}

// drawGraph draws a graph with at most one action an edge.
func drawGraph(t *rapid.T, name string, n int) graph {
	g := make(graph, rapid.IntRange(1, n).Draw(t, name))
	edge := rapid.Custom(func(t *rapid.T) string {
		return rapid.SampledFrom([]string{"", "a ", "b ", "c "}).Draw(t, "action") + fmt.Sprint(rapid.IntRange(0, len(g)-1).Draw(t, "to"))
	})
	for i := range g {
		g[i] = rapid.SliceOfN(edge, 0, 4).Draw(t, name+" edges")
	}
	return g
}

// traces returns the traces of a graph up to a length, with their beginnings.
func traces(g graph, length int) map[string]bool { return tracesTo(g, length, -1) }

// tracesTo returns those that lead to a state, or to any if it is negative.
func tracesTo(g graph, length, state int) map[string]bool {
	type place struct {
		at   int
		word string
	}
	seen := map[place]bool{{0, ""}: true}
	words := map[string]bool{}
	for todo := []place{{0, ""}}; len(todo) > 0; {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if state < 0 || p.at == state {
			words[p.word] = true
		}
		for _, e := range g[p.at] {
			actions, to := of(e)
			next := place{to, p.word + strings.Join(actions, "")}
			if len(next.word) > length || seen[next] {
				continue
			}
			seen[next] = true
			todo = append(todo, next)
		}
	}
	return words
}
