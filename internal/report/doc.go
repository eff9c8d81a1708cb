// Package report turns what checking found into output: text for a person,
// JSON, JUnit XML, SARIF, events as go test -json prints them, and a coverage
// profile.
//
// It knows nothing about how programs are searched and looks at no clock: its
// input is a [Run], a plain value that the command fills, and equal values give
// equal bytes.
//
//	          ┌──► text, events     as each target is done
//	Report ──►│
//	          └──► JSON, JUnit, SARIF, coverage     when all are
//
// One rule is kept here, since all that is said to a user passes through: the
// words of a search that covered everything are printed only for one that did. A
// report whose verdict does not go with its contents is a defect, and refused.
//
// Limits: findings, reasons and values are printed as they are given, one line
// each; all reports are kept until the end.
package report
