package reduce

import "github.com/heddle-mc/heddle/internal/effect"

// Most programs never wait for the clock. As long as nobody does, it stands still, and to
// look at it depends on nobody. The clock is written as soon as there is a moment that it
// will move to.
var _ = neverWritten("clock", effect.Clock)
