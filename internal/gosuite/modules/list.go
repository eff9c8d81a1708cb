package main

import (
	_ "embed"
	"fmt"
	"path"
	"slices"
	"strings"
)

//go:embed modules.txt
var modules string

// A module is one whose tests are run.
type module struct {
	path, version string
	short         bool     // its tests are told to be short
	patterns      []string // of the packages to test
	reasons       []reason
	found         []reason // what findings are, when tests are checked: limit is one of classes
}

// A reason explains why tests differ from what they do natively.
type reason struct {
	pkg, test string // pkg is the last part of a path, or *
	why       string
	limit     string // words of docs/LIMITS.md, "" if it is no limit
}

// sometimes reports whether the test may also agree, depending on the computer.
func (r *reason) sometimes() bool { return strings.HasPrefix(r.why, "sometimes ") }

func (m *module) String() string { return m.path + "@" + m.version }

// parse reads the list of modules; its form is explained at its top.
func parse(text string) (list []*module, err error) {
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '\t':
			if len(list) == 0 {
				return nil, fmt.Errorf("modules.txt:%d: a test before the first module", n)
			}
			m := list[len(list)-1]
			text, isFound := strings.CutPrefix(line[1:], "found ")
			r, ok := parseReason(text)
			if isFound {
				r.limit, r.why, _ = strings.Cut(r.why, ": ")
				ok = ok && slices.Contains(classes, r.limit) && r.why != ""
				m.found = append(m.found, r)
			} else {
				m.reasons = append(m.reasons, r)
			}
			if !ok {
				return nil, fmt.Errorf("modules.txt:%d: %q: want package.Test: reason [LIMITS: words], or found package.Test: true, own or false: reason", n, line)
			}
		default:
			f := strings.Fields(line)
			if len(f) < 2 {
				return nil, fmt.Errorf("modules.txt:%d: %q: want a module and its version", n, line)
			}
			m := &module{path: f[0], version: f[1]}
			f = f[2:]
			if len(f) > 0 && f[0] == "+short" {
				m.short, f = true, f[1:]
			}
			if m.patterns = f; len(f) == 0 {
				m.patterns = []string{"./..."}
			}
			list = append(list, m)
		}
	}
	return list, nil
}

// parseReason reads "package.Test: why [LIMITS: words]". A package's name may
// have dots, the name of a test has none.
func parseReason(s string) (r reason, ok bool) {
	name, why, ok := strings.Cut(s, ": ")
	top, sub, _ := strings.Cut(name, "/")
	dot := strings.LastIndexByte(top, '.')
	if !ok || dot <= 0 || dot == len(top)-1 {
		return r, false
	}
	r.pkg, r.test = top[:dot], top[dot+1:]
	if sub != "" {
		r.test += "/" + sub
	}
	if r.why, r.limit, ok = strings.Cut(why, " [LIMITS: "); ok {
		if r.limit, ok = strings.CutSuffix(r.limit, "]"); !ok {
			return r, false
		}
	}
	return r, r.why != ""
}

// covers reports whether r explains a test of a package.
func (r *reason) covers(pkg, test string) bool {
	if r.pkg != "*" && r.pkg != path.Base(pkg) {
		return false
	}
	return r.test == "*" || test == r.test || strings.HasPrefix(test, r.test+"/")
}
