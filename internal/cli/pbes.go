package cli

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"path/filepath"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/formula"
	"github.com/heddle-mc/heddle/internal/model"
)

var cmdPbes = &command{
	name:  "pbes",
	args:  "FILE.pbes|MODEL",
	short: "solve a boolean equation system, or make one of a model and a formula",
	mixed: true,
	long: `Pbes solves a parameterised boolean equation system, in the text that mCRL2's
pbespp prints: it prints true or false, the value of the initial variable, and
exits with 0 or 1. With -formula it takes a model and makes the system itself:

  heddle pbes system.pbes
  heddle pbes model.mcrl2 -formula f.mcf               solve it
  heddle pbes model.mcrl2 -formula f.mcf -o out.pbes   write it

Such a system is solved as far as the initial variable needs it: a formula may be
decided although the model has infinitely many states. docs/mcrl2.md is the
manual.`,
	setup: func(app *App, fs *flag.FlagSet) func(context.Context, []string) (int, error) {
		var passes passList
		file := fs.String("formula", "", "make the system of a model and the formula in `file` (.mcf)")
		out := fs.String("o", "", "write the system to `file`, which ends in .pbes, and do not solve it")
		most := fs.Int("vertices", 10_000_000, "give up after `n` vertices of the game, values of right sides; 0 means no limit")
		fs.Var(&passes, "optimise", passHelp)
		return func(_ context.Context, args []string) (int, error) {
			if len(args) != 1 {
				return 0, diag.Usagef("pbes takes one equation system or model, got %d", len(args))
			}
			s, err := readSystem(args[0], *file, *out, &passes)
			if err != nil {
				return 0, err
			}
			if *out != "" {
				return 0, app.createFile(*out, func(w *bytes.Buffer) error {
					w.WriteString(s.String())
					return nil
				})
			}
			value, vertices, err := model.Solve(s, *most)
			if err != nil {
				return 0, err
			}
			fmt.Fprintf(app.Stdout, "%v: %s of %s; %d equations, %d vertices\n", value, formula.Format(s.Init), args[0], len(s.Equations), vertices)
			if !value {
				return diag.ExitFinding, nil
			}
			return 0, nil
		}
	},
}

// readSystem reads an equation system, or makes it of a model and a formula.
func readSystem(name, file, out string, passes *passList) (*formula.System, error) {
	switch {
	case out != "" && out != "-" && filepath.Ext(out) != ".pbes":
		return nil, diag.Usagef("-o %s: the name has to end in .pbes", out)
	case file == "" && model.Is(name):
		return nil, diag.Usagef("%s is a model: give -formula and a file, too", name)
	case file == "":
		if filepath.Ext(name) != ".pbes" {
			return nil, diag.Usagef("%s: equation systems end in .pbes, and models in .mcrl2 or .lps", name)
		}
		return model.LoadSystem(name)
	case !model.Is(name):
		return nil, diag.Usagef("-formula goes with a model, and %s does not end in .mcrl2 or .lps", name)
	}
	m, err := model.Load(name, passes.or(model.UsualPasses))
	if err != nil {
		return nil, err
	}
	return m.System(file)
}
