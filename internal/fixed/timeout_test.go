//go:build linux

package fixed

import (
	"testing"
	"time"

	"github.com/heddle-mc/heddle/internal/intercept"
)

// TestMeant: what somebody wants to wait for is the same number whenever the call was heard of that has an end.
func TestMeant(t *testing.T) {
	const ms, us = time.Millisecond, time.Microsecond
	for _, test := range []struct{ left, unsure, want time.Duration }{
		{100*ms - 5*us, 0, 100 * ms},
		{100*ms - 5*us, 50 * us, 100 * ms},
		{100*ms - 500*us, 10 * us, 100 * ms},
		{100*ms + 20*us, 0, 100 * ms}, // it cannot be: the call was later
		{105*ms - 5*us, 50 * us, 105 * ms},
		{71 * ms, 30 * ms, 100 * ms},
		{-250 * ms, 351 * ms, 100 * ms},
		{233 * ms, 20 * ms, 240 * ms},
		{1900 * ms, 150 * ms, 2 * time.Second},
		{36*time.Hour - 5*us, 0, 36 * time.Hour},
		{10 * us, 0, ms},
		{0, 0, 0},
		{-5 * ms, ms, 0},
	} {
		to := time.Now()
		if got := meant(&intercept.Call{To: to, From: to.Add(-test.unsure)}, test.left); got != test.want {
			t.Errorf("%v to %v: got %v, want %v", test.left, test.left+test.unsure, got, test.want)
		}
	}
}
