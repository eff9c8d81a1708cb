package certify

import (
	"errors"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/distribute"
)

// A Refusal says why a certificate is not that of what is examined. It is a result of
// an examination: other errors say that there is none.
type Refusal struct{ err error }

func (r *Refusal) Error() string { return r.err.Error() }

// Unwrap returns the reason.
func (r *Refusal) Unwrap() error { return r.err }

// Refuse makes the reason why a certificate is not accepted a Refusal. An examination
// that was cut short, and trouble with the queue, say nothing about a certificate: these
// errors stay what they are.
func Refuse(err error) error {
	var q distribute.QueueError
	if err == nil || diag.ExitCode(err) == diag.ExitIncomplete || errors.As(err, &q) {
		return err
	}
	return &Refusal{err}
}
