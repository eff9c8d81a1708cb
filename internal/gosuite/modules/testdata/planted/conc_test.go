package pool

import "testing"

func TestPlanted(t *testing.T) {
	p := NewWithResults[int]()
	for i := 0; i < 3; i++ {
		p.Go(func() int { return 1 })
	}
	if got := p.Wait(); len(got) != 3 {
		t.Errorf("got %d results, want 3", len(got))
	}
}
