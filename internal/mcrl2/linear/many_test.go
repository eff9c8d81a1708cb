package linear_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/mcrl2/linear"
)

// alternatives returns n alternatives.
func alternatives(n int, format string) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf(format, i))
	}
	return strings.Join(list, " + ")
}

// Two processes with n alternatives each have n*n combinations. If nothing is known
// about what they send, each of these is a summand.
func TestManySummands(t *testing.T) {
	const n = 330
	text := "act s, r, c: Nat; proc A(x: Nat) = %s; B(x: Nat) = %s; init allow({c}, comm({s|r -> c}, A(0) || B(0)));"
	for _, test := range []struct {
		what, sent string
		want       int
	}{
		{"sums", "(x + %d)", n * n},
		{"constants", "(%d)", n},
	} {
		lps, err := linear.Linearise(load(t, fmt.Sprintf(text, alternatives(n, "s"+test.sent+" . A((x + 1) mod 2)"), alternatives(n, "r"+test.sent+" . B((x + 1) mod 2)"))))
		if err != nil {
			t.Fatal(err)
		}
		if len(lps.Summands) != test.want {
			t.Errorf("%s: got %d summands, want %d", test.what, len(lps.Summands), test.want)
		}
	}
}

// Arguments of which only some are constants are not left out.
func TestSomeConstants(t *testing.T) {
	text := `act s, r, c: Nat # Nat;
proc A(x: Nat) = s(0, 1) . A(1) + s(1, x) . A(0) + s(2, 2) . A(0) + s(x, x) . A(1) + s(3, 0) . A(2);
     B(y: Nat) = r(0, y) . B(1) + r(1, 1) . B(0) + r(y, 2) . B(0) + r(2, y + 1) . B(1) + r(3, 1) . B(2);
init allow({c}, comm({s|r -> c}, A(0) || B(0)));`
	agreedGraph(t, text)
	agreedGraph(t, strings.Replace(text, "allow({c}", "allow({c, s|r}", 1))
	agreedGraph(t, strings.Replace(text, "allow({c}", "block({s, r}", 1))
	agreedGraph(t, strings.Replace(text, "allow({c}", "hide({s, r}", 1))
}
