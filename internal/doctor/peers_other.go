//go:build !linux

package doctor

import "context"

// peersLine is about live peers.
func peersLine(context.Context) Line {
	return ok("peers", "live peers need Linux; servers in Go can be checked beside the program: -server-package")
}
