package main

import (
	"bytes"
	"crypto/sha256"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/hostile"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// TestHostile: certificates in which something was changed, with sums that are right, are refused for a program that is
// wrong, and are no reason to crash. Half of them say that they are of that program.
func TestHostile(t *testing.T) {
	t.Chdir(t.TempDir())
	program := "package main\n\nimport \"os\"\n\nfunc main() {\n\tc := make(chan int)\n\tgo func() { c <- 1 }()\n\tif <-c; len(os.Args) == 1 {\n\t\tpanic(\"wrong\")\n\t}\n}\n"
	if err := os.WriteFile("main.go", []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, out := heddle("check", "-cert", "c.heddle", "main.go", "--", "safe"); code != 0 {
		t.Fatalf("exit %d, %s", code, out)
	}
	honest, err := os.ReadFile("c.heddle")
	if err != nil {
		t.Fatal(err)
	}
	for at := len(honest) - 64; at < len(honest); at += 3 { // what stands behind the digest, and the numbers before it
		bad := slices.Clone(honest)
		bad[at] ^= 1
		write(t, "c.heddle", bad)
		if code, out := certcheck("c.heddle", "main.go", "--", "safe"); !strings.HasPrefix(out, "refused: ") {
			t.Errorf("byte %d of %d changed: got exit %d, %q", at, len(honest), code, out)
		}
	}
	c, err := cert.Open(bytes.NewReader(honest), int64(len(honest)))
	if err != nil {
		t.Fatal(err)
	}
	var settings []cert.Pair
	for _, p := range c.Header.Settings {
		if p.Name != "args" {
			settings = append(settings, p)
		}
	}
	c.Header.Settings = settings
	forged, err := cert.Reseal(honest, c.Header, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range testlong.Or(30, 500) {
		r := hostile.Dice(1, uint64(i))
		from := honest
		if r.IntN(2) == 0 {
			from = forged
		}
		bad, what := hostile.Certificate(r, from)
		if err := os.WriteFile("c.heddle", bad, 0o666); err != nil {
			t.Fatal(err)
		}
		if code, out := certcheck("c.heddle", "main.go"); code == diag.ExitOK || code == diag.ExitBug || strings.ContainsAny(out, "\x1b\u200b\x00") {
			t.Errorf("file %d, %s: got exit %d, %q", i, what, code, out)
		}
	}
}

// TestHostileModels: no change makes either checker say of a model what is not so, for each kind of claim.
func TestHostileModels(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "m.mcrl2", []byte("act a, b: Nat; bad; proc P(n: Nat, up: Bool) = (up && n < 6) -> a(n) . P(n + 1, up) + (up && n == 6) -> bad . P(n, false) + (!up && n > 0) -> b(n) . P(Int2Nat(n - 1), up); init P(0, true);"))
	write(t, "right.mcf", []byte("[true*](<true* . b(1)>true || [true]false)"))
	write(t, "wrong.mcf", []byte("[true*]<true>true"))
	honest := map[string][]byte{}
	for name, flags := range map[string][]string{
		"kept":    {"-invariant", "n <= 6", "-optimise", "none"},
		"usual":   {"-invariant", "n <= 6"},
		"formula": {"-formula", "right.mcf"},
	} {
		if code, out := heddle(slices.Concat([]string{"check", "-search", "dfs", "-cert", "c.heddle"}, flags, []string{"m.mcrl2"})...); code != 0 {
			t.Fatalf("%s: exit %d, %s", name, code, out)
		}
		honest[name] = read(t, "c.heddle")
	}
	is, other := sha256.Sum256(read(t, "right.mcf")), sha256.Sum256(read(t, "wrong.mcf"))
	for _, test := range []struct {
		name  string
		claim []string
		right bool
	}{
		{"usual", []string{"-invariant", "n <= 6"}, true},
		{"usual", []string{"-invariant", "n <= 5"}, false},
		{"usual", []string{"-action", "bad"}, false},
		{"usual", []string{"-deadlock"}, false},
		{"kept", []string{"-invariant", "n <= 6"}, true},
		{"kept", []string{"-invariant", "up || n > 0"}, false},
		{"kept", []string{"-action", "b"}, false},
		{"formula", []string{"-formula", "right.mcf"}, true},
		{"formula", []string{"-formula", "wrong.mcf"}, false},
	} {
		from := honest[test.name]
		if test.name == "formula" && !test.right {
			from = cert.Mend(bytes.ReplaceAll(from, is[:], other[:]))
		}
		for k := range testlong.Or[uint64](30, 300) {
			bad, what := hostile.Certificate(hostile.Dice(11, k), from)
			write(t, "x.heddle", bad)
			one, two, said, also := opinions(append(test.claim, "x.heddle", "m.mcrl2")...)
			if one >= diag.ExitBug || two >= diag.ExitBug || !test.right && (one == 0 || two == 0) || strings.HasPrefix(also, "violation") && test.right || strings.ContainsAny(said+also, "\x1b\u200b\x00") {
				t.Errorf("%v, file %d, %s: heddle certify: exit %d, %s; certcheck: exit %d, %s", test.claim, k, what, one, said, two, also)
			}
		}
	}
}
