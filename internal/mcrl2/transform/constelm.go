package transform

import "github.com/heddle-mc/heddle/internal/mcrl2/spec"

// Constelm drops parameters that keep their first value. It begins with the
// guess that all of them do. A summand that does not happen as long as the guess
// is right does not matter; one that changes a parameter makes the guess smaller.
func Constelm(lps *spec.LPS, t Tools) *spec.LPS {
	guess := spec.Subst{}
	for i, p := range lps.Params {
		if len(spec.FreeVars(lps.Init[i])) == 0 {
			guess[p] = t.Rewrite(lps.Init[i])
		}
	}
	for changed := true; changed; {
		changed = false
		for _, s := range lps.Summands {
			if s.Delta {
				continue
			}
			if c := guess.Apply(s.Cond); c != s.Cond && spec.IsOp(t.Rewrite(c), spec.OpFalse) {
				continue
			}
			wrong := false
			for i, p := range lps.Params {
				value, ok := guess[p]
				if ok && s.Next[i] != spec.Expr(p) && !equal(t.Rewrite(guess.Apply(s.Next[i])), value) {
					delete(guess, p)
					wrong = true
				}
			}
			changed = changed || wrong
		}
	}
	drop := map[int]bool{}
	for i, p := range lps.Params {
		if _, ok := guess[p]; ok {
			drop[i] = true
		}
	}
	return without(lps, drop, guess, t)
}
