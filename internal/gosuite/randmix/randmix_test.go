package randmix

import "testing"

// TestPrograms: there are programs of all kinds, and the same ones each time. That they can be compiled is seen where they are
// searched (internal/execute, TestAgreeNetMixed).
func TestPrograms(t *testing.T) {
	var list []Program
	var crowds, timers, numbers, groups, twins int
	count := func(n *int, is bool) {
		if is {
			*n++
		}
	}
	for seed := range uint64(300) {
		p := Generate(seed)
		list = append(list, p)
		count(&crowds, p.Crowd)
		count(&timers, p.Timers)
		count(&numbers, p.Numbers)
		count(&groups, len(p.Parts) > 1)
		count(&twins, p.Twins)
	}
	for what, n := range map[string]int{"crowds": crowds, "timers": timers, "numbers": numbers, "groups": groups, "twins": twins} {
		if n < 20 {
			t.Errorf("got %d of %d programs with %s, want more", n, len(list), what)
		}
	}
	text := Join(list)
	for seed := range list {
		list[seed] = Generate(uint64(seed))
	}
	if Join(list) != text {
		t.Error("other programs the second time")
	}
	t.Logf("%d programs: %d crowds, %d timers, %d numbers, %d groups, %d twins", len(list), crowds, timers, numbers, groups, twins)
}
