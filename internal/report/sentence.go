package report

import (
	"fmt"
	"strings"

	"github.com/heddle-mc/heddle/internal/plain"
)

// Sentence returns the verdict on one target in one line: what was shown, or
// exactly what was not covered and why.
func (run *Run) Sentence(r *Report) string {
	switch {
	case r.Err != nil:
		return fmt.Sprintf("inconclusive: %s was not checked: %s", r.Target, oneLine(r.Err.Error()))
	case r.Verdict == Violation:
		s := fmt.Sprintf("violation: %s: %s; %s", r.Target, kinds(r), r.Counts.words())
		if r.Stopped {
			s += ", up to the first finding" + r.Hunt.by()
		}
		if len(r.Left) > 0 {
			s += "; not covered: " + leftWords(r.Left)
		}
		for _, b := range r.Met {
			if b.False {
				s += "; it may come of it that " + b.Words
			}
		}
		return s + r.alsoIgnored()
	case r.Verdict == OnlyIgnored:
		return fmt.Sprintf("ignored: every interleaving of %s: %s, nothing else wrong: %s; %s; %s", r.Target, r.ignoredWords(), r.Counts.words(), strings.Replace(run.claim(r).propertyWords(), "no ", "no other ", 1), run.claim(r).boundWords()) + r.skipWords()
	case r.Verdict == Verified:
		what := "every interleaving of " + r.Target
		if r.Skipped {
			what += " skips the test"
		}
		return fmt.Sprintf("verified: %s: %s; %s; %s", what, r.Counts.words(), run.claim(r).propertyWords(), run.claim(r).boundWords()) + r.skipWords()
	}
	return fmt.Sprintf("inconclusive: %s: no violation in %s%s%s; not covered: %s%s", r.Target, r.Counts.words(), r.Hunt.words(), executedWords(r.Executed), leftWords(r.Left), r.Estimate.also()) + r.alsoIgnored()
}

// skipWords says that there are several tests of a name, and that some of a test is skipped.
func (r *Report) skipWords() (words string) {
	if r.Functions > 1 {
		words = fmt.Sprintf("; %d tests have this name", r.Functions)
		if n := r.SkippedFunctions; n > 0 && !r.Skipped {
			words += fmt.Sprintf(", %d of them skipped", n)
		}
	}
	if r.SkipsSome && !r.Skipped {
		words += "; the test, or one below it, is skipped in some interleavings"
	}
	return words
}

// Summary returns a line about all targets.
func (run *Run) Summary() string {
	if len(run.Reports) == 0 {
		return "inconclusive: nothing was checked"
	}
	n := map[Verdict]int{}
	for _, r := range run.Reports {
		n[r.Verdict]++
	}
	s := fmt.Sprintf("%s: %d verified, %d with violations, %d inconclusive",
		plural(int64(len(run.Reports)), "target"), n[Verified], n[Violation], n[Inconclusive])
	if n[OnlyIgnored] > 0 {
		s += fmt.Sprintf(", %d with ignored findings only", n[OnlyIgnored])
	}
	return s
}

// words leaves out the depth where it is not known: depth first with several
// workers it would depend on who was where first.
func (c *Counts) words() string {
	if x := c.Symbolic; x != nil {
		s := x.States + " state"
		if x.States != "1" {
			s += "s"
		}
		if x.Partial {
			s = "at least " + s
		}
		return fmt.Sprintf("%s, found as sets: %s, %s of summands", s, plural(int64(x.Nodes), "node"), plural(x.Steps, "step"))
	}
	s := plural(c.States, "state") + ", " + plural(c.Transitions, "transition")
	if c.Depth > 0 || c.States <= 1 {
		s += fmt.Sprintf(", depth %d", c.Depth)
	}
	return s
}

// words tells the numbers that do not depend on time.
func (t *Traffic) words() string {
	return fmt.Sprintf("peers: %s, %s sent, %d received, %s, %s, %s, %s",
		plural(t.Connections, "connection"), plural(t.BytesOut, "byte"), t.BytesIn,
		plural(t.Hits, "hit"), misses(t.Misses), plural(t.Restarts, "restart"), plural(t.Replays, "replay"))
}

func misses(n int64) string {
	if n == 1 {
		return "1 miss"
	}
	return fmt.Sprintf("%d misses", n)
}

// kinds lists the kinds of findings, each with how often it was found if that
// is more than once.
func kinds(r *Report) string {
	var order []string
	n := map[string]int{}
	for i := range r.Findings {
		k := r.Findings[i].Kind
		if n[k]++; n[k] == 1 {
			order = append(order, k)
		}
	}
	for i, k := range order {
		if n[k] > 1 {
			order[i] = fmt.Sprintf("%s (%d)", k, n[k])
		}
	}
	s := strings.Join(order, ", ")
	if r.More > 0 {
		s += fmt.Sprintf(", %d more not kept", r.More)
	}
	return s
}

func leftWords(left []Left) string {
	texts := make([]string, len(left))
	for i, l := range left {
		texts[i] = oneLine(l.Text)
		if l.Count > 0 {
			texts[i] += fmt.Sprintf(" (%d)", l.Count)
		}
	}
	return strings.Join(texts, "; ")
}

// propertyWords says what was looked for and what was not.
func (c *Claim) propertyWords() string {
	var on, off []string
	for _, p := range c.Properties {
		if p.On {
			on = append(on, p.Name)
		} else {
			off = append(off, p.Name)
		}
	}
	s := "nothing was looked for"
	if len(on) > 0 {
		s = "no " + strings.Join(on, ", ")
	}
	if len(off) > 0 {
		s += "; not looked for: " + strings.Join(off, ", ")
	}
	return s
}

func (c *Claim) boundWords() string {
	if len(c.Bounds) == 0 {
		return "no bounds"
	}
	words := make([]string, len(c.Bounds))
	for i, b := range c.Bounds {
		words[i] = b.Text()
	}
	return "bounds: " + strings.Join(words, ", ")
}

// Text says what a setting bounds.
func (s *Setting) Text() string {
	if s.Words == "" {
		return fmt.Sprintf("%s=%v", s.Name, s.Value)
	}
	return s.Words
}

func plural(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// oneLine makes one line of a text that should be one, and can be printed.
func oneLine(s string) string {
	return plain.Line(strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' }), "; "))
}
