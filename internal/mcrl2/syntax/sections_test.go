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

// FuzzRename: any text is read or refused.
func FuzzRename(f *testing.F) {
	f.Add("act b: Nat; var n: Nat; rename (n > 1) -> a(n) => b(n); a(n) => tau; c => delta;")
	f.Add("map f: Nat -> Nat; var n: Nat; eqn f(n) = n; rename a => b;")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseRename("rules", []byte(text))
		if err == nil && len(r.Rules) == 0 {
			t.Fatal("got no rules")
		}
	})
}
