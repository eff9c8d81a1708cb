package archtest

import (
	"bufio"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	module = "github.com/heddle-mc/heddle"
	root   = "../.."
	table  = "docs/ARCHITECTURE.md"
)

// A rule is a row of the table.
type rule struct {
	pkg    string   // relative to the module
	allows []string // relative to the module
	all    bool     // may import everything
}

// parseTable returns the rules in a document: rows with three cells whose
// first one names a package in backquotes. In the last cell, "-" means nothing
// and names are packages below internal, except verify and those of bench.
func parseTable(text string) []rule {
	var rules []rule
	lines := bufio.NewScanner(strings.NewReader(text))
	for lines.Scan() {
		cells := strings.Split(strings.Trim(lines.Text(), "| "), " | ")
		if !strings.HasPrefix(lines.Text(), "| `") || len(cells) != 3 {
			continue
		}
		r := rule{pkg: strings.Trim(cells[0], "`")}
		for _, name := range strings.Fields(cells[2]) {
			switch {
			case name == "-":
			case name == "all":
				r.all = true
			case name == "verify", within(name, "bench"):
				r.allows = append(r.allows, name)
			default:
				r.allows = append(r.allows, "internal/"+name)
			}
		}
		rules = append(rules, r)
	}
	return rules
}

// within reports whether pkg is dir or lies below it.
func within(pkg, dir string) bool { return pkg == dir || strings.HasPrefix(pkg, dir+"/") }

// ruleFor returns the rule of the longest row that covers a package, or nil.
func ruleFor(rules []rule, pkg string) *rule {
	var best *rule
	for i := range rules {
		if within(pkg, rules[i].pkg) && (best == nil || len(rules[i].pkg) > len(best.pkg)) {
			best = &rules[i]
		}
	}
	return best
}

// complaint says what is wrong with one import, or "".
func complaint(rules []rule, pkg, imported string) string {
	r := ruleFor(rules, pkg)
	switch {
	case r == nil:
		return pkg + " has no row in the table"
	case r.all || within(imported, r.pkg):
		return ""
	}
	for _, allowed := range r.allows {
		if within(imported, allowed) {
			return ""
		}
	}
	return pkg + " may not import " + imported
}

// imports returns what the Go files of the module import of the module, by
// package. Tests, testdata and nested modules are left out.
func imports(t *testing.T) map[string][]string {
	t.Helper()
	found := make(map[string][]string)
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			_, err := os.Stat(filepath.Join(name, "go.mod"))
			nested := err == nil && name != root
			if base := d.Name(); nested || base == "testdata" || name != root && strings.HasPrefix(base, ".") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		pkg := path.Dir(filepath.ToSlash(rel))
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		found[pkg] = append(found[pkg], "") // the package exists
		for _, imp := range f.Imports {
			p, err := strconv.Unquote(imp.Path.Value)
			if err != nil {
				return err
			}
			found[pkg] = append(found[pkg], p)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func readTable(t *testing.T) []rule {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(table)))
	if err != nil {
		t.Fatal(err)
	}
	rules := parseTable(string(text))
	if len(rules) < 10 {
		t.Fatalf("got %d rows in %s, want the table of packages", len(rules), table)
	}
	return rules
}

func TestImportsFollowTheTable(t *testing.T) {
	rules := readTable(t)
	found := imports(t)
	if len(found["internal/load"]) == 0 {
		t.Fatal("no files found in internal/load: the test looks in the wrong place")
	}
	var complaints []string
	for pkg, list := range found {
		for _, imp := range list {
			rel, ours := strings.CutPrefix(imp, module+"/")
			if imp != "" && !ours {
				continue
			}
			if imp == "" {
				rel = pkg // its own row has to exist
			}
			if c := complaint(rules, pkg, rel); c != "" {
				complaints = append(complaints, c)
			}
		}
	}
	slices.Sort(complaints)
	for _, c := range slices.Compact(complaints) {
		t.Errorf("%s (see %s)", c, table)
	}
}

// TestNoEdgeGoesBack checks the table itself: what it allows has no cycle.
func TestNoEdgeGoesBack(t *testing.T) {
	rules := readTable(t)
	byName := make(map[string]*rule)
	for i := range rules {
		byName[rules[i].pkg] = &rules[i]
	}
	const (
		entered = 1
		left    = 2
	)
	state := make(map[string]int)
	var visit func(pkg string, via []string)
	visit = func(pkg string, via []string) {
		switch state[pkg] {
		case entered:
			t.Errorf("the table allows a cycle: %s", strings.Join(append(via, pkg), " → "))
			return
		case left:
			return
		}
		state[pkg] = entered
		r := byName[pkg]
		if r == nil {
			t.Errorf("%s is allowed as an import but has no row", pkg)
		} else {
			for _, dep := range r.allows {
				visit(dep, append(via, pkg))
			}
		}
		state[pkg] = left
	}
	for _, r := range rules {
		visit(r.pkg, nil)
	}
}

// outside are packages with a clock, a network, processes or randomness. They
// enter through the kernel and the peers only.
var outside = []string{"net", "net/http", "os/exec", "time", "math/rand", "math/rand/v2", "crypto/rand"}

// TestDeterministicCore checks that the packages whose results must depend on
// their arguments alone import nothing that does not.
func TestDeterministicCore(t *testing.T) {
	found := imports(t)
	for _, pkg := range []string{"internal/lts", "internal/bytecode", "internal/mem", "internal/vm", "internal/explore"} {
		for _, imp := range found[pkg] {
			if slices.Contains(outside, imp) {
				t.Errorf("%s imports %s", pkg, imp)
			}
		}
	}
}

// TestComplaints plants violations.
func TestComplaints(t *testing.T) {
	rules := parseTable("| package | purpose | may import |\n| --- | --- | --- |\n" +
		"| `internal/a` | first | b |\n| `internal/b` | second; a | b | - |\n| `internal/b` | second | - |\n" +
		"| `internal/b/c` | third | verify |\n| `cmd/x` | main | all |\n")
	for _, test := range []struct{ pkg, imported, want string }{
		{"internal/a", "internal/b", ""},
		{"internal/a", "internal/b/d", ""},
		{"internal/a/sub", "internal/a", ""},
		{"internal/b", "internal/a", "internal/b may not import internal/a"},
		{"internal/b/c", "internal/b", "internal/b/c may not import internal/b"},
		{"internal/b/c", "verify", ""},
		{"internal/bb", "verify", "internal/bb has no row in the table"},
		{"cmd/x", "internal/b", ""},
	} {
		if got := complaint(rules, test.pkg, test.imported); got != test.want {
			t.Errorf("%s imports %s: got %q, want %q", test.pkg, test.imported, got, test.want)
		}
	}
}
