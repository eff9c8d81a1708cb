package main

import (
	"bytes"
	"crypto/sha256"
	"os"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/hostile"
	"github.com/heddle-mc/heddle/internal/mcrl2/randformula"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// opinions runs both checkers, and returns their exit codes and what they said.
func opinions(args ...string) (one, two int, said, also string) {
	one, said = heddle(append([]string{"certify"}, args...)...)
	two, also = certcheck(args...)
	return one, two, said, also
}

// TestAgreeFormulas: both checkers say the same of formulas of generated models, and neither of them takes evidence for something that
// does not hold, whatever was done to it.
func TestAgreeFormulas(t *testing.T) {
	t.Chdir(t.TempDir())
	hold, refused, still := 0, 0, 0
	for seed := range testlong.Or[uint64](60, 1000) {
		m := randformula.New(seed, 21)
		write(t, "m.mcrl2", []byte(m.Pair()))
		right, wrong := "", ""
		for range 6 { // some hold and some do not
			text := m.Formula()
			write(t, "f.mcf", []byte(text))
			switch code, out := heddle("check", "-search", "dfs", "-o", "out", "-cert", "c.heddle", "-formula", "f.mcf", "m.mcrl2"); {
			case code == diag.ExitOK && right == "":
				right = text
			case code == diag.ExitFinding:
				wrong = text
			case code != diag.ExitOK:
				t.Fatalf("seed %d: %s: got exit %d, %s", seed, text, code, out)
			}
			if right != "" && wrong != "" {
				break
			}
		}
		if right == "" || wrong == "" {
			continue
		}
		write(t, "f.mcf", []byte(right))
		write(t, "wrong.mcf", []byte(wrong))
		if code, out := heddle("check", "-search", "dfs", "-cert", "c.heddle", "-formula", "f.mcf", "m.mcrl2"); code != 0 {
			t.Fatalf("seed %d: got exit %d, %s", seed, code, out)
		}
		if one, two, said, also := opinions("-formula", "f.mcf", "c.heddle", "m.mcrl2"); one != 0 || two != 0 {
			t.Fatalf("seed %d: %s: heddle certify: exit %d, %s; certcheck: exit %d, %s", seed, right, one, said, two, also)
		}
		hold++
		honest := read(t, "c.heddle")
		is, other := sha256.Sum256([]byte(right)), sha256.Sum256([]byte(wrong))
		forged := cert.Mend(bytes.ReplaceAll(honest, is[:], other[:]))
		for k := range uint64(4) {
			r := hostile.Dice(seed, k)
			from, name := honest, "f.mcf"
			if k%2 == 0 {
				from, name = forged, "wrong.mcf"
			}
			if k > 0 {
				from, _ = hostile.Certificate(r, from)
			}
			write(t, "x.heddle", from)
			one, two, said, also := opinions("-formula", name, "x.heddle", "m.mcrl2")
			if name == "wrong.mcf" && (one != diag.ExitFinding || two != diag.ExitFinding) || one > diag.ExitFinding && one != diag.ExitIncomplete || two > diag.ExitFinding && two != diag.ExitIncomplete {
				t.Errorf("seed %d, change %d of %s: heddle certify: exit %d, %s; certcheck: exit %d, %s", seed, k, name, one, said, two, also)
			}
			if two == diag.ExitFinding {
				refused++
			} else {
				still++
			}
		}
	}
	t.Logf("%d formulas hold; of changed certificates certcheck refuses %d, and %d still show what holds", hold, refused, still)
	if hold < 20 || refused < 60 {
		t.Errorf("got %d that hold, %d refused", hold, refused)
	}
}

// TestFormulas: formulas with data, and what is said of one that is not shown to hold.
func TestFormulas(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "m.mcrl2", []byte("act a, b: Nat; bad; proc P(n: Nat, up: Bool, d: Nat) = (up && n < 6) -> a(n) . P(n + 1, up, d) + (up && n == 6) -> bad . P(n, false, 1) + (!up && n > 0) -> b(n) . P(Int2Nat(n - 1), up, d) + (!up && n == 0) -> a(0) . P(0, true, d); init P(0, true, 1);"))
	formulas := []string{
		"[true*]<true* . bad>true",
		"nu X. <true>X && [true]X",
		"forall k: Nat. val(k < 5) => [true*.a(k)]<true*.b(k+1)>true",
		"nu X(k: Nat = 0). [a(k)]X((k+1) mod 7) && <true>true && (exists j: Nat. val(j<7) && <true*.b(j)>true)",
		"mu X. [!bad]X && <true>true",
		"[true*](<exists k:Nat. val(k > 2) && a(k)>true || <true+>(<bad>true || val(false)))",
		"!(exists k: Nat. val(k < 9 && k > 6) && <true*.(a(k) || b(k))>true)",
	}
	for _, text := range formulas {
		write(t, "f.mcf", []byte(text))
		if code, out := heddle("check", "-search", "dfs", "-cert", "c.heddle", "-formula", "f.mcf", "m.mcrl2"); code != 0 {
			t.Fatalf("%s: got exit %d, %s", text, code, out)
		}
		if one, two, said, also := opinions("-formula", "f.mcf", "c.heddle", "m.mcrl2"); one != 0 || two != 0 || !strings.Contains(also, "no violation of f.mcf") {
			t.Errorf("%s: heddle certify: exit %d, %s; certcheck: exit %d, %s", text, one, said, two, also)
		}
	}
	write(t, "other.mcf", []byte("[true* . bad]false"))
	write(t, "time.mcf", []byte("delay"))
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"-formula", "f.mcf", "-deadlock", "-action", "a"}, 1, "violation: m.mcrl2: "},
		{[]string{"-formula", "f.mcf", "-deadlock"}, 0, "no violation of f.mcf, deadlock"},
		{[]string{"-formula", "other.mcf"}, 1, "refused: it has no evidence that other.mcf holds"},
		{[]string{"-formula", "none.mcf"}, 2, "none.mcf"},
		{[]string{"-action", "none"}, 2, `no action "none"`},
		{[]string{"-invariant", "n <= 6"}, 0, "no violation of n <= 6"},
		{[]string{"-invariant", "n <= 5"}, 1, "n <= 5 does not hold"},
		{[]string{"-invariant", "none"}, 2, "-invariant none"},
		{[]string{"-formula", "f.mcf", "-states", "5"}, 3, "more than 5 states"},
	} {
		if code, out := certcheck(append(test.args, "c.heddle", "m.mcrl2")...); code != test.code || !strings.Contains(out, test.want) {
			t.Errorf("%v: got exit %d, %s, want exit %d, %s", test.args, code, out, test.code, test.want)
		}
	}
	if code, _ := certcheck("-deadlock", "c.heddle", "main.go"); code != 2 {
		t.Errorf("a program is examined for a deadlock of a model: exit %d", code)
	}
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
