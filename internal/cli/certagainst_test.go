package cli

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/gosuite/randconc"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/reuse"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// changing is a program of which one thing or another is changed. Late is called at
// the end of a run, early at its beginning, rare under one schedule of many, and
// never is not called.
const changing = `package main

import "sync"

type pair struct{ a, b int }

const limit = 10

var flag = limit > 20

//go:noinline
func late(n int) int { return n + 1 }

//go:noinline
func early(n int) int { return n * 2 }

//go:noinline
func rare(n int) int { return n - 1 }

//go:noinline
func never(n int) int { return n / 3 }

func main() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	n := early(1)
	p := pair{a: 1}
	last := 0
	for i := range 3 {
		wg.Add(1)
		go func() {
			mu.Lock()
			n += i
			mu.Unlock()
			mu.Lock()
			if last == 2 && i == 0 {
				n = rare(n)
			}
			last = i
			mu.Unlock()
			wg.Done()
		}()
	}
	wg.Wait()
	if n = late(n); flag {
		n = never(n)
	}
	if n > 100 {
		panic(p.a)
	}
}
`

// TestAgainst: a program that was changed is judged as a search of everything judges
// it, and what is re-used is as much as can be. make test tries every other change.
func TestAgainst(t *testing.T) {
	dir := t.TempDir()
	program, file := filepath.Join(dir, "main.go"), filepath.Join(dir, "c.heddle")
	write := func(text string) {
		if err := os.WriteFile(program, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(changing)
	if code, stdout, stderr := runHeddle("check", "-cert", file, "-cert-graph", program); code != 0 {
		t.Fatalf("got exit %d, %q, %q", code, stdout, stderr)
	}
	for i, test := range []struct {
		name, old, new string
		flags          string
		said           string
	}{
		{"nothing", "", "", "", "nothing .* has changed; .* proven by it, 0 were taken"},
		{"never", "n / 3", "n / 4", "", "main.never has changed; .* proven by it, 0 were taken"},
		{"lines", "type pair", "\n\n\ntype pair", "", "positions .* have changed; .* 0 were taken"},
		{"rare", "n - 1", "n - 2", "", "main.rare has changed; [1-9][0-9]* of .* proven by it, [1-9][0-9]* were taken"},
		{"late", "n + 1", "n + 2", "", "main.late has changed; [1-9][0-9]* of .* proven by it, [1-9][0-9]* were taken"},
		{"early", "n * 2", "n * 3", "", "everything is searched: main.early has changed, which the start executes"},
		{"late and wrong", "return n + 1", "return n + 1000", "", "everything is searched: something is wrong"},
		{"rare and wrong", "return n - 1", "return n + 1000", "", "everything is searched: something is wrong"},
		{"rare and stuck", "return n - 1", "select {}", "", "everything is searched: "},
		{"a constant", "limit = 10", "limit = 30", "", "everything is searched: .*main.init"},
		{"a type", "a, b int", "a, b, c int", "", "everything is searched: .*types, variables or the set of functions have changed"},
		{"settings", "", "", "-time=quiescent", "everything is searched: the certificate has other settings"},
		{"a limit", "", "", "-states=100000", "everything is searched: that is for a search of everything"},
	} {
		if !testlong.On() && i%2 > 0 {
			continue
		}
		if !strings.Contains(changing, test.old) {
			t.Fatalf("%s: %q is not there", test.name, test.old)
		}
		write(strings.Replace(changing, test.old, test.new, 1))
		args := []string{program}
		if test.flags != "" {
			args = append([]string{test.flags}, args...)
		}
		code, stdout, stderr := runHeddle(append([]string{"check", "-o", dir, "-against", file}, args...)...)
		if !regexp.MustCompile(test.said).MatchString(stderr) {
			t.Errorf("%s: got %q, want %q", test.name, stderr, test.said)
		}
		if strings.Contains(stderr, "everything is searched") && code == 0 {
			continue // that was the search of everything
		}
		wantCode, want, _ := runHeddle(append([]string{"check", "-o", dir}, args...)...)
		depth := regexp.MustCompile(`, depth \d+`)
		if code != wantCode || depth.ReplaceAllString(stdout, "") != depth.ReplaceAllString(want, "") {
			t.Errorf("%s: got exit %d, %q, want %d, %q", test.name, code, stdout, wantCode, want)
		}
	}
}

// TestChangedFunction: a certificate that is refused names the function that has
// changed.
func TestChangedFunction(t *testing.T) {
	dir := t.TempDir()
	program, file := filepath.Join(dir, "main.go"), filepath.Join(dir, "c.heddle")
	for i, text := range []string{changing, strings.Replace(changing, "n - 1", "n - 2", 1)} {
		if err := os.WriteFile(program, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			if code, stdout, _ := runHeddle("check", "-cert", file, program); code != 0 {
				t.Fatal(stdout)
			}
			continue
		}
		code, stdout, _ := runHeddle("certify", file, program)
		if want := "it is about another program"; code != 1 || !strings.Contains(stdout, want) || !strings.HasSuffix(stdout, ": main.rare has changed\n") {
			t.Errorf("got exit %d, %q, want %q and main.rare", code, stdout, want)
		}
	}
}

// TestAgainstRandom changes constants in the code that generated programs execute,
// that of the library included, and holds
// what is re-used against a search of everything.
func TestAgainstRandom(t *testing.T) {
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
			d := codeOf(other).differ(&c.Header, other.Strings)
			if d.why != "" || len(d.functions) != 1 {
				t.Fatalf("seed %d, %s: got the difference %s, want one function", seed, what, d.String())
			}
			plan, err := reuse.NewPlan(c, func(fn uint32) bool { return d.numbers[fn] })
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
		code := codeOf(prog)
		w, err := cert.NewWriter(&out, cert.Header{Kind: cert.Full, Reduce: true, Program: code.program, Functions: code.functions})
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
	return out.Bytes(), known
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
