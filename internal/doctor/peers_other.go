//go:build !linux

package doctor

import "context"

// peersLine is about live peers.
func peersLine(context.Context) Line {
	return Line{"peers", false, "there are no live peers on this system", "check servers in Go beside the program: -server-package"}
}
