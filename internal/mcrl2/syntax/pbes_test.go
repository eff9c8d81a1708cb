package syntax

import "testing"

// FuzzPbes: any text is read or refused.
func FuzzPbes(f *testing.F) {
	f.Add("pbes mu X(n: Nat, b: Bool) = val(n > 0) && (forall m: Nat. X(m, b)) => !Y; nu Y = true; init X(1, true);")
	f.Add("sort S = struct a | b; map f: S; eqn f = a; pbes mu X = <a>X; init val(1);")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParsePbes("system", []byte(text))
		if err == nil && (s.Init == nil || len(s.Equations) == 0) {
			t.Fatalf("got %+v", s)
		}
	})
}
