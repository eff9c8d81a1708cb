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

func BenchmarkTenProcesses(b *testing.B) {
	for b.Loop() {
		if _, err := Linearise(ring(10)); err != nil {
			b.Fatal(err)
		}
	}
}
