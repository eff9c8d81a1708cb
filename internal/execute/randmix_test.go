package execute_test

import (
	"flag"
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/gosuite/randmix"
)

var (
	firstMixed = flag.Uint64("firstmixed", 2015, "first seed of generated programs that mix descriptors, timers, groups and crowds")
	mixedSeeds = flag.Uint64("mixedseeds", 12, "number of generated programs that mix descriptors, timers, groups and crowds")
	mixedLimit = flag.Int64("mixedlimit", 1000, "states of each of them that are searched")
	mixedText  = flag.Bool("mixedtext", false, "print them")
)

// mixedChunk is how many programs are compiled as one.
const mixedChunk = 40

// checkMixed checks the i-th of the programs that were compiled as one, as the command does with -all.
func checkMixed(t *testing.T, prog *bytecode.Program, i int, p randmix.Program, reduce bool) search {
	var names []string
	for k := range p.Parts {
		names = append(names, randmix.PartName(k))
	}
	if p.Twins {
		names = append(names, names[len(names)-1])
	}
	code := check.Compiled(prog, false)
	if len(names) > 1 {
		code = check.Group(names, slices.Repeat([]*bytecode.Program{prog}, len(names)))
	}
	spec := check.New()
	spec.Search.All, spec.Search.Reduce, spec.Limits.States = true, reduce, *mixedLimit
	r, err := check.Run(t.Context(), spec, check.Hooks{
		Code:    code,
		Process: &execute.Process{Args: []string{names[0], fmt.Sprint(i)}, Env: []string{}, Dir: "/"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return search{Result: r.Result}
}

// twinNames are names of processes that are alike: which of them finds something does not count.
var twinNames = regexp.MustCompile(`(part\d)\.\d`)

// outcomes lists what can be told apart of findings.
func outcomes(s search) []string {
	list := s.found()
	for i := range list {
		list[i] = twinNames.ReplaceAllString(list[i], "$1")
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// TestAgreeNetMixed holds reduced against plain search of generated programs that mix raw descriptors, timers,
// groups of processes and crowds of goroutines. Both go through package check.
func TestAgreeNetMixed(t *testing.T) {
	kinds := mixedKinds()
	tallies := make([]netTally, len(kinds))
	for i, k := range kinds {
		tallies[i] = netTally{Kind: k.name, Limit: *mixedLimit}
	}
	all, wrong := &tallies[0], 0
	for from := *firstMixed; from < *firstMixed+*mixedSeeds; from += mixedChunk {
		var list []randmix.Program
		for seed := from; seed < min(from+mixedChunk, *firstMixed+*mixedSeeds); seed++ {
			list = append(list, randmix.Generate(seed))
		}
		text := randmix.Join(list)
		if *mixedText {
			t.Log(text)
		}
		prog := compileText(t, text)
		for i, p := range list {
			seed := from + uint64(i)
			plain, reduced := checkMixed(t, prog, i, p, false), checkMixed(t, prog, i, p, true)
			if complaint := disagreement(plain, reduced); complaint != "" {
				t.Errorf("seed %d: %s\n%q", seed, complaint, p.Parts)
			}
			for i, k := range kinds {
				if k.has(p) {
					tallies[i].add(plain, reduced)
				}
			}
			if !plain.cutOff() && plain.Verdict != explore.Verified {
				wrong++
			}
		}
	}
	if all.Complete < all.Generated/2 {
		t.Errorf("got %d of %d programs that are small enough, want half of them", all.Complete, all.Generated)
	}
	for _, n := range tallies[1:] {
		if n.Complete == 0 && *netPart == "" { // a part may be without, the page may not
			t.Errorf("got no program %s that is small enough", n.Kind)
		}
	}
	if wrong == 0 {
		t.Error("all programs are right")
	}
	keepNet(t, tallies...)
}

// A mixedKind is a kind of programs that are counted.
type mixedKind struct {
	name string
	has  func(randmix.Program) bool
}

// mixedKinds lists the kinds, of which the first one is all programs.
func mixedKinds() []mixedKind {
	return []mixedKind{
		{"that mix raw descriptors, timers, groups and crowds", func(randmix.Program) bool { return true }},
		{"of these with raw descriptors", func(p randmix.Program) bool { return p.Numbers }},
		{"of these with timers", func(p randmix.Program) bool { return p.Timers }},
		{"of these that are groups of processes", func(p randmix.Program) bool { return len(p.Parts) > 1 }},
		{"of these with processes that are alike", func(p randmix.Program) bool { return p.Twins }},
		{"of these with more than 62 goroutines", func(p randmix.Program) bool { return p.Crowd }},
	}
}

// disagreement says how the searches of a program disagree, "" if they do not.
func disagreement(plain, reduced search) string {
	got, want := outcomes(reduced), outcomes(plain)
	switch {
	case plain.cutOff() && reduced.cutOff():
		return ""
	case plain.cutOff(): // what a part of it has found must be there
		if lost := beyondOf(want, got); len(lost) > 0 {
			return fmt.Sprintf("lost: %q", lost)
		}
		return ""
	case reduced.cutOff():
		return fmt.Sprintf("%d states, and the reduced search is cut off at %d", plain.States, reduced.States)
	case plain.Verdict != reduced.Verdict, !slices.Equal(got, want):
		return fmt.Sprintf("reduced: %s, plain: %s; only reduced: %q, only plain: %q, both: %d", reduced.Verdict, plain.Verdict,
			beyondOf(got, want), beyondOf(want, got), len(want)-len(beyondOf(want, got)))
	case plain.beyond() != reduced.beyond():
		return fmt.Sprintf("reduced: not followed %s, plain: %s", reduced.beyond(), plain.beyond())
	}
	return ""
}
