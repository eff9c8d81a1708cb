// Package testlong says how large the numbers of a test are: those with which
// make test is quick, or those of make test-long. It knows nothing about the tests.
package testlong

import "os"

// On reports whether tests should do all they can: HEDDLE_LONG is set.
func On() bool { return os.Getenv("HEDDLE_LONG") != "" }

// Or returns usual, or long if tests should do all they can.
func Or[T any](usual, long T) T {
	if On() {
		return long
	}
	return usual
}
