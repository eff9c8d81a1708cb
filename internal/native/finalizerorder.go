package native

import (
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/vm"
)

// Go calls the finalizers of one collection in any order, one after the other. In a search a collection has an alternative for each order
// of those that the program has set, if there are few. Which of them have to be called only the collection finds out, so they are all counted; where
// fewer have to be, several alternatives come to the same. All other finalizers are called in the order in which they were set: those of the
// library, of which nobody sees when they are called, those of earlier collections, which come first, and those of programs with many.

// mostOrdered is of how many finalizers all orders are tried.
const mostOrdered = 3

// finalizerOrders is in how many ways a collection goes on.
func finalizerOrders(c *vm.NativeCall) int {
	n := 1
	if k := ownFinalizers(c.M); k <= mostOrdered {
		for ; k > 1; k-- {
			n *= k
		}
	}
	return n
}

// ownFinalizers is how many finalizers are set that are no functions of the library.
func ownFinalizers(m *vm.Machine) (n int) {
	m.EachSpecial(func(s vm.Special) {
		if isOwn(m, &s) {
			n++
		}
	})
	return n
}

func isOwn(m *vm.Machine, s *vm.Special) bool {
	return s.Kind == vm.FinalizerSpecial && drive.Of(m).OutsideLibrary(s.Fn)
}

// collect collects, and has finalizers called in the order that the search has chosen. If there are several in an order that was not chosen, that is a
// bound.
func collect(m *vm.Machine) {
	if !m.Driven() {
		m.CollectForced(func([]vm.Special) {})
		return
	}
	own, waiting := ownFinalizers(m), server(m, vm.FinalizerSpecial) != nil
	m.CollectForced(func(run []vm.Special) {
		var at []int
		all := 0
		for i := range run {
			if run[i].Kind == vm.FinalizerSpecial {
				all++
			}
			if isOwn(m, &run[i]) {
				at = append(at, i)
			}
		}
		if all > 1 && (all > len(at) || own > mostOrdered) || all > 0 && waiting {
			drive.Of(m).Meet(drive.MetFinalizers)
		}
		if own <= mostOrdered {
			permute(run, at, drive.Of(m).Choice())
		}
	})
}

// permute brings the specials at some places into one of their orders; 0 is that which they have.
func permute(run []vm.Special, at []int, order int) {
	for ; len(at) > 1; at = at[1:] {
		i := order % len(at)
		order /= len(at)
		first := run[at[i]]
		for ; i > 0; i-- {
			run[at[i]] = run[at[i-1]]
		}
		run[at[0]] = first
	}
}
