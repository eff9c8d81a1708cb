package race

import (
	"sync"
	"testing"
)

func TestCache(t *testing.T) {
	c := New()
	var wg sync.WaitGroup
	for _, word := range []string{"warp", "weft"} {
		wg.Go(func() {
			if n := c.Size(word); n != 4 {
				t.Errorf("%s has %d letters", word, n)
			}
		})
	}
	wg.Wait()
}
