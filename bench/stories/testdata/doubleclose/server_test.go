package doubleclose

import "testing"

func TestStop(t *testing.T) {
	s := Start()
	s.jobs <- 1
	s.jobs <- -1
	s.Stop()
}
