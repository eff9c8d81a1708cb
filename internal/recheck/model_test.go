package recheck

import (
	"crypto/sha256"
	"os"
	"strings"
	"testing"
)

// TestFormulas: formulas hold where they are defined to, also below each other, with arguments, and with values of which there are infinitely many.
func TestFormulas(t *testing.T) {
	t.Chdir(t.TempDir())
	// Numbers go up to 6 and down again, or stop at 3 for good.
	model := "act up, down: Nat; rest, stop; proc P(n: Nat, u: Bool) = (u && n < 6) -> up(n) . P(n + 1, u) + (u && n == 6) -> rest . P(n, false) + " +
		"(!u && n > 0) -> down(n) . P(Int2Nat(n - 1), u) + (!u && n == 0) -> rest . P(0, true) + (n == 3) -> stop . delta; init P(0, true);"
	if err := os.WriteFile("m.mcrl2", []byte(model), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		text string
		want string
	}{
		{"true", "holds"},
		{"!(val(1 < 2) => false)", "holds"},
		{"[true*]<true>true", "does not"},
		{"[true*](<true>true || val(false))", "does not"},
		{"[true*.stop]([true]false && !<true*.rest>true)", "holds"},
		{"<true+>([true]false)", "holds"},
		{"<(up(0)+stop).(up(1)+stop).true*.stop>true", "holds"},
		{"<(up(0)+stop).(up(0)+stop)>true", "does not"},
		{"mu X. [!stop]X", "does not"},
		{"nu X. <!stop>X", "holds"},
		{"mu X. <!stop>X || <stop>true", "holds"},
		{"nu X. mu Y. <rest>X || <!rest>Y", "holds"},                   // rest infinitely often
		{"mu X. nu Y. <rest>X || <!rest && !stop>Y", "does not"},       // rest only finitely often
		{"!nu X. !mu Y. <rest>!X || <!rest>Y", "does not"},             // X is always true
		{"nu X. [true]X && (mu Y. <true>Y || [true]false)", "holds"},   // one can always come to the end
		{"forall k: Nat. val(k < 6) => <true*.up(k)>true", "holds"},    // of infinitely many
		{"forall k: Nat. val(k < 8) => <true*.up(k)>true", "does not"}, //
		{"exists k: Nat. val(k > 4 && k < 7) && [true*.down(k)]<stop>true", "does not"},
		{"exists k: Nat. val(k > 2 && k < 9) && [true*.down(k+1)](<stop>true && val(true))", "holds"},
		{"[true*]forall k: Nat. val(k < 9) => [up(k)]([up(k)]false && (<down(k+1)>true => val(k < 6)))", "holds"},
		{"nu X(k: Nat = 0). val(k < 7) && [up(k)]X(k + 1) && [rest]true", "holds"},
		{"nu X(k: Nat = 0). [true]X(k + 1) && val(k < 5)", "does not"},
		{"nu X(k: Nat = 0). ([true]X(k + 1) && <true>true) || (val(k > 2) || [stop]false)", "holds"},
		{"mu X(k: Nat = 0, m: Nat = 6). <true>X(k + 1, m) && val(k < m) || val(k == m)", "holds"},
		{"nu X(k: Nat = 0). X(k + 1)", "gave up"},
		{"<exists k: Nat. val(k > 2) && up(k)>true", "does not"},
		{"<true*.exists k: Nat. val(k > 2) && up(k)>true", "holds"},
		{"[forall k: Nat. !up(k)]false", "holds"},
		{"delay", "unsupported"},
	} {
		if err := os.WriteFile("f.mcf", []byte(test.text), 0o666); err != nil {
			t.Fatal(err)
		}
		got, err := attempt(func() string {
			process := loadModel("m.mcrl2")
			c := &certificate{evidence: map[[sha256.Size]byte]bool{sha256.Sum256([]byte(test.text)): true}}
			f := c.formulas(process, []string{"f.mcf"})[0]
			sys := (&looks{}).system(process)
			if newTruth(sys.System, explore(sys, "m", 1000, true), f).decide(f) {
				return "holds"
			}
			return "does not"
		})
		switch {
		case err != nil && strings.Contains(err.Error(), "more than"):
			got = "gave up"
		case err != nil && strings.Contains(err.Error(), "not explored"):
			got = "unsupported"
		case err != nil:
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s: got %s, want %s", test.text, got, test.want)
		}
	}
}
