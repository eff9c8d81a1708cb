package distribute

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/queue"
)

// Programs are the programs and models that a worker has.
type Programs interface {
	// Certified returns a system of what a job's certificate is about, and what closes
	// it, which may be nil. It fails if that is another program here.
	Certified(ctx context.Context, t *Job, r *cert.Reader) (sys lts.System, done func(), err error)

	// Searched returns who searches what a job is about. It fails if that is another
	// program here.
	Searched(ctx context.Context, t *Job) (Searcher, error)

	// Found returns what a system has found out about the assumptions of its
	// reduction, as text, "" if there are none.
	Found(sys lts.System) string
}

// A Searcher does searches of one swarm.
type Searcher interface {
	// Options returns how its members search.
	Options() (explore.Options, error)
	// Search does the search of a member, by its number from 0. It ends early if over
	// says so.
	Search(o explore.Options, member int, over func() bool) (*explore.Result, error)
	// Certificate searches once more, in the order of certificates, and returns the bytes of one, or nil
	// if something is wrong, or was left out.
	Certificate(o explore.Options, over func() bool) ([]byte, error)
}

// A Worker does parts of jobs.
type Worker struct {
	Programs Programs
	Heddle   string        // its version
	Idle     time.Duration // it ends when there was nothing to do for so long; 0 means never
	Did      int           // so many parts

	jobs map[string]*openJob // by key
	key  ed25519.PrivateKey  // signs results
}

// An openJob is one that the worker takes part in.
type openJob struct {
	do    func(ctx context.Context, t *queue.Task, told func(thousandths int)) ([]byte, error)
	close func()
}

// Work does parts of all jobs of a queue until ctx ends, or there is nothing to do.
func (w *Worker) Work(ctx context.Context, q queue.Queue) error {
	return q.Work(ctx, queue.Worker{Name: workerName(), Open: w.Open, Close: w.Close, Idle: w.Idle})
}

// workerName is what a worker calls itself: the machine and the process.
func workerName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%s/%d", host, os.Getpid())
}

// Open looks at a job and returns who does its parts.
func (w *Worker) Open(ctx context.Context, j queue.Job) (queue.Handler, error) {
	text, err := readJob(j)
	if err != nil {
		return nil, err
	}
	var o *openJob
	switch text.Kind {
	case kindCertify:
		o, err = w.openCert(ctx, j, text)
	case kindSwarm:
		o, err = w.openSwarm(ctx, text)
	default:
		err = diag.Usagef("it is of a kind %q that this heddle, version %s, does not know; the coordinator's is %s", text.Kind, w.Heddle, text.Heddle)
	}
	if err != nil {
		return nil, err
	}
	if w.jobs == nil {
		w.jobs = map[string]*openJob{}
		_, w.key, _ = ed25519.GenerateKey(nil) // it does not fail
	}
	w.jobs[j.Key()] = o
	return func(ctx context.Context, t *queue.Task) (result []byte, err error) {
		tell := throttle(t)
		tell(0)
		if result, err = o.do(ctx, t, tell); err != nil {
			return nil, err
		}
		w.Did++
		return sealed(w.key, t, result), nil
	}, nil
}

// Close ends what a job needs.
func (w *Worker) Close(j queue.Job) {
	if o := w.jobs[j.Key()]; o != nil {
		if o.close != nil {
			o.close()
		}
		delete(w.jobs, j.Key())
	}
}

// tellEvery is how often progress is told.
const tellEvery = 200 * time.Millisecond

// throttle returns a function that tells progress, but not too often.
func throttle(t *queue.Task) func(thousandths int) {
	var last time.Time
	return func(thousandths int) {
		if now := time.Now(); now.Sub(last) > tellEvery {
			last = now
			t.Progress([]byte(strconv.Itoa(thousandths)))
		}
	}
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
