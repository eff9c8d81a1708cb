// Package conform holds a program against a model: everything that the program is
// observed to do must be something that the model can do (trace inclusion).
//
//	program   s ────step────► s'      observed: a, b
//	model     M ══a══► M'' ══b══► M'  M, M', … are sets of states
//
// Both are transition systems; which is the program and which the model makes no
// difference to this package. The program tells what was observed in each step, and
// the labels of the model's steps are texts. An observation is the same action as a
// label if the texts are equal but for spaces, and but for arguments that the
// observation leaves open: set(_, 1) is set(clients, 1) and set(processors, 1).
// Steps of the model may be internal; steps of the program in which nothing is
// observed are.
//
// The model need not be deterministic, so what has been observed leads to a set of
// its states: all that it may be in. A [System] is the program together with that
// set, which is made as it goes (a subset construction), and is a transition system
// again. Where an observation leaves the set empty the program has done what the
// model does not allow. All searches, limits and stories are those of other
// systems; a breadth-first search finds a shortest way to the first difference.
//
// Only traces are compared. That a program does less than its model, or nothing at
// all, is no difference.
package conform
