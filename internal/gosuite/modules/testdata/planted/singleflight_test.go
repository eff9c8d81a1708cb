package singleflight

import (
	"testing"
	"time"
)

// Who does not wait for the result leaves nobody behind.
func TestPlanted(t *testing.T) {
	var g Group
	ch := g.DoChan("key", func() (any, error) { return 1, nil })
	select {
	case <-ch:
	case <-time.After(time.Millisecond):
	}
}
