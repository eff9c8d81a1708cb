package linear

import (
	"fmt"
	"testing"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// ring returns n processes in a ring that each take what the one before gives,
// with an action of their own in between.
func ring(n int) *spec.Spec {
	sorts := spec.NewSorts()
	s := &spec.Spec{Data: &spec.Data{Sorts: sorts, Lib: spec.NewLibrary(sorts)}}
	act := func(format string, i int) *spec.Action {
		a := &spec.Action{Name: fmt.Sprintf(format, i)}
		s.Actions = append(s.Actions, a)
		return a
	}
	comm, allow := &spec.Comm{}, &spec.Allow{}
	for i := range n {
		act("give%d", i)
		act("take%d", i)
		pass, work := act("pass%d", i), act("work%d", i)
		comm.From = append(comm.From, []string{fmt.Sprintf("give%d", i), fmt.Sprintf("take%d", i)})
		comm.To = append(comm.To, pass.Name)
		allow.Sets = append(allow.Sets, []string{pass.Name}, []string{work.Name})
	}
	var all spec.Proc
	for i := range n {
		p := &spec.Process{Name: fmt.Sprintf("P%d", i)}
		do := func(k int) spec.Proc { return &spec.Act{Action: s.Actions[k]} }
		p.Body = &spec.Seq{Left: do(4*i + 1), Right: &spec.Seq{Left: do(4*i + 3),
			Right: &spec.Seq{Left: do(4 * ((i + 1) % n)), Right: &spec.Call{Process: p}}}}
		s.Procs = append(s.Procs, p)
		if all == nil {
			all = &spec.Call{Process: p}
		} else {
			all = &spec.Par{Left: all, Right: &spec.Call{Process: p}}
		}
	}
	comm.Body = all
	allow.Body = comm
	s.Init = allow
	return s
}

func TestComposeKeepsOnlyWhatIsAllowed(t *testing.T) {
	for _, n := range []int{2, 10, 40} {
		lps, err := Linearise(ring(n))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := len(lps.Summands), 2*n; got != want {
			t.Errorf("ring of %d: got %d summands, want %d", n, got, want)
		}
		if got, want := len(lps.Params), n; got != want {
			t.Errorf("ring of %d: got %d parameters, want %d", n, got, want)
		}
	}
}

// With block instead of allow all that is not blocked may happen at once, so the
// processes of a ring do any set of their own actions and of what they pass on.
// A process passes on, takes or works, but only one of these.
func TestComposeWithBlock(t *testing.T) {
	for n := 2; n <= 6; n++ {
		s := ring(n)
		comm := s.Init.(*spec.Allow).Body.(*spec.Comm)
		block := &spec.Block{Body: comm}
		for _, from := range comm.From {
			block.Names = append(block.Names, from...)
		}
		s.Init = block
		lps, err := Linearise(s)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := len(lps.Summands), ringSteps(n); got != want {
			t.Errorf("ring of %d: got %d summands, want %d", n, got, want)
		}
	}
}

// ringSteps counts the ways to let some of n processes in a ring work and some
// neighbours pass, each process in at most one of these, and not none at all.
func ringSteps(n int) int {
	ways := 0
	for set := range 1 << (2 * n) { // bit i: i works, bit n+i: i-1 passes to i
		ok := set != 0
		for i := range n {
			works, takes, gives := set>>i&1, set>>(n+i)&1, set>>(n+(i+1)%n)&1
			ok = ok && works+takes+gives <= 1
		}
		if ok {
			ways++
		}
	}
	return ways
}

func BenchmarkTenProcesses(b *testing.B) {
	for b.Loop() {
		if _, err := Linearise(ring(10)); err != nil {
			b.Fatal(err)
		}
	}
}
