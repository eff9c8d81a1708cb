// Package hostile makes bad files of good ones: certificates and checkpoints in which
// something was changed, and of which all sums and digests are right again, as somebody
// makes them who means harm. It is for tests, which look that such a file is refused with
// a reason, and never makes heddle say what is not so, crash, or take much memory.
//
//	file ──► pieces ──► edits: bits, bytes, numbers, lines, JSON, order ──► sums ──► file
//
// It knows the formats from their description alone (docs/certificate.md, and package
// explore for checkpoints) and uses nothing of the code that reads them. What is changed
// depends on the seed and on nothing else.
package hostile

import "math/rand/v2"

// Dice returns what decides about the file with a number.
func Dice(seed, number uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, number)) }

// pick returns one of some values.
func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }
