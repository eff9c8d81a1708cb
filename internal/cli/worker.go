package cli

import (
	"context"
	"flag"
	"fmt"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/queue"
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
which it is started, or that of -C. The program is loaded under the name that the
coordinator was given, or under the one that is given here. If the identity of
what is compiled is not that of the coordinator's program, the worker does not
take part in that job, says so to both, and waits for others. So all machines need
the same sources, the same Go version and the same heddle; a job of a model needs
the same model. A worker does one part at a time: start one for each core.`,
	setup: func(app *App, fs *flag.FlagSet) func(context.Context, []string) (int, error) {
		w := worker{app: app}
		sourceFlags(fs, &w.src)
		w.connect.declare(fs, "")
		fs.DurationVar(&w.idle, "idle", 0, "end when there was nothing to do for `d`; 0 means never")
		return w.run
	},
}

// A worker does parts of jobs.
type worker struct {
	app     *App
	src     Source
	connect connectFlags
	idle    time.Duration

	jobs map[string]*openJob // by key
	did  int
}

// An openJob is one that the worker takes part in.
type openJob struct {
	do    func(ctx context.Context, t *queue.Task, told func(thousandths int)) ([]byte, error)
	close func()
}

// run takes the arguments of the command.
func (w *worker) run(ctx context.Context, args []string) (int, error) {
	w.connect.settle()
	if w.connect.nats == "" {
		return 0, diag.Usagef("-nats: give the address that the coordinator prints")
	}
	w.src.Patterns = args
	ctx, stop := untilSignal(ctx)
	defer stop()
	log := func(text string) { fmt.Fprintf(w.app.Stderr, "worker: %s\n", text) }
	q, err := w.app.Queue.Connect(ctx, w.connect.nats, w.connect.credentials, queue.Options{Log: log})
	if err != nil {
		if ctx.Err() != nil {
			return diag.ExitOK, nil
		}
		return 0, diag.Usagef("-nats: %v", err)
	}
	defer q.Close()
	if err := q.Work(ctx, queue.Worker{Name: workerName(), Open: w.open, Close: w.close, Idle: w.idle}); err != nil {
		return 0, diag.Usagef("%v", err)
	}
	fmt.Fprintf(w.app.Stderr, "worker: did %d parts\n", w.did)
	return diag.ExitOK, nil
}

// open looks at a job.
func (w *worker) open(ctx context.Context, j queue.Job) (queue.Handler, error) {
	text, err := readJob(j)
	if err != nil {
		return nil, err
	}
	var o *openJob
	switch {
	case text.Kind == jobCertify && text.Model != "":
		o, err = w.openCertModel(ctx, j, text)
	case text.Kind == jobCertify:
		o, err = w.openCert(ctx, j, text)
	case text.Kind == jobSwarm && text.Model != "":
		o, err = w.openSwarmModel(text)
	case text.Kind == jobSwarm:
		o, err = w.openSwarm(ctx, text)
	default:
		err = diag.Usagef("it is of a kind %q that this heddle, version %s, does not know; the coordinator's is %s", text.Kind, version(), text.Heddle)
	}
	if err != nil {
		return nil, err
	}
	if w.jobs == nil {
		w.jobs = map[string]*openJob{}
	}
	w.jobs[j.Key()] = o
	return func(ctx context.Context, t *queue.Task) (result []byte, err error) {
		tell := throttle(t)
		tell(0)
		result, err = o.do(ctx, t, tell)
		if err == nil {
			w.did++
		}
		return result, err
	}, nil
}

// close ends what a job needs.
func (w *worker) close(j queue.Job) {
	if o := w.jobs[j.Key()]; o != nil {
		if o.close != nil {
			o.close()
		}
		delete(w.jobs, j.Key())
	}
}

// throttle returns a function that tells progress, but not too often.
func throttle(t *queue.Task) func(thousandths int) {
	var last time.Time
	return func(thousandths int) {
		if now := time.Now(); now.Sub(last) > progressTerminal {
			last = now
			t.Progress([]byte(strconv.Itoa(thousandths)))
		}
	}
}

// source returns where the worker has the program of a job.
func (w *worker) source(text *jobText) Source {
	src := w.src
	if len(src.Patterns) == 0 {
		src.Patterns = text.Packages
	}
	if len(src.Tags) == 0 {
		src.Tags = text.Tags
	}
	return src
}

// model returns where the worker has the model of a job.
func (w *worker) model(text *jobText) string {
	if len(w.src.Patterns) == 1 {
		return w.src.Patterns[0]
	}
	return text.Model
}

// same refuses a program that is not the coordinator's.
func (t *jobText) same(name, identity string) error {
	if identity != t.Identity {
		return diag.Usagef("%s is another program here, or another heddle has compiled it: %s, and not %s", name, identity, t.Identity)
	}
	return nil
}

// guarded calls do. A panic of ours is told to the coordinator, who meets it, too.
func guarded(do func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("internal error: %v\n%s", r, debug.Stack())
		}
	}()
	return do()
}
