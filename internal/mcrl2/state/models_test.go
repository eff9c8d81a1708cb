package state

import (
	"fmt"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/linear"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/transform"
	"github.com/heddle-mc/heddle/internal/mcrl2/types"
)

// linearised returns the linear process of a text, after transformations.
func linearised(t testing.TB, text string, names ...string) *spec.LPS {
	t.Helper()
	s, err := types.Load("model", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	l, err := linear.Linearise(s)
	if err != nil {
		t.Fatal(err)
	}
	if len(names) > 0 {
		e, err := data.New(l.Data, data.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if l, err = transform.Apply(l, names, transform.NewTools(e, l.Lib)); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

func search(t testing.TB, l *spec.LPS, o Options, how explore.Options) *explore.Result {
	t.Helper()
	r, err := explore.Run(func() (lts.System, error) { return New(l, o) }, how)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const abp = `
sort D = struct d1 | d2; Error = struct e;
act r1, s4: D; s2, r2, c2: D # Bool; s3, r3, c3: D # Bool; s3, r3, c3: Error; s5, r5, c5: Bool; s6, r6, c6: Bool; s6, r6, c6: Error; i;
proc S(b: Bool) = sum d: D. r1(d) . T(d, b);
 T(d: D, b: Bool) = s2(d, b) . (r6(b) . S(!b) + (r6(!b) + r6(e)) . T(d, b));
 R(b: Bool) = sum d: D. r3(d, b) . s4(d) . s5(b) . R(!b) + (sum d: D. r3(d, !b) + r3(e)) . s5(!b) . R(b);
 K = sum d: D, b: Bool. r2(d, b) . (i . s3(d, b) + i . s3(e)) . K;
 L = sum b: Bool. r5(b) . (i . s6(b) + i . s6(e)) . L;
init allow({r1, s4, c2, c3, c5, c6, i}, comm({r2|s2 -> c2, r3|s3 -> c3, r5|s5 -> c5, r6|s6 -> c6}, S(true) || K || L || R(true)));`

// philosophers is a table of n. Each takes the left fork, then the right one,
// eats and puts both back.
func philosophers(n int) string {
	var p []string
	for i := range n {
		p = append(p, fmt.Sprintf("Phil(%d) || Fork(%d)", i, i))
	}
	return fmt.Sprintf(`
map N: Pos; eqn N = %d;
act get, put, up, down, lock, free: Nat # Nat; eat: Nat;
proc Phil(n: Nat) = get(n, n) . get(n, (n + 1) mod N) . eat(n) . put(n, n) . put(n, (n + 1) mod N) . Phil(n);
  Fork(n: Nat) = sum i: Nat. (i < N) -> up(i, n) . down(i, n) . Fork(n);
init allow({lock, free, eat}, comm({get|up -> lock, put|down -> free}, %s));`, n, strings.Join(p, " || "))
}
