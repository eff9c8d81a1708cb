package verify

import "fmt"

// Outcome says how a run has gone, as by fmt.Sprint: what was read, who has won, what the
// server has answered. A run may have several.
//
// Under heddle check the outcomes of all runs are collected, and told with the verdict: each that is possible is
// among them if the program was verified. Natively each is added as a line to the file that the variable HEDDLE_OUTCOMES
// names, if there is one, so that what runs show can be held against what the checker says.
func Outcome(what ...any) {
	outcome(fmt.Sprint(what...))
}
