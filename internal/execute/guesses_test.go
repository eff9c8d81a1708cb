package execute_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// TestGuessesChangeNothing: a guess only removes dependencies, so with it and without the same steps are
// enabled, they are called the same, do the same, and lead to states with the same
// keys. A trace could not be replayed otherwise by who makes other guesses.
func TestGuessesChangeNothing(t *testing.T) {
	programs := map[string]*bytecode.Program{}
	dirs, _ := filepath.Glob("../../examples/*")
	for _, dir := range dirs {
		if files, _ := filepath.Glob(dir + "/*.go"); len(files) == 1 && !strings.HasSuffix(files[0], "_test.go") {
			programs[filepath.Base(dir)] = compileFile(t, files[0])
		}
	}
	if len(programs) < 5 {
		t.Errorf("got %d examples, want more", len(programs))
	}
	for i, a := range assumed {
		if i%testlong.Or(18, 2) == 0 {
			programs[a.name] = compileText(t, program(a.body))
		}
	}
	for seed := range testlong.Or[uint64](2, 12) {
		programs[fmt.Sprint("numbers ", seed)] = compileText(t, program(randomNumbers(seed)))
		programs[fmt.Sprint("fields ", seed)] = compileText(t, program(randomFields(seed)))
	}
	for name, prog := range programs {
		for _, known := range settledKnown(t, prog) {
			for _, views := range []drive.Views{known.Views, {}, {Receipts: true}} {
				compareGuesses(t, name, prog, execute.Known{Guesses: known.Guesses, Views: views}, execute.Known{Views: views})
			}
		}
	}
}

// settledKnown returns what is known of a program at first, and at the end.
func settledKnown(t *testing.T, prog *bytecode.Program) []execute.Known {
	t.Helper()
	var last execute.Known
	w := way{}
	w.Reduce, w.Limits.States = true, 300
	check.Settle(execute.Unknown(), func(known execute.Known) (found []*execute.Found, done bool) {
		w.Known, last = known, known
		_, found, err := searchOnce(prog, w)
		return found, err != nil
	})
	return []execute.Known{execute.Unknown(), last}
}

// compareGuesses goes along random paths with and without guesses.
func compareGuesses(t *testing.T, name string, prog *bytecode.Program, with, without execute.Known) {
	t.Helper()
	if with.Guesses == nil {
		return
	}
	var both [2]*execute.System
	for i, known := range []execute.Known{with, without} {
		sys, err := execute.NewSystem(prog, execute.Process{Env: []string{}, Dir: "/"}, execute.Settings{Known: known})
		if err != nil {
			t.Fatal(err)
		}
		defer sys.Close()
		both[i] = sys
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range testlong.Or(1, 4) {
		both[0].Reset()
		both[1].Reset()
		var path lts.Path
		for len(path) < 200 {
			a, b := both[0].Enabled(nil), both[1].Enabled(nil)
			if !slices.Equal(a, b) {
				t.Errorf("%s, views %v, after %v: got steps %v with guesses, and %v without", name, with.Views, path, a, b)
				return
			}
			if k, l := both[0].AppendKey(nil), both[1].AppendKey(nil); !bytes.Equal(k, l) {
				t.Errorf("%s, views %v, after %v: got other keys with guesses than without", name, with.Views, path)
				return
			}
			if len(a) == 0 {
				break
			}
			both[0].Reduced(nil) // whatever it finds out, it leaves the state as it is
			s := a[r.IntN(len(a))]
			path = append(path, s)
			if l, m := both[0].Take(s), both[1].Take(s); l != m {
				t.Errorf("%s, views %v, after %v: got label %s with guesses, and %s without", name, with.Views, path, both[0].LabelText(l), both[1].LabelText(m))
				return
			}
		}
	}
}
