package cli

import (
	"bytes"
	"crypto/sha256"
	"os"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/hostile"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// formulas are about a model in which n goes up to 6 and down again, and bad happens.
var formulas = map[string]string{
	"m.mcrl2":    unsafePrograms["m.mcrl2"],
	"back.mcf":   "[true*]<true* . bad>true",       // holds: there is always a way to it
	"never.mcf":  "[true* . bad]false",             // does not
	"loop.mcf":   "mu X. [!bad]X && <true>true",    // does not: it can be put off for ever
	"end.mcf":    "[true*](<true>true && <b>true)", // does not: in the beginning there is no b
	"always.mcf": "nu X. <true>X && [true]X",       // holds
}

// TestFormulaAttacks: no certificate, whatever it says, makes a formula hold that does not.
func TestFormulaAttacks(t *testing.T) {
	dir := t.TempDir()
	writeTree(t, dir, formulas)
	t.Chdir(dir)
	if code, stdout, stderr := runHeddle("check", "-search", "dfs", "-cert", "c.heddle", "-formula", "back.mcf", "-formula", "always.mcf", "m.mcrl2"); code != 0 {
		t.Fatalf("got exit %d, %s, %s", code, stdout, stderr)
	}
	data, err := os.ReadFile("c.heddle")
	if err != nil {
		t.Fatal(err)
	}
	certify := func(data []byte, formula string) (int, string) {
		if err := os.WriteFile("x.heddle", data, 0o666); err != nil {
			t.Fatal(err)
		}
		code, stdout, stderr := runHeddle("certify", "-formula", formula, "x.heddle", "m.mcrl2")
		return code, stdout + stderr
	}
	hash := func(name string) []byte {
		sum := sha256.Sum256([]byte(formulas[name]))
		return sum[:]
	}
	// renamed makes the evidence of one formula that of another one.
	renamed := func(from, to string) []byte {
		if !bytes.Contains(data, hash(from)) {
			t.Fatalf("there is no evidence of %s", from)
		}
		return cert.Mend(bytes.ReplaceAll(data, hash(from), hash(to)))
	}
	for _, right := range []string{"back.mcf", "always.mcf"} {
		if code, out := certify(data, right); code != 0 {
			t.Errorf("%s: got exit %d, %s", right, code, out)
		}
		for _, wrong := range []string{"never.mcf", "loop.mcf", "end.mcf"} {
			if code, out := certify(data, wrong); code != 1 || !strings.Contains(out, "it has no evidence that "+wrong+" holds") {
				t.Errorf("%s: got exit %d, %s", wrong, code, out)
			}
			if code, out := certify(renamed(right, wrong), wrong); code != 1 || !strings.Contains(out, "its evidence that "+wrong+" holds is wrong: ") {
				t.Errorf("%s with the evidence of %s: got exit %d, %s", wrong, right, code, out)
			}
		}
	}
	for k := range testlong.Or(150, 2000) {
		r := hostile.Dice(1, uint64(k))
		from, name := data, "back.mcf"
		if wrong := []string{"", "never.mcf", "loop.mcf", "end.mcf"}[r.IntN(4)]; wrong != "" {
			from, name = renamed([]string{"back.mcf", "always.mcf"}[r.IntN(2)], wrong), wrong
		}
		bad, what := hostile.Certificate(r, from)
		if code, out := certify(bad, name); code != 1 && (code != 0 || name != "back.mcf") {
			t.Errorf("file %d, %s: %s: got exit %d, %s", k, name, what, code, out)
		}
	}
}
