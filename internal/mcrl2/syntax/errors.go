package syntax

import "github.com/heddle-mc/heddle/internal/diag"

// MaxErrors is how many errors of one text are told.
const MaxErrors = 10

// An errorList collects errors, and says when there are enough.
type errorList struct{ list diag.List }

func (e *errorList) add(at diag.Pos, format string, args ...any) {
	if len(e.list) < MaxErrors {
		e.list = append(e.list, diag.Sourcef(at, format, args...))
	}
}

func (e *errorList) full() bool { return len(e.list) >= MaxErrors }

func (e *errorList) err() error {
	e.list.Sort()
	return e.list.Err()
}
