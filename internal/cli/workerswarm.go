package cli

import (
	"context"
	"os"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/distribute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/model"
)

// Searched returns who searches a program, or a model.
func (w *programs) Searched(ctx context.Context, text *distribute.Job) (distribute.Searcher, error) {
	if text.Model != "" {
		return w.searchedModel(text)
	}
	return w.searchedProgram(ctx, text)
}

// A searcher does searches of one swarm.
type searcher struct {
	text   *distribute.Job
	search func(o explore.Options, i int, over func() bool) (*explore.Result, error)
}

func (s *searcher) Options() (explore.Options, error) { return memberOptions(s.text) }

func (s *searcher) Search(o explore.Options, i int, over func() bool) (*explore.Result, error) {
	return s.search(o, i, over)
}

// searchedProgram gets ready for searches of a program.
func (w *programs) searchedProgram(ctx context.Context, text *distribute.Job) (distribute.Searcher, error) {
	spec, err := check.Read(text.Spec)
	if err != nil {
		return nil, err
	}
	settings, err := spec.System()
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
	settings.Root = root
	process := spec.Process(programName(spec.Program.Packages))
	return &searcher{text, func(o explore.Options, i int, over func() bool) (*explore.Result, error) {
		own := settings
		own.Stop, o.Interrupt = over, over
		pool := &check.Pool{Make: func() (lts.System, error) { return prog.NewSystem(process, own) }}
		defer pool.Close()
		run := &check.Task{Settings: &own, Pool: pool, Options: o, Member: func(sys lts.System, o explore.Options) (*explore.Result, error) {
			return explore.RunMember(sys, o, i)
		}}
		out, err := run.Search()
		if err != nil {
			return nil, err
		}
		return out.Result, nil
	}}, nil
}

// searchedModel gets ready for searches of a model.
func (w *programs) searchedModel(text *distribute.Job) (distribute.Searcher, error) {
	look, _, err := model.ReadRecipe(text.Settings, ".")
	if err != nil {
		return nil, err
	}
	sys, err := w.modelSystem(text, look)
	if err != nil {
		return nil, err
	}
	return &searcher{text, func(o explore.Options, i int, _ func() bool) (*explore.Result, error) {
		return explore.RunMember(sys, o, i)
	}}, nil
}
