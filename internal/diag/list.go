package diag

import (
	"cmp"
	"slices"
	"strings"
)

// A List is a list of errors found together, for example by the type checker.
// It prints one line each.
type List []*Error

// Error returns the lines of the list.
func (l List) Error() string {
	lines := make([]string, len(l))
	for i, e := range l {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// ExitCode returns the highest exit code in the list.
func (l List) ExitCode() int {
	code := ExitOK
	for _, e := range l {
		code = max(code, e.ExitCode())
	}
	return code
}

// Sort orders the list by position and then text, and removes duplicates.
// Errors without a position come last: they are often the consequence of one
// that has a position.
func (l *List) Sort() {
	slices.SortStableFunc(*l, func(a, b *Error) int {
		if a.Pos.IsValid() != b.Pos.IsValid() {
			if a.Pos.IsValid() {
				return -1
			}
			return 1
		}
		return cmp.Or(a.Pos.Compare(b.Pos), strings.Compare(a.Msg, b.Msg))
	})
	*l = slices.CompactFunc(*l, func(a, b *Error) bool { return a.Pos == b.Pos && a.Msg == b.Msg })
}

// Err returns l as an error, or nil if it is empty.
func (l List) Err() error {
	if len(l) == 0 {
		return nil
	}
	return l
}
