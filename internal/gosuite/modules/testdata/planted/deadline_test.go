package deadline

import (
	"testing"
	"time"
)

// The function that was too late comes to its end, too.
func TestPlanted(t *testing.T) {
	err := New(time.Millisecond).Run(func(stop <-chan struct{}) error {
		<-stop
		return nil
	})
	if err != ErrTimedOut {
		t.Errorf("got %v", err)
	}
}
