package clock

import (
	"testing"
	"time"
)

func TestPlanted(t *testing.T) {
	c := NewMock()
	begin := c.Now()
	seen := make(chan time.Duration)
	go func() { seen <- c.Since(begin) }()
	c.Add(time.Second)
	if d := <-seen; d != 0 && d != time.Second {
		t.Errorf("got %v", d)
	}
}
