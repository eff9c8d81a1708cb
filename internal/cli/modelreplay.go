package cli

import (
	"fmt"
	"io"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/model"
	"github.com/heddle-mc/heddle/internal/plain"
	"github.com/heddle-mc/heddle/internal/trace"
)

// replayModel replays the trace of a model up to a step.
func (r *replayer) replayModel(t *trace.Trace, last int) (int, error) {
	look, name, err := model.ReadRecipe(t.Settings, r.dir)
	if err != nil {
		return 0, err
	}
	mod, err := model.Load(name, look.Passes)
	if err != nil {
		return 0, err
	}
	if mod.Identity() != t.Program {
		fmt.Fprintln(r.app.Stderr, "heddle replay: the model has changed since it was checked")
	}
	look.For(t)
	m, err := model.Prepare(mod, look, 1)
	if err != nil {
		return 0, err
	}
	fits, err := model.Follow(m.One(), t)
	n := min(fits, last)
	if r.step == 0 {
		io.WriteString(r.app.Stdout, t.StepsText(1, n))
	} else if r.step <= n {
		io.WriteString(r.app.Stdout, t.StepsText(r.step, r.step))
	}
	if fits < last {
		return 0, err
	}
	r.after(t, last)
	if last < len(t.Steps) || t.Finding.Kind == "" {
		return diag.ExitOK, nil
	}
	again, err := m.ShowsAgain(t)
	if err != nil {
		return 0, err
	}
	if !again {
		return 0, diag.Usagef("after step %d: the finding does not show: %s: %v", last, t.Finding.Error(), trace.ErrStale)
	}
	fmt.Fprintln(r.app.Stdout, plain.Line(t.Finding.Error()))
	return diag.ExitFinding, nil
}
