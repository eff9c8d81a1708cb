package errgroup

import (
	"errors"
	"testing"
)

func TestPlanted(t *testing.T) {
	var g Group
	one, two := errors.New("one"), errors.New("two")
	g.Go(func() error { return one })
	g.Go(func() error { return two })
	if err := g.Wait(); err != one && err != two {
		t.Errorf("got %v", err)
	}
}
