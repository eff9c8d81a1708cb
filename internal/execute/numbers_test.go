package execute_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// randomNumbers makes a program whose goroutines make calls on numbers of which they
// have some in common, hand some on, duplicate, close and open them. What they read is
// put together at the end, and some of the results are panics.
func randomNumbers(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 11))
	var b strings.Builder
	b.WriteString(rawHelp)
	goroutines, pairs := 2+r.IntN(2), 1+r.IntN(3)
	fmt.Fprintf(&b, "\nvar results [%d]string\n\nfunc main() {\n\tvar wg sync.WaitGroup\n\tnumbers := make(chan int, 4)\n\tn := make([]int, %d)\n", goroutines, 2*pairs)
	for i := range pairs {
		fmt.Fprintf(&b, "\tn[%d], n[%d] = pair()\n", 2*i, 2*i+1)
	}
	fmt.Fprintf(&b, `	ep, err := syscall.EpollCreate1(0)
	must(err)
	must(syscall.EpollCtl(ep, syscall.EPOLL_CTL_ADD, n[1], &syscall.EpollEvent{Events: syscall.EPOLLIN}))
	_ = numbers
	wg.Add(%d)
`, goroutines)
	for g := range goroutines {
		fmt.Fprintf(&b, "\tgo func() {\n\t\tdefer wg.Done()\n\t\tout := &results[%d]\n\t\t_ = out\n", g)
		// Most use one pair, so that there is something to leave out.
		mine := r.IntN(pairs)
		fd := func() string {
			if r.IntN(4) > 0 {
				return fmt.Sprintf("n[%d]", 2*mine+r.IntN(2))
			}
			return fmt.Sprintf("n[%d]", r.IntN(2*pairs))
		}
		for i := range 2 + r.IntN(2) {
			letter := string(rune('a' + 3*g + i))
			switch r.IntN(12) {
			case 0, 1, 2, 3:
				fmt.Fprintf(&b, "\t\twrite(%s, %q)\n", fd(), letter)
			case 4, 5, 6:
				fmt.Fprintf(&b, "\t\t*out += read(%s) + \".\"\n", fd())
			case 7:
				fmt.Fprintf(&b, "\t\tnumbers <- %s\n", fd())
			case 8:
				fmt.Fprintf(&b, "\t\tselect {\n\t\tcase x := <-numbers:\n\t\t\twrite(x, %q)\n\t\tdefault:\n\t\t}\n", letter)
			case 9:
				fmt.Fprintf(&b, "\t\tif x, err := syscall.Dup(%s); err == nil {\n\t\t\t*out += read(x)\n\t\t}\n", fd())
			case 10:
				fmt.Fprintf(&b, "\t\tsyscall.Close(%s)\n", fd())
			case 11:
				b.WriteString("\t\tif k, _ := syscall.EpollWait(ep, make([]syscall.EpollEvent, 1), 0); k == 1 {\n\t\t\t*out += \"!\"\n\t\t}\n")
			}
		}
		b.WriteString("\t}()\n")
	}
	fmt.Fprintf(&b, `	wg.Wait()
	sum := 0
	for i, s := range results {
		for j := range s {
			sum += int(s[j]) * (7*i + j + 1)
		}
	}
	if sum%%4 == %d {
		panic("one of the results")
	}
}
`, r.IntN(4))
	return b.String()
}

// TestAgreeNumbers: programs with calls on numbers are found to be right or wrong with
// and without reduction.
func TestAgreeNumbers(t *testing.T) {
	t.Parallel()
	n := testlong.Or[uint64](5, 50)
	if testing.Short() {
		n = 15
	}
	wrong, plain, assumed := 0, int64(0), int64(0)
	for seed := range n {
		prog := compileText(t, program(randomNumbers(seed)))
		all := way{Options: explore.Options{All: true}}
		first, _, err := searchOnce(prog, all)
		if err != nil {
			t.Fatal(err)
		}
		all.Reduce = true
		second, err := searchFor(prog, all)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := second.kinds(), first.kinds(); !slices.Equal(got, want) {
			t.Errorf("seed %d: got %v reduced, %v plain\n%s", seed, got, want, randomNumbers(seed))
		}
		if len(first.Findings) > 0 {
			wrong++
		}
		plain, assumed = plain+first.States, assumed+second.States
	}
	if wrong < int(n)/6 || wrong > int(n)*5/6 {
		t.Errorf("got %d of %d programs that are wrong, want some of both", wrong, n)
	}
	t.Logf("%d programs, %d wrong, %d states, %d reduced", n, wrong, plain, assumed)
}
