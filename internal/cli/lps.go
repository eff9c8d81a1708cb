package cli

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/model"
)

var cmdLps = &command{
	name:  "lps",
	words: func() []string { return []string{"info", "print"} },
	args:  "[info|print] MODEL",
	short: "make an mCRL2 model linear, and print it",
	mixed: true,
	long: `Lps makes a specification a linear process: one process with parameters, each
alternative of which does one multi-action and calls it again. The result is
printed in the syntax of mCRL2, and can be read again as a model (.lps).

  heddle lps model.mcrl2 -o model.lps
  heddle lps model.mcrl2 -optimise rewr,constelm,parelm
  heddle lps model.mcrl2 -rename rules.ren -o renamed.lps
  heddle lps info model.mcrl2     how many parameters, summands and the like
  heddle lps print model.lps      the same as without -o

MODEL is a specification (.mcrl2) or a linear process (.lps). Transformations
are applied in the order in which they are given, none if none are. A file of
rules, each condition -> action => action, tau or delta, renames actions first.
docs/mcrl2.md is the manual.`,
	setup: func(app *App, fs *flag.FlagSet) func(context.Context, []string) (int, error) {
		var passes passList
		out := fs.String("o", "", "write the linear process to `file`, which ends in .lps")
		rules := fs.String("rename", "", "rename actions by the rules in `file`, before all else")
		fs.Var(&passes, "optimise", passHelp)
		return func(ctx context.Context, args []string) (int, error) {
			verb := ""
			if len(args) > 1 {
				verb, args = args[0], args[1:]
			}
			name, err := oneModel(args)
			switch {
			case err != nil:
				return 0, err
			case verb != "" && verb != "info" && verb != "print":
				return 0, diag.Usagef("unknown word %q: say info or print", verb)
			case verb != "" && *out != "":
				return 0, diag.Usagef("-o does not go with %s", verb)
			case *out != "" && *out != "-" && !model.IsLinear(*out):
				return 0, diag.Usagef("-o %s: the name has to end in .lps", *out)
			}
			m, err := model.LoadRenamed(name, *rules, passes.or(nil))
			if err != nil {
				return 0, err
			}
			return 0, app.createFile(*out, func(w *bytes.Buffer) error {
				if verb == "info" {
					printInfo(w, m.LPS)
					return nil
				}
				w.WriteString(m.LPS.String())
				return nil
			})
		}
	},
}

// printInfo prints what a linear process looks like from far.
func printInfo(w io.Writer, l *spec.LPS) {
	var sums, taus, deltas int
	for _, s := range l.Summands {
		switch {
		case s.Delta:
			deltas++
		case len(s.Multi) == 0:
			taus++
		}
		if len(s.Vars) > 0 {
			sums++
		}
	}
	fmt.Fprintf(w, "summands    %d\n", len(l.Summands))
	fmt.Fprintf(w, "  with sum  %d\n  tau       %d\n  delta     %d\n", sums, taus, deltas)
	fmt.Fprintf(w, "actions     %d\n", len(l.Actions))
	fmt.Fprintf(w, "globals     %d\n", len(l.Globals))
	fmt.Fprintf(w, "parameters  %d\n", len(l.Params))
	for i, p := range l.Params {
		fmt.Fprintf(w, "  %s: %s = %s\n", p.Name, p.Of, spec.Format(l.Init[i]))
	}
}
