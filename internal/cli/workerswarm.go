package cli

import (
	"context"
	"os"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/distribute"
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
)

// Searched returns who searches a program, or a model.
func (w *programs) Searched(ctx context.Context, text *jobText) (distribute.Searcher, error) {
	if text.Model != "" {
		return w.searchedModel(text)
	}
	return w.searchedProgram(ctx, text)
}

// A searcher does searches of one swarm.
type searcher struct {
	text   *jobText
	search func(o explore.Options, i int, over func() bool) (*explore.Result, error)
}

func (s *searcher) Options() (explore.Options, error) { return memberOptions(s.text) }

func (s *searcher) Search(o explore.Options, i int, over func() bool) (*explore.Result, error) {
	return s.search(o, i, over)
}

// searchedProgram gets ready for searches of a program.
func (w *programs) searchedProgram(ctx context.Context, text *jobText) (distribute.Searcher, error) {
	rec, err := readRecipe(text.Settings)
	if err != nil {
		return nil, err
	}
	settings, err := rec.system()
	if err != nil {
		return nil, err
	}
	src := w.source(text)
	prog, err := w.app.Backend.Build(ctx, BuildOptions{Source: src, Access: settings.Access})
	if err != nil {
		return nil, err
	}
	if err := text.Same(quoteArgs(src.Patterns), prog.Identity); err != nil {
		return nil, err
	}
	root, err := os.Getwd()
	if err != nil {
		return nil, diag.Usagef("%v", err)
	}
	process := execute.Process{Args: append([]string{programName(rec.Packages)}, rec.Args...), Env: rec.Env}
	return &searcher{text, func(o explore.Options, i int, over func() bool) (res *explore.Result, err error) {
		own := settings
		pool := &systems{make: func() (lts.System, error) { return prog.NewSystem(process, own, root) }}
		defer pool.close()
		once := func(known *drive.Assumptions) (found []*drive.Assumptions, done bool) {
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
	}}, nil
}

// searchedModel gets ready for searches of a model.
func (w *programs) searchedModel(text *jobText) (distribute.Searcher, error) {
	flags, _, err := readModelRecipe(text.Settings, ".")
	if err != nil {
		return nil, err
	}
	sys, err := w.modelSystem(text, flags)
	if err != nil {
		return nil, err
	}
	return &searcher{text, func(o explore.Options, i int, _ func() bool) (*explore.Result, error) {
		return explore.RunMember(sys, o, i)
	}}, nil
}
