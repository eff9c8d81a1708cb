// Package check is the door to checking a program: a [Spec] in, a result out.
//
//	flags, heddle.yaml ─┐
//	trace, certificate ─┼─► Spec ─► build ─► settle ─► search ─► tell
//	job of a worker ────┘
//
// A Spec is all that a check depends on, in one struct that can be written down. It is
// the recipe of a trace, the header of a certificate, the settings of a report, what
// heddle.yaml fills in and what a worker gets. Each of its settings is declared once, as a row of
// the table in settings.go: its name, what it is about, its default, what it does to the machine
// and what it leaves out of the claim "verified". Flags, names in heddle.yaml, recipes and reports
// are made from the rows.
//
// The package knows nothing of commands, terminals and exit codes.
package check
