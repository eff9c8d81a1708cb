// Package diag holds what every other package says to the user with: source
// positions, the five kinds of error and the findings of a run.
//
// It knows nothing about where messages come from and does not print. The five
// kinds are never mixed, because each one means something else to the caller
// of the command:
//
//	kind         exit  meaning
//	usage        2     the command line or the program's source is wrong
//	unsupported  2, 3  we refuse: 2 before the program started, 3 afterwards
//	finding      1     a result about the program, with a trace
//	incomplete   3     a bound was hit: says what was not covered
//	bug          4     a defect of ours, printed with what reproduces it
package diag

import (
	"errors"
	"fmt"
	"go/token"
	"strconv"
)

// A Pos is a place in a source file. The zero Pos means "no place". Line and
// Col count from 1; a zero Col (or Line) is left out when printing.
type Pos struct {
	File string
	Line int
	Col  int
}

// FromToken converts a position of go/token.
func FromToken(p token.Position) Pos {
	return Pos{File: p.Filename, Line: p.Line, Col: p.Column}
}

// IsValid reports whether p names a place.
func (p Pos) IsValid() bool { return p.File != "" }

// String prints p as file:line:col, or "-" if p names no place.
func (p Pos) String() string {
	if !p.IsValid() {
		return "-"
	}
	s := p.File
	if p.Line > 0 {
		s += ":" + strconv.Itoa(p.Line)
		if p.Col > 0 {
			s += ":" + strconv.Itoa(p.Col)
		}
	}
	return s
}

// Compare orders positions by file, line and column.
func (p Pos) Compare(q Pos) int {
	switch {
	case p.File != q.File:
		if p.File < q.File {
			return -1
		}
		return 1
	case p.Line != q.Line:
		return p.Line - q.Line
	}
	return p.Col - q.Col
}

// A Kind is one of the five kinds of error.
type Kind uint8

// The five kinds.
const (
	Usage Kind = iota + 1
	Unsupported
	Found // a finding: see [Finding]
	Incomplete
	Bug
)

var kindNames = [...]string{Usage: "usage", Unsupported: "unsupported", Found: "finding", Incomplete: "incomplete", Bug: "bug"}

func (k Kind) String() string {
	if int(k) < len(kindNames) && kindNames[k] != "" {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// The exit codes of the command.
const (
	ExitOK         = 0
	ExitFinding    = 1
	ExitUsage      = 2
	ExitIncomplete = 3
	ExitBug        = 4
)

// An Error is an error of one of the five kinds. Its text is one line, lower
// case, without full stop and with the position first.
type Error struct {
	Kind    Kind
	Pos     Pos
	Msg     string
	Running bool  // the program under test had started: an unsupported feature then exits 3
	Err     error // the cause, or nil
}

// Error returns the position, if there is one, and the message.
func (e *Error) Error() string {
	if e.Pos.IsValid() {
		return e.Pos.String() + ": " + e.Msg
	}
	return e.Msg
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// ExitCode returns the exit code of the command for e.
func (e *Error) ExitCode() int {
	switch e.Kind {
	case Usage:
		return ExitUsage
	case Unsupported:
		if e.Running {
			return ExitIncomplete
		}
		return ExitUsage
	case Found:
		return ExitFinding
	case Incomplete:
		return ExitIncomplete
	}
	return ExitBug
}

// Usagef returns a usage error. Its text says what to type instead.
func Usagef(format string, args ...any) *Error {
	return &Error{Kind: Usage, Msg: fmt.Sprintf(format, args...)}
}

// Sourcef returns an error in the source of the program under test, for
// example a type error. It is a usage error with a position.
func Sourcef(pos Pos, format string, args ...any) *Error {
	return &Error{Kind: Usage, Pos: pos, Msg: fmt.Sprintf(format, args...)}
}

// Unsupportedf refuses a program before it has started.
func Unsupportedf(pos Pos, format string, args ...any) *Error {
	return &Error{Kind: Unsupported, Pos: pos, Msg: fmt.Sprintf(format, args...) + notSupported}
}

// RunUnsupportedf refuses to go on with a program that has already started.
func RunUnsupportedf(pos Pos, format string, args ...any) *Error {
	e := Unsupportedf(pos, format, args...)
	e.Running = true
	return e
}

const notSupported = ": not supported (see docs/LIMITS.md)"

// Incompletef reports a bound that was hit. Its text says what was not covered.
func Incompletef(format string, args ...any) *Error {
	return &Error{Kind: Incomplete, Msg: fmt.Sprintf(format, args...)}
}

// Bugf describes a defect of ours. It returns a value to panic with:
//
//	panic(diag.Bugf("rewind past mark %d of %d", m, n))
func Bugf(format string, args ...any) *Error {
	return &Error{Kind: Bug, Msg: fmt.Sprintf(format, args...)}
}

// ExitCode returns the exit code of the command for err: 0 for nil, that of
// the error for errors of this package, and that of a bug for every other
// error, since each package is to say which kind its errors are of.
func ExitCode(err error) int {
	if err == nil {
		return ExitOK
	}
	var coded interface{ ExitCode() int }
	if errors.As(err, &coded) {
		return coded.ExitCode()
	}
	return ExitBug
}
