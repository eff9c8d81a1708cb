// Package dotted has a dot in the last element of its path.
package dotted

// T is a type argument.
type T int
