package cli

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/distribute"
	"github.com/heddle-mc/heddle/internal/plain"
	"github.com/heddle-mc/heddle/internal/queue"
	"github.com/heddle-mc/heddle/internal/worker"
)

var cmdWorker = &command{
	name:  "worker",
	args:  "[PACKAGE...|FILES.go|MODEL.mcrl2]",
	short: "do parts of the work of heddle certify -distribute and check -distribute",
	mixed: true,
	queue: true,
	long: `Worker takes parts of distributed certifications and searches, one after the
other, until it is told to stop (Ctrl-C, SIGTERM), or there is nothing to do for
the time of -idle.

It does not get the program from the coordinator: it has it, in the directory in
which it is started, or that of -C, or below: it takes no other. The program is
loaded under the name that the coordinator was given, or it is the one that is
named here. Which arguments and environment the coordinator wants is printed. If the identity of
what is compiled is not that of the coordinator's program, the worker does not
take part in that job, says so to both, and waits for others. So all machines need
the same sources, the same Go version and the same heddle; a job of a model needs
the same model. A worker does one part at a time: start one for each core.`,
	setup: func(app *App, fs *flag.FlagSet) func(context.Context, []string) (int, error) {
		w := workCommand{app: app}
		sourceFlags(fs, &w.src)
		fs.StringVar(&w.join, "join", "", "what the coordinator prints, a `text` with its address, a secret and the fingerprint of its certificate; the variable HEDDLE_JOIN if it is not given")
		w.connect.declare(fs, "")
		fs.DurationVar(&w.idle, "idle", 0, "end when there was nothing to do for `d`; 0 means never")
		return w.run
	},
}

// A workCommand does parts of jobs.
type workCommand struct {
	app     *App
	src     Source
	connect connectFlags
	join    string
	idle    time.Duration
}

// run takes the arguments of the command.
func (w *workCommand) run(ctx context.Context, args []string) (int, error) {
	if err := w.settle(); err != nil {
		return 0, err
	}
	ctx, stop := untilSignal(ctx)
	defer stop()
	if len(args) > 0 {
		w.log(fmt.Sprintf("takes %s, and nothing else", strings.Join(args, " ")))
	} else {
		w.log(fmt.Sprintf("takes programs below %s, and nothing else", w.folder()))
	}
	q, err := w.app.Queue.Connect(ctx, w.connect.nats, w.connect.credentials, queue.Options{Log: w.log})
	if err != nil {
		if ctx.Err() != nil {
			return diag.ExitOK, nil
		}
		return 0, diag.Usagef("no connection: %v", err)
	}
	defer q.Close()
	crew := distribute.Worker{Programs: w.programs(args), Heddle: version(), Idle: w.idle}
	if err := crew.Work(ctx, q); err != nil {
		return 0, diag.Usagef("%v", err)
	}
	fmt.Fprintf(w.app.Stderr, "worker: did %d parts\n", crew.Did)
	return diag.ExitOK, nil
}

// settle finds out where the work is.
func (w *workCommand) settle() error {
	if w.join == "" && w.connect.nats == "" {
		w.join = os.Getenv("HEDDLE_JOIN")
	}
	switch {
	case w.join == "" && w.connect.nats == "":
		return diag.Usagef("-join: give the text that the coordinator prints, or -nats and the address of a server")
	case w.join == "":
		w.connect.settle()
		return nil
	case w.connect.nats != "" || w.connect.credentials != (queue.Credentials{}):
		return diag.Usagef("-join has address and credentials: leave out the others")
	}
	j, err := queue.ParseJoin(w.join)
	if err != nil {
		return diag.Usagef("-join: %v", err)
	}
	w.connect.nats, w.connect.credentials = j.URL(), j.Credentials()
	return nil
}

// log says something on standard error. Some of it comes from a server.
func (w *workCommand) log(text string) { fmt.Fprintf(w.app.Stderr, "worker: %s\n", plain.Text(text)) }

// folder is where the programs are that a coordinator may name.
func (w *workCommand) folder() string {
	folder, err := filepath.Abs(w.src.Dir)
	if err != nil {
		return w.src.Dir
	}
	return folder
}

// programs returns what the worker has.
func (w *workCommand) programs(args []string) *worker.Programs {
	return &worker.Programs{Patterns: args, Tags: w.src.Tags, Folder: w.folder(), Build: w.build, Log: w.log}
}

// build builds a program.
func (w *workCommand) build(ctx context.Context, patterns, tags []string, access bool) (*check.Code, error) {
	src := w.src
	src.Patterns, src.Tags = patterns, tags
	return w.app.Backend.Build(ctx, BuildOptions{Source: src, Access: access})
}
