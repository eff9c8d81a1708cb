// Package confluence leaves out states that differ from others by tau steps alone
// which change nothing for anybody else.
//
// A summand is confluent if all its steps are tau, and whatever else can be done
// before one of them can be done after it, with the same end:
//
//	s ──a──► u
//	│tau     ┊tau, of the same summand
//	▼        ▼
//	t ┄┄a┄┄► v
//
// Or the step of the summand, or a that is a tau, is not needed to get to the same end, and
// the steps that close the square may be those of other summands, for the tau a confluent
// one. This is shown for pairs of summands, once and for all (prove.go). So states
// that confluent steps connect are branching bisimilar, and it is enough to look at
// one of them: where no confluent step is left, or, if they go round for ever, the
// one with the least key on the loop that they end in (S. Blom, J. van de Pol:
// State Space Reduction by Proving Confluence, CAV 2002). A [System] has only such
// states; that confluent steps go round for ever is a tau from the state to itself.
//
// The reduced graph is branching bisimilar to the whole one, and has a deadlock if that
// has one. Endless tau is not kept: a loop of confluent steps that can be left by one is
// gone.
package confluence
