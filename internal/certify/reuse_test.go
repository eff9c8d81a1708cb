package certify

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/gosuite/randconc"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/recheck"
	"github.com/heddle-mc/heddle/internal/reuse"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// TestReuseRandom changes constants in the code that generated programs execute,
// that of the library included, and holds
// what is re-used against a search of everything.
func TestReuseRandom(t *testing.T) {
	seeds, changes := testlong.Or[uint64](5, 10), testlong.Or(6, 10)
	if testing.Short() {
		seeds, changes = 4, 4
	}
	var verified, wrong, reused int
	r := rand.New(rand.NewPCG(5, 6))
	for seed := uint64(3); seed <= seeds; seed++ { // the first that is verified
		prog := compileRandom(t, randconc.Program(seed, randconc.Options{Without: randconc.Faults | randconc.Races}))
		data, known := certifyGraph(t, prog)
		if data == nil {
			continue
		}
		for range changes {
			c, err := cert.Open(bytes.NewReader(data), int64(len(data)))
			if err != nil {
				t.Fatal(err)
			}
			other, what := mutate(prog, c, r)
			if other == nil {
				break
			}
			d := CodeOf(other).Differ(&c.Header, other.Strings)
			if d.Why != "" || len(d.Functions) != 1 {
				t.Fatalf("seed %d, %s: got the difference %s, want one function", seed, what, d.String())
			}
			plan, err := reuse.NewPlan(c, func(fn uint32) bool { return d.Numbers[fn] })
			if err != nil {
				t.Fatal(err)
			}
			if plan.Useless() {
				t.Fatalf("seed %d, %s: the start executes it", seed, what)
			}
			full, _ := exploreRandom(t, other, known, nil, false)
			sys := startRandom(t, other, known, false)
			asked := 0
			got, err := plan.Search(sys, true, func() bool { asked++; return asked > 100 })
			if err == reuse.ErrInterrupted && full.Verdict == explore.Inconclusive {
				continue
			}
			if err != nil {
				t.Errorf("seed %d, %s: %v", seed, what, err)
				continue
			}
			sys.Close()
			switch whole := full.Verdict == explore.Verified; {
			case whole == got.Found:
				t.Errorf("seed %d, %s: something is wrong: %v, and a search of everything says %v", seed, what, got.Found, full.Verdict)
			case !whole:
				wrong++
			default:
				verified++
				if n := int64(got.States); n != full.States {
					t.Errorf("seed %d, %s: got %d states, want %d", seed, what, n, full.States)
				}
				if n := int64(got.Saved + got.Transitions); n != full.Transitions {
					t.Errorf("seed %d, %s: got %d transitions, want %d", seed, what, n, full.Transitions)
				}
				if got.Saved > 0 {
					reused++
				}
			}
		}
	}
	t.Logf("%d verified, of which %d re-use something, %d wrong", verified, reused, wrong)
	if (reused == 0 || wrong == 0) && !testing.Short() {
		t.Errorf("got %d that re-use something and %d that are wrong, want some of both", reused, wrong)
	}
}

func compileRandom(t *testing.T, src string) *bytecode.Program {
	t.Helper()
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	if !testlong.On() {
		execute.Share()
	}
	prog, err := execute.Build(execute.Source{Patterns: []string{file}})
	if err != nil {
		t.Fatal(err)
	}
	return prog
}

func startRandom(t *testing.T, prog *bytecode.Program, known execute.Known, trace bool) *execute.System {
	t.Helper()
	sys, err := execute.NewSystem(prog, execute.Process{}, execute.Settings{Known: known, Trace: trace})
	if err != nil {
		t.Fatal(err)
	}
	return sys
}

func exploreRandom(t *testing.T, prog *bytecode.Program, known execute.Known, o explore.Observer, trace bool) (*explore.Result, *execute.Found) {
	t.Helper()
	sys := startRandom(t, prog, known, trace)
	defer sys.Close()
	res, err := explore.Run(func() (lts.System, error) { return sys, nil }, explore.Options{Reduce: true, Observer: o, Limits: explore.Limits{States: 4000}})
	if err != nil {
		t.Fatal(err)
	}
	return res, sys.Found()
}

// certifyGraph returns the certificate of a program with its graph, nil if it is not
// verified.
func certifyGraph(t *testing.T, prog *bytecode.Program) (data []byte, known execute.Known) {
	var out bytes.Buffer
	ok := false
	check.Settle(execute.Unknown(), func(assume execute.Known) ([]*execute.Found, bool) {
		out.Reset()
		known = assume
		code := CodeOf(prog)
		w, err := cert.NewWriter(&out, cert.Header{Kind: cert.Full, Reduce: true, Program: code.Program, Functions: code.Functions})
		if err != nil {
			t.Fatal(err)
		}
		r := cert.NewRecorder(w)
		r.Graph()
		res, found := exploreRandom(t, prog, assume, r, true)
		if ok = res.Verdict == explore.Verified; ok {
			if err := r.Close(nil); err != nil {
				t.Fatal(err)
			}
		}
		return []*execute.Found{found}, !ok
	})
	if !ok {
		return nil, known
	}
	sys := startRandom(t, prog, known, false)
	defer sys.Close()
	twice(t, out.Bytes(), sys)
	return out.Bytes(), known
}

// twice has the second checker examine a certificate of a program with which nothing is wrong. It may have too many states without reduction.
func twice(t *testing.T, data []byte, sys lts.System) {
	t.Helper()
	if err := recheck.Examine(data, sys, 20_000); err != nil && diag.ExitCode(err) != diag.ExitIncomplete {
		t.Fatalf("the second checker says: %v", err)
	}
}

// A lateFunctions has the functions that a graph executes, and those that its start
// does.
type lateFunctions struct {
	sets  [][]uint32
	start map[uint32]bool
	all   map[uint32]bool
}

func (l *lateFunctions) Set(_ int, fns []uint32) { l.sets = append(l.sets, slices.Clone(fns)) }
func (l *lateFunctions) End(int, bool)           {}

func (l *lateFunctions) State(n uint32, _ cert.Fingerprint, set, _ int) {
	for _, fn := range l.sets[set] {
		if n == 1 {
			l.start[fn] = true
		}
		l.all[fn] = true
	}
}

func (l *lateFunctions) Step(_ uint32, _ lts.Step, _ uint32, set int) {
	l.State(0, cert.Fingerprint{}, set, 0)
}

// mutate changes a constant of a function that is executed after the start.
func mutate(prog *bytecode.Program, c *cert.Reader, r *rand.Rand) (*bytecode.Program, string) {
	late := &lateFunctions{sets: [][]uint32{nil}, start: map[uint32]bool{}, all: map[uint32]bool{}}
	c.Graph(late)
	type place struct{ fn, pc int }
	var places []place
	for i := range prog.Funcs {
		if !late.all[uint32(i)] || late.start[uint32(i)] {
			continue
		}
		for pc, in := range prog.Funcs[i].Code {
			switch {
			case in.Op == bytecode.OpConst && in.Imm > 1 && in.Imm < 64, in.Op == bytecode.OpJeqi, in.Op == bytecode.OpJnei:
				places = append(places, place{i, pc})
			}
		}
	}
	if len(places) == 0 {
		return nil, ""
	}
	at := places[r.IntN(len(places))]
	own := *prog
	own.Funcs = slices.Clone(prog.Funcs)
	f := &own.Funcs[at.fn]
	f.Code = slices.Clone(f.Code)
	by := int64(1 + r.IntN(3))
	if f.Code[at.pc].Op != bytecode.OpConst {
		by <<= 32 // the constant is above the target
	}
	f.Code[at.pc].Imm += by
	return &own, fmt.Sprintf("%s at %d", f.Name, at.pc)
}
