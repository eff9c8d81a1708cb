package execute_test

import (
	"runtime"
	"testing"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/gosuite/goker"
	"github.com/heddle-mc/heddle/internal/gosuite/randconc"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
)

// matching returns how keys of a program's states fail those who match states.
func matching(t *testing.T, src string, s execute.Settings, limit int) (complaint string) {
	t.Helper()
	prog := compileText(t, src)
	var pair [2]*execute.System
	for i := range pair {
		sys, err := execute.NewSystem(prog, execute.Process{Env: []string{}, Dir: "/"}, s)
		if err != nil {
			t.Fatal(err)
		}
		defer sys.Close()
		pair[i] = sys
	}
	_, complaint = ltstest.Matching(pair[0], pair[1], limit)
	return complaint
}

// TestMatchingRandom holds the states of generated programs against each other
// that have one key.
func TestMatchingRandom(t *testing.T) {
	n := min(*seeds, 40)
	if testing.Short() {
		n = 10
	}
	if *agreementFile != "" {
		n = *seeds
	}
	for seed := *firstSeed; seed < *firstSeed+n; seed++ {
		o, s := optionsOf(seed)
		src := randconc.Program(seed, o)
		if complaint := matching(t, src, s, 400); complaint != "" {
			t.Errorf("seed %d: %s\n%s", seed, complaint, src)
		}
	}
}

// TestMatchingKernels does the same with the kernels of package goker.
func TestMatchingKernels(t *testing.T) {
	limit := 60
	if testing.Short() {
		limit = 20
	}
	if *agreementFile != "" {
		limit = 3000
	}
	all, err := goker.Kernels(runtime.GOROOT())
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range all {
		if complaint := matching(t, string(k.Source), execute.Settings{}, limit); complaint != "" {
			t.Errorf("%s: %s", k.Name, complaint)
		}
	}
}
