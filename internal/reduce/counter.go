package reduce

import "github.com/heddle-mc/heddle/internal/effect"

// Most programs never take the counter of a WaitGroup below zero. As long as nobody does, to
// count down, but not to zero, depends on nobody: whoever else counts down, in whatever
// order, the counter is above zero before and after. If somebody takes it below zero, the
// order decides who panics.
var _ = neverWritten("counter", effect.Counter)
