package execute_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// TestCrowd: there is no number of goroutines above which nothing is reduced. Seventy, or a hundred, that lock, count and
// unlock are searched to the end, and one of them that does not lock is found.
func TestCrowd(t *testing.T) {
	for _, test := range []struct {
		unlocked int
		want     []string
	}{{-1, nil}, {57, []string{"race"}}} {
		prog := compileText(t, program(fmt.Sprintf(`
func main() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	n := 0
	for i := range %[2]d {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if i == %[1]d {
				n++
				return
			}
			mu.Lock()
			n++
			mu.Unlock()
		}()
	}
	wg.Wait()
	if n != %[2]d {
		panic(n)
	}
}`, test.unlocked, testlong.Or(70, 100))))
		s, err := searchFor(prog, way{Options: explore.Options{Reduce: true, Limits: explore.Limits{States: 30_000}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.kinds(); !slices.Equal(got, test.want) || s.cutOff() {
			t.Errorf("got %v, %s, want %v", got, s.Result, test.want)
		}
		t.Logf("%d states, %d transitions", s.States, s.Transitions)
	}
}
