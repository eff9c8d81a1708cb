//go:build !linux

package limit

import "github.com/heddle-mc/heddle/internal/room"

// Resident returns how many bytes the process holds now: those of the Go runtime, and what was taken besides, used or not.
func Resident() int64 { return goHeap() + room.Held() }
