package reduce

import "github.com/heddle-mc/heddle/internal/effect"

// Most programs never ask for a collection. As long as nobody does, it makes no difference
// when a goroutine forgets the last pointer to something: finalizers, cleanups and weak
// pointers do not see it.
var _ = neverWritten("garbage", effect.Forgotten)
