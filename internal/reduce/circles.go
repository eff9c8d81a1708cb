package reduce

import "github.com/heddle-mc/heddle/internal/effect"

// The guess circles is that no path comes back to one of its states: the program comes to its
// end, whatever happens. Nobody is left for later forever then, and that somebody jumps backwards
// concerns nobody. A path that comes back to where it was is seen by a search that goes depth first,
// and by no other: the others do not make this guess.
var _ = neverWritten("circles", effect.Circle)
