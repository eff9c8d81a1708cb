package reuse

import (
	"bytes"
	"testing"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
	"github.com/heddle-mc/heddle/internal/recheck"
	"pgregory.net/rapid"
)

// A program is a toy with functions. Each step of an actor, in each state of its own,
// calls one, and each says what it adds to whom; asking for the steps of a state calls
// one, too, which says how many of them there are.
type program struct {
	calls   [actors][modulus]uint32 // by actor and its own state
	effects [functions][actors]byte
	asks    [modulus]uint32 // by the state of the first actor
	limits  [functions]int
	bad     byte // a sum of states that is wrong
}

const (
	actors    = 3
	modulus   = 4
	functions = 6
)

func drawProgram(t *rapid.T) *program {
	p := &program{bad: 255}
	for a := range actors {
		for i := range modulus {
			p.calls[a][i] = rapid.Uint32Range(0, functions-1).Draw(t, "calls")
			p.asks[i] = rapid.Uint32Range(0, functions-1).Draw(t, "asks")
		}
	}
	for f := range functions {
		p.limits[f] = rapid.IntRange(1, actors).Draw(t, "limit")
		p.effects[f] = drawEffect(t)
	}
	return p
}

func drawEffect(t *rapid.T) (e [actors]byte) {
	for a := range actors {
		e[a] = rapid.SampledFrom([]byte{0, 0, 1, 2}).Draw(t, "adds")
	}
	return e
}

// A traced is a program as a system that tells what it executes.
type traced struct {
	lts.System
	lts.Checker
	p    *program
	list []uint32
}

func (p *program) system() *traced {
	s := &traced{p: p}
	steps := func(state []byte, dst []lts.Step) []lts.Step {
		f := p.asks[state[0]]
		s.list = append(s.list, f)
		for i := range p.limits[f] {
			dst = append(dst, lts.Step(i))
		}
		return dst
	}
	sys := ltstest.New(ltstest.Model{
		Start: make([]byte, actors), Enabled: steps,
		Take: func(state []byte, step lts.Step) {
			f := p.calls[step][state[step]]
			s.list = append(s.list, f)
			for a := range state {
				state[a] = (state[a] + p.effects[f][a]) % modulus
			}
		},
		Wrong: func(state []byte) string {
			if state[0]+state[1]+state[2] == p.bad {
				return "bad"
			}
			return ""
		},
	})
	s.System, s.Checker = sys, sys.(lts.Checker)
	return s
}

// Traced implements lts.Tracer.
func (s *traced) Traced(dst []uint32) []uint32 {
	dst = append(dst, s.list...)
	s.list = s.list[:0]
	return dst
}

// Standing implements lts.Tracer: states of the toy are in the middle of nothing.
func (s *traced) Standing(dst []uint32) []uint32 { return dst }

func search(t *rapid.T, p *program, o explore.Observer) *explore.Result {
	res, err := explore.Run(func() (lts.System, error) { return p.system(), nil }, explore.Options{Observer: o})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// TestReuse: of a program with one changed function as much is found as by a search of
// everything, and something is re-used now and then.
func TestReuse(t *testing.T) {
	var saved, wrong, all int
	rapid.Check(t, func(t *rapid.T) {
		p := drawProgram(t)
		var out bytes.Buffer
		w, err := cert.NewWriter(&out, cert.Header{Kind: cert.Full})
		if err != nil {
			t.Fatal(err)
		}
		r := cert.NewRecorder(w)
		r.Graph()
		first := search(t, p, r)
		if err := r.Close(nil); err != nil {
			t.Fatal(err)
		}
		if err := recheck.Examine(out.Bytes(), p.system(), 1_000_000); first.Verdict == explore.Verified && err != nil {
			t.Fatalf("the second checker says: %v", err)
		}
		other := *p
		changed := rapid.Uint32Range(0, functions-1).Draw(t, "changed")
		other.effects[changed] = drawEffect(t)
		other.limits[changed] = rapid.IntRange(1, actors).Draw(t, "new limit")
		c, err := cert.Open(bytes.NewReader(out.Bytes()), int64(out.Len()))
		if err != nil {
			t.Fatal(err)
		}
		plan, err := NewPlan(c, func(f uint32) bool { return f == changed })
		if err != nil {
			t.Fatal(err)
		}
		if plan.Useless() {
			return
		}
		got, err := plan.Search(other.system(), false, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := search(t, &other, nil)
		if g, w := int64(got.States), want.States; g != w || got.Found {
			t.Fatalf("got %d states, %v, want %d", g, got.Found, w)
		}
		if g, w := int64(got.Saved+got.Transitions), want.Transitions; g != w {
			t.Fatalf("got %d transitions, want %d", g, w)
		}
		saved, all = saved+got.Saved, all+int(want.Transitions)
		if got.Transitions > 0 {
			// What is wrong with a state that only the new program has is found.
			other.bad = lastSum(&other, plan)
			if other.bad != 255 {
				wrong++
				if got, err := plan.Search(other.system(), false, nil); err != nil || !got.Found {
					t.Fatalf("got %v, %v, want something wrong", got, err)
				}
			}
		}
	})
	t.Logf("%d of %d transitions were proven, %d programs were wrong", saved, all, wrong)
	if saved == 0 || wrong == 0 {
		t.Errorf("got %d transitions that were proven and %d programs that are wrong, want some of both", saved, wrong)
	}
}

// lastSum returns a sum that only states have which the old program did not have, or
// 255.
func lastSum(p *program, plan *Plan) byte {
	proven := map[cert.Fingerprint]bool{}
	for i := range plan.nodes {
		proven[plan.nodes[i].print] = true
	}
	old, new := map[byte]bool{}, map[byte]bool{}
	seen := map[cert.Fingerprint]bool{}
	var buf []byte
	sys := p.system()
	var visit func(path lts.Path)
	visit = func(path lts.Path) {
		if err := lts.Replay(sys, path); err != nil {
			panic(err)
		}
		f := cert.FingerprintOf(sys, &buf)
		if seen[f] {
			return
		}
		seen[f] = true
		sum := byte(0)
		for _, b := range sys.AppendKey(nil) {
			sum += b
		}
		if proven[f] {
			old[sum] = true
		} else {
			new[sum] = true
		}
		for _, s := range sys.Enabled(nil) {
			visit(append(path[:len(path):len(path)], s))
		}
	}
	visit(nil)
	for sum := range byte(actors * modulus) {
		if new[sum] && !old[sum] {
			return sum
		}
	}
	return 255
}

// TestDamagedGraph: no graph makes the reader panic.
func TestDamagedGraph(t *testing.T) {
	var out bytes.Buffer
	w, _ := cert.NewWriter(&out, cert.Header{Kind: cert.Full})
	r := cert.NewRecorder(w)
	r.Graph()
	p := &program{bad: 255, effects: [functions][actors]byte{{1, 0, 0}}, limits: [functions]int{3, 3, 3, 3, 3, 3}}
	if _, err := explore.Run(func() (lts.System, error) { return p.system(), nil }, explore.Options{Observer: r}); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(nil); err != nil {
		t.Fatal(err)
	}
	refused := 0
	for i := range out.Bytes() {
		for _, by := range []byte{1, 128} {
			bad := bytes.Clone(out.Bytes())
			bad[i] ^= by
			bad = cert.Mend(bad)
			c, err := cert.Open(bytes.NewReader(bad), int64(len(bad)))
			if err == nil {
				_, err = NewPlan(c, func(uint32) bool { return true })
			}
			if err != nil {
				refused++
			}
		}
	}
	if refused == 0 {
		t.Error("no damage was refused")
	}
}
