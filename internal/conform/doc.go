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
// Traces are compared and, if that is asked for, where they may end: a program that
// does nothing more, in a state in which the model must go on, differs. The model
// need not if, in one of the states that it may be in, all steps are inputs, which
// come from outside, or if internal steps may go on for ever (quiescence, as in
// Tretmans' ioco, but for the order of inputs and outputs, which nobody tells apart
// otherwise). That a program chooses less than its model offers is no difference,
// and neither is that it goes around in circles in which nothing is observed.
package conform
