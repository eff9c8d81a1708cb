package cert

import (
	"bytes"
	"crypto/ed25519"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
	"pgregory.net/rapid"
)

var testHeader = Header{
	Kind: Full, Tool: "heddle test", Target: "toy",
	Program:    []Pair{{"identity", "0123"}},
	Settings:   []Pair{{"time", "free"}},
	Properties: []string{"wrong"},
}

// record searches a toy and returns its certificate.
func record(t testing.TB, m ltstest.Model, kind Kind, traffic string) []byte {
	t.Helper()
	var out bytes.Buffer
	h := testHeader
	h.Kind = kind
	w, err := NewWriter(&out, h)
	if err != nil {
		t.Fatal(err)
	}
	r := NewRecorder(w)
	_, err = explore.Run(func() (lts.System, error) { return ltstest.New(m), nil }, explore.Options{All: true, Observer: r})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close([]byte(traffic)); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func open(t testing.TB, data []byte) *Reader {
	t.Helper()
	c, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// events returns all events of a script.
func events(t testing.TB, c *Reader) []Event {
	t.Helper()
	var list []Event
	for s := c.Script(); ; {
		e, err := s.Next()
		if err == io.EOF {
			return list
		}
		if err != nil {
			t.Fatalf("event %d: %v", len(list), err)
		}
		list = append(list, e)
	}
}

// TestFigure1 has the graph of figure 1 of paper 002, whose script the paper
// gives: here it is what is left of that without what the program tells.
func TestFigure1(t *testing.T) {
	var out bytes.Buffer
	w, err := NewWriter(&out, testHeader)
	if err != nil {
		t.Fatal(err)
	}
	// Pairs of instruction and state, where a state that was not there is new.
	top := uint32(1)
	for _, f := range strings.Fields("t1:2 t1:1 t2:3 t1:1 t2:4 t1:2 t3:5 t1:4 B B B B t2:4 B") {
		if f == "B" {
			if w.Depth() > 0 {
				w.Back()
			}
			continue
		}
		name, to, _ := strings.Cut(f, ":")
		if state := uint32(to[0] - '0'); state > top {
			top = state
			err = w.Fresh(Name(TextHash(name)))
		} else {
			err = w.Seen(Name(TextHash(name)), state)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(nil); err != nil {
		t.Fatal(err)
	}
	c := open(t, out.Bytes())
	var text []string
	for _, e := range events(t, c) {
		if e.Op == Back {
			text = append(text, fmt.Sprintf("B:%d", e.State))
		} else {
			text = append(text, fmt.Sprintf("%d:%d", e.Index, e.State))
		}
	}
	got, want := strings.Join(text, " "), "0:2 1:3 1:4 1:5 B:4 B:3 B:2 B:1"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if want := (Counts{5, 9, 4}); c.Counts != want {
		t.Errorf("got %v, want %v", c.Counts, want)
	}
}

// TestSums: each thing that a script says about a transition is in a sum.
func TestSums(t *testing.T) {
	make := func(names string, states ...uint32) Sums {
		var out bytes.Buffer
		w, _ := NewWriter(&out, testHeader)
		for i, s := range states {
			if name := Name(names[i]); s == 0 {
				w.Fresh(name)
			} else {
				w.Seen(name, s)
			}
		}
		if err := w.Close(nil); err != nil {
			t.Fatal(err)
		}
		return open(t, out.Bytes()).Sums
	}
	want := make("abcd", 0, 1, 0, 2)
	for what, got := range map[string]Sums{
		"the name of a new one": make("xbcd", 0, 1, 0, 2), "the name of another": make("axcd", 0, 1, 0, 2),
		"places": make("abdc", 0, 1, 0, 2), "a state": make("abcd", 0, 2, 0, 2), "two states": make("abcd", 0, 2, 0, 1),
	} {
		if got == want {
			t.Errorf("%s: got equal sums", what)
		}
	}
	if again := make("abcd", 0, 1, 0, 2); again != want {
		t.Errorf("got %v, want %v", again, want)
	}
}

// A listener notes what a search does, the plain way.
type listener struct {
	ids   map[string]uint32
	stack []string
	steps map[string]int
	list  []Event
}

func (l *listener) State(_ lts.System, digest []byte, _ int) {
	l.ids[string(digest)] = uint32(len(l.ids) + 1)
	l.stack = append(l.stack, string(digest))
}

func (l *listener) Step(_ lts.System, from, to []byte, _ lts.Step, _ lts.Label) {
	l.back(string(from))
	if l.ids[string(to)] == 0 {
		l.list = append(l.list, Event{Op: Fresh, Index: l.steps[string(from)], State: uint32(len(l.ids) + 1)})
	}
	l.steps[string(from)]++
}

func (l *listener) back(to string) {
	for l.stack[len(l.stack)-1] != to {
		l.stack = l.stack[:len(l.stack)-1]
		l.list = append(l.list, Event{Op: Back, State: l.ids[l.stack[len(l.stack)-1]]})
	}
}

var toys = map[string]ltstest.Model{
	"grid":         ltstest.Grid(4, 6),
	"philosophers": ltstest.Philosophers(8, true),
	"deadlock":     ltstest.Philosophers(5, false),
	"ring":         ltstest.Ring(7),
	"mutex":        ltstest.Mutex(7, true),
	"tree":         ltstest.Tree(12),
	"lasso":        ltstest.Lasso(300, 50),
	"jugs":         ltstest.Jugs(),
	"one":          ltstest.Grid(1, 0),
}

// TestRoundTrip reads back what was searched.
func TestRoundTrip(t *testing.T) {
	for name, m := range toys {
		for _, kind := range []Kind{Full, Tree} {
			l := &listener{ids: map[string]uint32{}, steps: map[string]int{}}
			explore.Run(func() (lts.System, error) { return ltstest.New(m), nil }, explore.Options{All: true, Observer: l})
			l.back(l.stack[0])
			want := l.list
			c := open(t, record(t, m, kind, "traffic of "+name))
			got := events(t, c)
			if !slices.Equal(got, want) {
				t.Errorf("%s %s: %d events differ from %d", name, kind, len(got), len(want))
			}
			if c.Header.Kind = Full; !reflect.DeepEqual(c.Header, testHeader) {
				t.Errorf("%s: got header %v, want %v", name, c.Header, testHeader)
			}
			if got, err := c.Traffic(); err != nil || string(got) != "traffic of "+name {
				t.Errorf("%s: got traffic %q, %v", name, got, err)
			}
		}
	}
}

// TestWide reads back scripts of states with so many productive steps that their shape
// does not fit a word, and with nearly so many.
func TestWide(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var out bytes.Buffer
		w, err := NewWriter(&out, testHeader)
		if err != nil {
			rt.Fatal(err)
		}
		var want []Event
		var tell func(depth int)
		tell = func(depth int) {
			n := rapid.OneOf(rapid.IntRange(0, 3), rapid.IntRange(58, 70)).Draw(rt, "steps")
			every := rapid.SampledFrom([]int{1, 2, 9, n}).Draw(rt, "one in")
			for i := range n {
				if (n-1-i)%every != 0 { // so the last one is productive
					w.Seen(0, 1)
					continue
				}
				w.Fresh(0)
				want = append(want, Event{Op: Fresh, Index: i})
				if depth < 2 && (i < 4 || i == n-1) {
					tell(depth + 1)
				}
				w.Back()
				want = append(want, Event{Op: Back})
			}
		}
		tell(0)
		if err := w.Close(nil); err != nil {
			rt.Fatal(err)
		}
		got := events(t, open(t, out.Bytes()))
		if len(got) != len(want) {
			rt.Fatalf("got %d events, want %d", len(got), len(want))
		}
		for i, e := range got {
			if e.Op != want[i].Op || e.Index != want[i].Index {
				rt.Fatalf("event %d: got %v, want %v", i, e, want[i])
			}
		}
	})
}

// TestChoices reads back which steps are followed in each state, from the script and
// from parts of it.
func TestChoices(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var out bytes.Buffer
		h := testHeader
		h.Reduce = true
		w, err := NewWriter(&out, h)
		if err != nil {
			rt.Fatal(err)
		}
		draw := rapid.SampledFrom([]Choice{Reduced, All, Either})
		var want []Event
		var stack []*Choice // nil if it was told
		enter := func() {
			c := draw.Draw(rt, "choice")
			w.Choose(c)
			stack = append(stack, &c)
		}
		tell := func(e Event) {
			if top := &stack[len(stack)-1]; *top != nil {
				e.Choice, *top = **top, nil
			}
			want = append(want, e)
		}
		enter()
		for _, op := range rapid.SliceOfN(rapid.IntRange(0, 2), 0, 200).Draw(rt, "events") {
			switch {
			case op == 0:
				tell(Event{Op: Fresh})
				w.Fresh(0)
				enter()
			case op == 1:
				w.Seen(0, 1)
			case len(stack) > 1:
				tell(Event{Op: Back})
				w.Back()
				stack = stack[:len(stack)-1]
			}
		}
		for len(stack) > 1 {
			tell(Event{Op: Back})
			stack = stack[:len(stack)-1]
		}
		if err := w.Close(nil); err != nil {
			rt.Fatal(err)
		}
		same := func(what string, got []Event) {
			if len(got) != len(want) {
				rt.Fatalf("%s: got %d events, want %d", what, len(got), len(want))
			}
			for i, e := range got {
				if w := want[i]; e.Op != w.Op || w.Choice != Either && e.Choice != w.Choice || e.Choice == Either {
					rt.Fatalf("%s: event %d: got %v, want %v", what, i, e, w)
				}
			}
		}
		c := open(t, out.Bytes())
		same("script", events(t, c))
		var list []Event
		err = c.Slices(7, func(p *Part) error {
			p, err := ReadPart(p.Append(nil))
			if err != nil {
				return err
			}
			for s := p.Events(); ; {
				e, err := s.Next()
				if err == io.EOF {
					return nil
				}
				if err != nil {
					return err
				}
				list = append(list, e)
			}
		})
		if err != nil {
			rt.Fatal(err)
		}
		same("parts", list)
	})
}

// TestSizes pins how many bytes a transition takes at most, sums included.
func TestSizes(t *testing.T) {
	for _, test := range []struct {
		name  string
		model ltstest.Model
		kind  Kind
		limit float64
	}{
		{"grid", ltstest.Grid(5, 6), Full, 0.005},
		{"grid", ltstest.Grid(5, 6), Tree, 0.01},
		{"philosophers", ltstest.Philosophers(10, true), Full, 0.03},
		{"ring", ltstest.Ring(10), Full, 0.05},
		{"mutex", ltstest.Mutex(10, true), Full, 0.015},
		{"tree", ltstest.Tree(14), Full, 0.01},
	} {
		c := open(t, record(t, test.model, test.kind, ""))
		_, script := c.Size()
		per := float64(script) / float64(c.Counts.Transitions)
		t.Logf("%s %s: %d states, %d transitions, %d bytes, %.3f", test.name, test.kind, c.Counts.States, c.Counts.Transitions, script, per)
		if per > test.limit {
			t.Errorf("%s %s: got %.3f bytes a transition, want at most %.3f", test.name, test.kind, per, test.limit)
		}
	}
}

// TestSignature: what was signed is known to be, also by two, and nothing else.
func TestSignature(t *testing.T) {
	data := record(t, toys["jugs"], Full, "")
	pub, key, _ := ed25519.GenerateKey(bytes.NewReader(make([]byte, 64)))
	other := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{1}, 32))
	c := open(t, data)
	if c.SignedBy(pub) {
		t.Error("signed before it was")
	}
	data = append(data, Sign(c, key)...)
	c = open(t, data)
	if !c.SignedBy(pub) || c.SignedBy(other.Public().(ed25519.PublicKey)) {
		t.Error("signed by somebody else")
	}
	if c = open(t, append(data, Sign(c, other)...)); len(c.Signatures) != 2 || !c.SignedBy(pub) {
		t.Errorf("got %d signatures, want 2", len(c.Signatures))
	}
	foreign := open(t, record(t, toys["jugs"], Tree, ""))
	forged := append(slices.Clone(data), Sign(foreign, other)...)
	if _, err := Open(bytes.NewReader(forged), int64(len(forged))); err == nil {
		t.Error("a signature of another certificate was taken")
	}
}

// TestDamage: no byte can be changed, and none be missing at the end.
func TestDamage(t *testing.T) {
	data := record(t, toys["jugs"], Full, "some traffic")
	for i := range data {
		bad := slices.Clone(data)
		bad[i] ^= 1 << (i % 8)
		if _, err := Open(bytes.NewReader(bad), int64(len(bad))); err == nil {
			t.Errorf("byte %d changed: no error", i)
		}
		if _, err := Open(bytes.NewReader(data[:i]), int64(i)); err == nil {
			t.Errorf("%d bytes of %d: no error", i, len(data))
		}
	}
	if _, err := Open(bytes.NewReader(append(slices.Clone(data), 0)), int64(len(data)+1)); err == nil {
		t.Error("a byte after the end: no error")
	}
}

// TestRangeCoder codes bits and numbers and gets them back.
func TestRangeCoder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.SliceOf(rapid.OneOf(rapid.Uint32Max(5), rapid.Uint32())).Draw(t, "numbers")
		var enc coder
		enc.begin(nil)
		p := newProbs(numberProbs)
		for _, x := range numbers {
			enc.number(p, x)
		}
		dec := coder{decode: true}
		dec.begin(enc.finish())
		p = newProbs(numberProbs)
		for i, want := range numbers {
			if got := dec.number(p, 0); got != want {
				t.Fatalf("number %d: got %d, want %d", i, got, want)
			}
		}
	})
}

// chosen returns a certificate with choices.
func chosen(t testing.TB) []byte {
	var out bytes.Buffer
	h := testHeader
	h.Reduce = true
	w, _ := NewWriter(&out, h)
	for i := range 300 {
		w.Choose(Choice(i % 3))
		if i%7 == 3 {
			w.Back()
		} else {
			w.Fresh(0)
		}
	}
	if err := w.Close(nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// FuzzReader reads what is no certificate. With the sums corrected, damage gets
// as far as the script.
func FuzzReader(f *testing.F) {
	f.Add(record(f, toys["jugs"], Full, "traffic"), false)
	f.Add(record(f, ltstest.Grid(2, 2), Tree, ""), true)
	f.Add(chosen(f), true)
	f.Fuzz(func(t *testing.T, data []byte, mend bool) {
		if mend {
			data = Mend(data)
		}
		c, err := Open(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		c.Traffic()
		for s := c.Script(); s.Found() < 1<<20; { // a small file can say much
			if _, err := s.Next(); err != nil {
				break
			}
		}
		c.Cut(3, func(p *Part) error {
			if _, err := ReadPart(p.Append(nil)); err != nil {
				t.Errorf("what was written cannot be read: %v", err)
			}
			return nil
		})
	})
}
