package cli

import (
	"math/rand"
	"regexp"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
)

// A pattern is what -run and -skip say, as package testing reads it: alternatives, each of which is a list of regular expressions with a
// slash between them, the first for tests and the others for what is below.
type pattern []alternative

type alternative struct {
	first *regexp.Regexp
	rest  string // with its slash, or empty
}

// parsePattern reads the value of a flag. An empty one has no alternatives.
func parsePattern(flag, text string) (pattern, error) {
	if text == "" {
		return nil, nil
	}
	var p pattern
	for _, alt := range splitPattern(text, '|') {
		elements := splitPattern(alt, '/')
		for _, e := range elements {
			if _, err := regexp.Compile(e); err != nil {
				return nil, diag.Usagef("-%s: %v", flag, err)
			}
		}
		p = append(p, alternative{regexp.MustCompile(elements[0]), alt[len(elements[0]):]})
	}
	return p, nil
}

// splitPattern cuts a pattern where a character stands outside of brackets and parentheses.
func splitPattern(s string, at byte) (parts []string) {
	from, class, group := 0, 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '[':
			class++
		case ']':
			if class--; class < 0 { // one that stands for itself
				class = 0
			}
		case '(':
			if class == 0 {
				group++
			}
		case ')':
			if class == 0 {
				group--
			}
		case '\\':
			i++
		case at:
			if class == 0 && group == 0 {
				parts = append(parts, s[from:i])
				from = i + 1
			}
		}
	}
	return append(parts, s[from:])
}

// matches reports whether a test, or something below it, is meant.
func (p pattern) matches(test string) bool {
	for _, a := range p {
		if a.first.MatchString(test) {
			return true
		}
	}
	return len(p) == 0
}

// whole reports whether a test is meant with all that is below it.
func (p pattern) whole(test string) bool {
	for _, a := range p {
		if a.rest == "" && a.first.MatchString(test) {
			return true
		}
	}
	return false
}

// below returns the pattern for what is below one test that is not meant as a whole, "" if nothing is.
func (p pattern) below(test string) string {
	if len(p) == 0 {
		return ""
	}
	return p.of(test)
}

// of returns the pattern for one test that matches.
func (p pattern) of(test string) string {
	name := "^" + test + "$"
	if len(p) == 0 || p.whole(test) {
		return name
	}
	var alts []string
	for _, a := range p {
		if a.first.MatchString(test) {
			alts = append(alts, name+a.rest)
		}
	}
	return strings.Join(alts, "|")
}

// shuffled puts tests in the order in which package testing runs them with a seed.
func shuffled(names []string, seed int64) {
	rand.New(rand.NewSource(seed)).Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
}
