// Package archtest holds the architecture to its picture: the table of
// packages in docs/ARCHITECTURE.md is parsed by a test and compared with the
// imports in the code, so that neither can drift from the other. The package
// has no code of its own.
package archtest
