package check

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/trace"
)

// Distinct returns the findings of which there are stories to tell: one of those that a story does not tell apart, and no leak where there is
// a deadlock at the same place, which is what the wait there comes to.
func Distinct(list []explore.Found) (out []explore.Found) {
	for i, f := range list {
		same := func(g explore.Found) bool { return trace.SameAs(g.Finding)(f.Finding) }
		hangs := func(g explore.Found) bool { return g.Kind == string(execute.Deadlock) && g.Pos == f.Pos }
		if slices.ContainsFunc(list[:i], same) || f.Kind == string(execute.Leak) && f.Pos.IsValid() && slices.ContainsFunc(list, hangs) {
			continue
		}
		out = append(out, f)
	}
	return out
}
