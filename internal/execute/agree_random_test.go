package execute_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/gosuite/randconc"
	"github.com/heddle-mc/heddle/internal/testlong"
)

var (
	firstSeed = flag.Uint64("first", 1, "first seed of generated programs")
	seeds     = flag.Uint64("seeds", testlong.Or[uint64](8, 120), "number of generated programs")
)

// optionsOf says what the program of a seed looks like and how it is searched.
func optionsOf(seed uint64) (randconc.Options, execute.Settings) {
	var o randconc.Options
	var s execute.Settings
	switch seed % 5 {
	case 1:
		o.Without = randconc.Races // what is not shared can be left for later
	case 2:
		o.Without = randconc.Faults | randconc.Races
	case 3:
		o.Routines, o.Budget = 4, 600
	case 4:
		s.Late = drive.Punctual
	}
	return o, s
}

// TestAgreeRandom holds searches of generated programs against each other. All of
// them are run by make agreement.
func TestAgreeRandom(t *testing.T) {
	limit := int64(1500)
	if *agreementFile != "" {
		limit = 3000
	}
	if testing.Short() {
		*seeds = 20
	}
	var sum tally
	for seed := *firstSeed; seed < *firstSeed+*seeds; seed++ {
		o, s := optionsOf(seed)
		src := randconc.Program(seed, o)
		a, complaint := agree(compileText(t, src), limit, s)
		if complaint != "" {
			t.Errorf("seed %d: %s\n%s", seed, complaint, src)
		}
		sum.add(a, complaint)
	}
	t.Logf("%d programs, %d complete, %d disagree, %d plain states, %d reduced, %v", sum.Programs, sum.Whole, sum.Disagree, sum.Plain, sum.Reduced, sum.Kinds)
	if sum.Whole < sum.Programs/2 {
		t.Errorf("got %d of %d programs that are small enough, want half of them", sum.Whole, sum.Programs)
	}
	results.Random = &sum
}

// A tally counts what the searches of many programs have shown.
type tally struct {
	Programs, Disagree, Whole int
	Kinds                     map[string]int // programs by the kinds of their findings
	Plain, Reduced            int64          // states of programs that were searched completely
	Fewer                     int            // of those, the ones that reduction makes smaller
	Ratios                    []float64
}

func (s *tally) add(a agreement, complaint string) {
	s.Programs++
	if complaint != "" {
		s.Disagree++
	}
	if !a.whole() {
		return
	}
	s.Whole++
	if s.Kinds == nil {
		s.Kinds = make(map[string]int)
	}
	s.Kinds[a.plain.summary()]++
	s.Plain += a.plain.States
	s.Reduced += a.reduced.States
	s.Ratios = append(s.Ratios, float64(a.reduced.States)/float64(a.plain.States))
	if a.reduced.States < a.plain.States {
		s.Fewer++
	}
}

// merge adds what another tally has counted.
func (s *tally) merge(o *tally) {
	s.Programs += o.Programs
	s.Disagree += o.Disagree
	s.Whole += o.Whole
	if s.Kinds == nil {
		s.Kinds = make(map[string]int)
	}
	for kind, n := range o.Kinds {
		s.Kinds[kind] += n
	}
	s.Plain += o.Plain
	s.Reduced += o.Reduced
	s.Fewer += o.Fewer
	s.Ratios = append(s.Ratios, o.Ratios...)
}

// summary is the kinds of the findings, or the verdict if there are none.
func (s search) summary() string {
	if kinds := s.kinds(); len(kinds) > 0 {
		return strings.Join(kinds, ", ")
	}
	return string(s.Verdict)
}

// median is the ratio of reduced to plain states of the program in the middle.
func (s *tally) median() float64 {
	slices.Sort(s.Ratios)
	return s.Ratios[len(s.Ratios)/2]
}

// write tells the numbers in Markdown.
func (s *tally) write(b *strings.Builder) {
	fmt.Fprintf(b, "%d programs, %d of them small enough to be searched completely without reduction (at most 3,000 states). %s\n\n",
		s.Programs, s.Whole, disagreements(s.Disagree))
	b.WriteString("| findings | programs |\n| --- | ---: |\n")
	var names []string
	for name := range s.Kinds {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(b, "| %s | %d |\n", name, s.Kinds[name])
	}
	fmt.Fprintf(b, "\nStates in total: %d plain, %d reduced (%.2f). Median of the ratios: %.2f. Reduction has an effect on %d programs.\n",
		s.Plain, s.Reduced, float64(s.Reduced)/float64(s.Plain), s.median(), s.Fewer)
}

func disagreements(n int) string {
	if n == 0 {
		return "All searches agree."
	}
	return fmt.Sprintf("**Searches of %d programs disagree.**", n)
}
