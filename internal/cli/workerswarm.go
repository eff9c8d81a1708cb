package cli

import (
	"context"
	"encoding/json"
	"os"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/queue"
	"github.com/heddle-mc/heddle/internal/vm"
)

// openSwarm gets ready for searches of a program.
func (w *worker) openSwarm(ctx context.Context, text jobText) (*openJob, error) {
	rec, err := readRecipe(text.Settings)
	if err != nil {
		return nil, err
	}
	settings, err := rec.system()
	if err != nil {
		return nil, err
	}
	src := w.source(&text)
	prog, err := w.app.Backend.Build(ctx, BuildOptions{Source: src, Access: settings.Access})
	if err != nil {
		return nil, err
	}
	if err := text.same(quoteArgs(src.Patterns), prog.Identity); err != nil {
		return nil, err
	}
	root, err := os.Getwd()
	if err != nil {
		return nil, diag.Usagef("%v", err)
	}
	process := execute.Process{Args: append([]string{programName(rec.Packages)}, rec.Args...), Env: rec.Env}
	m := &memberWorker{text: text, search: func(o explore.Options, i int, over func() bool) (res *explore.Result, err error) {
		own := settings
		pool := &systems{make: func() (lts.System, error) { return prog.NewSystem(process, own, root) }}
		defer pool.close()
		once := func(known *vm.Assumptions) (found []*vm.Assumptions, done bool) {
			pool.close()
			own.Assume = known
			before := res
			sys, serr := pool.new()
			if serr == nil {
				res, serr = explore.RunMember(sys, o, i)
			}
			if err = serr; err != nil {
				return nil, true
			}
			if before != nil {
				res.Keep(before.Findings)
			}
			return foundIn(pool.list), len(res.Findings) > 0 && !o.All || over()
		}
		if o.Reduce {
			execute.Settle(once)
		} else {
			once(nil)
		}
		return res, err
	}}
	return &openJob{do: m.do}, nil
}

// openSwarmModel gets ready for searches of a model.
func (w *worker) openSwarmModel(text jobText) (*openJob, error) {
	flags, _, err := readModelRecipe(text.Settings, ".")
	if err != nil {
		return nil, err
	}
	sys, err := w.modelSystem(&text, flags)
	if err != nil {
		return nil, err
	}
	m := &memberWorker{text: text, search: func(o explore.Options, i int, _ func() bool) (*explore.Result, error) {
		return explore.RunMember(sys, o, i)
	}}
	return &openJob{do: m.do}, nil
}

// A memberWorker does searches of one swarm.
type memberWorker struct {
	text   jobText
	search func(o explore.Options, i int, over func() bool) (*explore.Result, error)
}

// do does one search.
func (m *memberWorker) do(ctx context.Context, t *queue.Task, told func(int)) ([]byte, error) {
	o, err := m.text.Search.options(m.text.All)
	if err != nil {
		return nil, err
	}
	over := func() bool { return ctx.Err() != nil }
	o.Clock, o.Interrupt = startMeter().elapsed, over
	o.Progress = func(p explore.Progress) {
		if o.Limits.States > 0 {
			told(int(p.States * 1000 / o.Limits.States))
		} else {
			told(0)
		}
	}
	var out *memberText
	err = guarded(func() error {
		res, err := m.search(o, memberNumber(t.Name)-1, over)
		if err == nil {
			out = newMemberText(res)
		}
		return err
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		out = &memberText{Failure: err.Error()}
	}
	return json.Marshal(out)
}
