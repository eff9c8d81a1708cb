package cli

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/doctor"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/plain"
	"github.com/heddle-mc/heddle/internal/progcache"
)

var cmdDoctor = &command{
	name:  "doctor",
	short: "look whether this machine has what heddle needs",
	long: `Doctor looks at the Go toolchain, the cache, whether a small program can be checked,
whether live peers can be looked at, and memory. Each line begins with ok, or with
warn and then says what to do. The exit code is 0 if all lines are ok, and 3 if
there is a warning; heddle may be of use nevertheless.`,
	setup: func(app *App, fs *flag.FlagSet) func(context.Context, []string) (int, error) {
		return func(ctx context.Context, args []string) (int, error) {
			if len(args) > 0 {
				return 0, diag.Usagef("unexpected argument %q", args[0])
			}
			p := &doctor.Patient{Trial: app.trial}
			p.Cache, _ = progcache.DefaultDir() // without one it is empty, which is told
			if self, err := os.Executable(); err == nil {
				p.Queue, _ = exec.LookPath(filepath.Join(filepath.Dir(self), "heddle-nats"))
			}
			if p.Queue == "" {
				p.Queue, _ = exec.LookPath("heddle-nats")
			}
			fmt.Fprintf(app.Stdout, "ok    heddle  %s\n", versionLine())
			code := diag.ExitOK
			for _, l := range p.Examine(ctx) {
				if !l.OK {
					code = diag.ExitIncomplete
				}
				if _, err := fmt.Fprintln(app.Stdout, plain.Line(l.String())); err != nil {
					return 0, diag.Usagef("%v", err)
				}
			}
			return code, nil
		}
	},
}

// trial checks the program in a folder, which has to be right.
func (app *App) trial(ctx context.Context, dir string) error {
	code, err := app.Backend.Build(ctx, BuildOptions{Source: Source{Dir: dir, Patterns: []string{"."}}})
	if err != nil {
		return err
	}
	spec := check.New()
	spec.Program.Env, _ = check.Environment(nil, "") // nothing of which can be wrong
	settings, err := spec.System()
	if err != nil {
		return err
	}
	process := spec.Process("doctor")
	process.Dir = dir
	pool := &check.Pool{Make: func() (lts.System, error) { return code.NewSystem(process, settings) }}
	defer pool.Close()
	res, err := explore.Run(pool.New, explore.Options{Reduce: true})
	if err == nil && res.Verdict != explore.Verified {
		err = fmt.Errorf("%s", res)
	}
	return err
}
