package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/randspec"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// model has a certificate of a model written that need not be free of deadlocks, on which both have to agree.
func (n *tally) model(t *testing.T, name, file string, flags ...string) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "c.heddle")
	if code, _ := heddle(append(append([]string{"check", "-o", t.TempDir(), "-states", "20000", "-cert", out}, flags...), file)...); code != diag.ExitOK {
		n.none++
		return
	}
	one, said := heddle("certify", "-o", t.TempDir(), out, file)
	two, also := certcheck("-states", "100000", out, file)
	switch {
	case two == diag.ExitIncomplete:
		n.unknown++
	case one != two:
		t.Errorf("%s: heddle certify: exit %d, %q; certcheck: exit %d, %q", name, one, said, two, also)
	case one == diag.ExitOK:
		n.certified++
	default:
		n.violations++
	}
}

// TestAgreeModels: both checkers say the same of certificates of models.
func TestAgreeModels(t *testing.T) {
	// A condition that always holds: so there are certificates of models with deadlocks, too.
	any := []string{"-invariant", "true"}
	list, err := filepath.Glob("../../examples/models/*.mcrl2")
	if err != nil || len(list) == 0 {
		t.Fatalf("got %v, %v", list, err)
	}
	var n tally
	for _, file := range list {
		n.model(t, file, file, any...)
		n.model(t, file, file)
	}
	t.Logf("examples: %+v", n)
	if n.certified < 5 || n.violations < 3 {
		t.Errorf("got %+v, want some that are certified and some that are not", n)
	}
	n = tally{}
	for seed := range testlong.Or[uint64](20, 300) {
		file := filepath.Join(t.TempDir(), "m.mcrl2")
		if err := os.WriteFile(file, []byte(randspec.Text(seed+1)), 0o666); err != nil {
			t.Fatal(err)
		}
		n.model(t, fmt.Sprintf("seed %d", seed+1), file, any...)
	}
	t.Logf("generated: %+v", n)
	if n.violations == 0 {
		t.Errorf("got %+v, want some with deadlocks", n)
	}
}

// TestRefusedModels: a certificate of another model, or of something else, is refused with a reason.
func TestRefusedModels(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"fine.mcrl2":  "act a; proc P(n: Nat, m: Bool) = (n < 3) -> a . P(n + 1, !m) <> a . P(0, !m); init P(0, true);",
		"other.mcrl2": "act a; proc P(n: Nat) = (n < 4) -> a . P(n + 1) <> a . P(0); init P(0);",
		"main.go":     "package main\n\nfunc main() {}\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	made := func(args ...string) []byte {
		t.Helper()
		if code, out := heddle(append([]string{"check", "-cert", "made.heddle"}, args...)...); code != 0 {
			t.Fatalf("%v: exit %d, %s", args, code, out)
		}
		data, err := os.ReadFile("made.heddle")
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	set := func(data []byte, name, value string) []byte {
		t.Helper()
		c, err := cert.Open(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		c.Header.Settings = append(c.Header.Settings, cert.Pair{Name: name, Value: value})
		for i, s := range c.Header.Settings[:len(c.Header.Settings)-1] {
			if s.Name == name {
				c.Header.Settings[i].Value = value
				c.Header.Settings = c.Header.Settings[:len(c.Header.Settings)-1]
				break
			}
		}
		out, err := cert.Reseal(data, c.Header, nil)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	fine, plain, program := made("fine.mcrl2"), made("-optimise", "none", "fine.mcrl2"), made("main.go")
	for _, test := range []struct {
		name string
		data []byte
		file string
		code int
		want string
	}{
		{"as it is", fine, "fine.mcrl2", 0, "certified: "},
		{"as it is written", plain, "fine.mcrl2", 0, "4 states, 4 transitions; no deadlock; the certificate has 4 and 4"},
		{"another model", fine, "other.mcrl2", 1, "another model"},
		{"a program", fine, "main.go", 1, "another program"},
		{"of a program", program, "fine.mcrl2", 1, `setting "`},
		{"confluence", set(fine, "confluence", "true"), "fine.mcrl2", 1, `setting "confluence"`},
		{"a transformation that nobody knows", set(fine, "optimise", "magic"), "fine.mcrl2", 1, "not known"},
		{"other transformations", set(fine, "optimise", "none"), "fine.mcrl2", 1, "another model"},
		{"no model", fine, "none.mcrl2", 2, ""},
	} {
		if err := os.WriteFile("c.heddle", test.data, 0o666); err != nil {
			t.Fatal(err)
		}
		if code, out := certcheck("c.heddle", test.file); code != test.code || !strings.Contains(out, test.want) {
			t.Errorf("%s: got exit %d, %q, want exit %d, %q", test.name, code, out, test.code, test.want)
		}
	}
}
