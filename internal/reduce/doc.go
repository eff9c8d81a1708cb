// Package reduce is about searching less than everything without missing anything.
//
//	what steps act on ──► closed sets of actors ──► the steps that are enough to follow
//	      ▲                                              │
//	      └── guesses remove tokens ◄── refuted by ──────┘
//
// stubborn.go finds closed sets over footprints, guess.go says what a guess is, and each
// guess has a file of its own. In settle.go a search goes by what is known of them, finds
// out which are wrong, and is done again until none is. The package knows neither programs nor
// machines; docs/REDUCTION.md has the theorem and its proof.
package reduce
