// Package state makes a linear process a transition system.
//
// A state is a vector of values, one for each parameter. What a summand can do
// depends on the parameters that it reads and on nothing else, so that is
// computed once for each combination of their values and kept:
//
//	values read ──cache──► list of (label, values written)
//
// A step changes few parameters, and only the summands that read one of those
// are looked at again. So most states cost a few lookups in tables.
//
// Each System has an engine of its own and shares nothing that changes with
// others. Numbers of values differ from System to System, so keys of states and
// texts of labels are made of what values are, never of their numbers.
package state
