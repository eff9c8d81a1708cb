package pool

import (
	"sync"
	"testing"
)

func TestEncode(t *testing.T) {
	var wg sync.WaitGroup
	for _, m := range []string{"warp", "weft"} {
		wg.Go(func() {
			if s := string(Encode(m)); s != "["+m+"]" {
				t.Errorf("%s is encoded as %s", m, s)
			}
		})
	}
	wg.Wait()
}
