package backoff

import (
	"sync"
	"testing"
	"time"
)

// Two may stop a ticker.
func TestPlanted(t *testing.T) {
	ticker := NewTicker(NewConstantBackOff(time.Hour))
	<-ticker.C
	var wg sync.WaitGroup
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			ticker.Stop()
		}()
	}
	wg.Wait()
}
