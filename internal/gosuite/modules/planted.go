package main

import (
	"cmp"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// A looked is what was found out about a plant: what its test is with the fault
// and without.
type looked struct {
	*plant
	faulty, sound checkedTest
}

// look checks the plant's test in two copies of its module, with default flags.
func (p *plant) look(m *module, dir, heddle string) (l looked, err error) {
	l.plant = p
	folder, err := fetch(m, filepath.Join(dir, "src"))
	if err != nil {
		return l, err
	}
	for _, faulty := range []bool{false, true} {
		to := filepath.Join(dir, "planted", m.version, filepath.FromSlash(m.path))
		if err := p.copyFor(to, folder, faulty); err != nil {
			return l, fmt.Errorf("%s %s: %v", p.module, p.test, err)
		}
		c := checked{Package: p.pkg}
		c.run(heddle, to, "-run", "^"+p.test+"$")
		if len(c.Tests) != 1 {
			return l, fmt.Errorf("%s %s: got %d tests, want 1: %s", p.module, p.test, len(c.Tests), c.Error)
		}
		if c.Tests[0].Refused {
			return l, fmt.Errorf("%s %s: could not be checked: %s", p.module, p.test, c.Tests[0].Why)
		}
		if faulty {
			l.faulty = c.Tests[0]
		} else {
			l.sound = c.Tests[0]
		}
	}
	fmt.Fprintf(os.Stderr, "%-40s %-8s %-45s %v; without it %v\n", p.module, p.kind, p.test, l.faulty.Verdict, l.sound.Verdict)
	return l, nil
}

// wrong says what is wrong with what was found out, "" if nothing is.
func (l *looked) wrong() string {
	switch {
	case l.faulty.Verdict == "verified": // there is no reason for that
		return fmt.Sprintf("%s %s: verified with the %s", l.module, l.test, l.kind)
	case l.faulty.Verdict != "violation" && l.missed == "":
		return fmt.Sprintf("%s %s: the %s is not found: %s %s", l.module, l.test, l.kind, l.faulty.Verdict, l.faulty.Why)
	case l.sound.Verdict == "violation":
		return fmt.Sprintf("%s %s: violation without the plant: %s", l.module, l.test, strings.Join(l.sound.Found, "; "))
	case l.sound.Verdict != "verified" && l.sound.Verdict != "inconclusive":
		return fmt.Sprintf("%s %s: %s without the plant: %s", l.module, l.test, l.sound.Verdict, l.sound.Why)
	}
	return ""
}

// first is larger for what has to be seen first: what is wrong, and what is missed.
func (l *looked) first() int {
	switch {
	case l.wrong() != "":
		return 2
	case l.faulty.Verdict != "violation":
		return 1
	}
	return 0
}

// plantedPage returns the page about all plants, those that were not found first,
// and what is wrong with it.
func plantedPage(list []looked, commit string) (string, []string) {
	var b, rows strings.Builder
	var errs []string
	modules := map[string]bool{}
	count := map[string]int{}
	for _, l := range list {
		modules[l.module] = true
		count[l.sound.Verdict]++
		if l.faulty.Verdict == "violation" {
			count["found"]++
		}
		if e := l.wrong(); e != "" {
			errs = append(errs, e)
		}
	}
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(a, b looked) int {
		return cmp.Compare(b.first(), a.first())
	})
	for _, l := range sorted {
		var places []string
		for _, e := range l.edits {
			places = append(places, strings.ReplaceAll(e.String(), "|", `\|`))
		}
		ours := ""
		if l.ours != "" {
			ours = " (ours)"
		}
		found := fmt.Sprintf("%d steps, %.1f CPU s", l.faulty.Steps, l.faulty.CPU)
		if l.faulty.Verdict != "violation" {
			found = "**not found**: " + l.faulty.Verdict + ", " + found
		}
		what := l.missed
		if len(l.faulty.Found) > 0 {
			what = quote(l.faulty.Found[0])
		}
		fmt.Fprintf(&rows, "| %s | %s | %s | %s%s | %s | %s | %s, %.1f CPU s |\n", l.module, l.kind, strings.Join(places, "; "), l.test, ours, found, what, l.sound.Verdict, l.sound.CPU)
	}
	fmt.Fprintf(&b, "# Faults planted in popular modules\n\n    $ make modules-planted\n\nCommit %s, %s, %s/%s.\n\n", commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	fmt.Fprintf(&b, "%s\n\n", strings.TrimSpace(plantedIntro))
	fmt.Fprintf(&b, "**%d plants in %d modules: %d found, %d not. Without the plant %d of the tests are verified, %d inconclusive, %d with a violation.**\n\n",
		len(list), len(modules), count["found"], len(list)-count["found"], count["verified"], count["inconclusive"], count["violation"])
	b.WriteString("| module | kind | what is planted | test | found in | as | without it |\n| --- | --- | --- | --- | --- | --- | --- |\n" + rows.String())
	return b.String(), errs
}

const plantedIntro = `
Each row is a fault that is put into a copy of a module: a *race*; a *lock* too few or held for too short, which is no race; a *wake-up* that is lost; a goroutine
that *leak*s. One test of the module, or one of ours where no test of its own uses the place from several goroutines, is checked by ` + "`heddle test -run '^TEST$'`" + `
with default flags, which is 30 s, with the fault and without. Faults that are not found, and tests that are a violation without the fault, come first. Steps and
CPU time are those of the whole search, in which the story of the fault is made shorter, too.
`

// plantAll looks for the plants of modules that match, and writes the page.
func plantAll(only *regexp.Regexp, list []*module, dir, heddle, file string) {
	all, err := parsePlants(plants)
	if err != nil {
		log.Fatal(err)
	}
	commit := version()
	var found []looked
	var errs []string
	for _, p := range all {
		if !only.MatchString(p.module) {
			continue
		}
		i := slices.IndexFunc(list, func(m *module) bool { return m.path == p.module })
		if i < 0 {
			log.Fatalf("plants.txt: %s is not in modules.txt", p.module)
		}
		l, err := p.look(list[i], dir, heddle)
		if err != nil {
			errs = append(errs, err.Error())
			log.Print(err)
			continue
		}
		found = append(found, l)
	}
	text, wrong := plantedPage(found, commit)
	finish(text, file, append(errs, wrong...))
}
