package cli

import (
	"testing"
	"time"

	"github.com/heddle-mc/heddle/internal/fixed"
	"github.com/heddle-mc/heddle/internal/native"
)

// TestDate: programs and peers whose time is fixed begin at the same date.
func TestDate(t *testing.T) {
	if got, want := fixed.Date*int64(time.Second), native.WallClock(nil); got != want {
		t.Errorf("got %d for peers, want %d as for programs", got, want)
	}
}
