package distribute

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/plain"
	"github.com/heddle-mc/heddle/internal/queue"
)

// A coordinator has the tasks of one job done by others: parts of a certificate, or
// members of a swarm.
type coordinator struct {
	o     *Options
	total int // so many tasks
	text  Job

	// put keeps what all tasks need, for a new job.
	put func(ctx context.Context) error
	// ready is called when the job is open.
	ready func()
	// name returns the name of a task by its number, from 1, and number the other way round.
	name   func(n int) string
	number func(task string) int
	// limit returns how many bytes the result of a task may have.
	limit func(n int) int64
	// keep keeps what a task needs.
	keep func(ctx context.Context, n int) error
	// take takes what is said about a task, once. It returns errDone if no more is needed.
	take func(n int, a answer) error
	// alone does a task here, nil if that cannot be.
	alone func(n int) error
	// finish is called with what has ended the work, if that is not the user.
	finish func(err error) error

	job    queue.Job
	secret *secret
	view   View
	done   []bool          // by number
	out    map[string]bool // workers that have lied
}

// An answer is what a worker says about a task. An error says why it does not count, which
// is nobody's fault who is known.
type answer struct {
	worker string
	data   []byte
	err    error
}

// errDone says that no more results are needed.
var errDone = errors.New("done")

// errInterrupted says that the user has ended the work. Kept says that the same
// command goes on from there.
type errInterrupted struct{ kept bool }

func (e errInterrupted) Error() string {
	if e.kept {
		return "interrupted: the same command goes on from here"
	}
	return "interrupted"
}

// A QueueError is about the queue, and says nothing about what is worked at.
type QueueError struct{ err error }

func (e QueueError) Error() string { return e.err.Error() }

func (e QueueError) Unwrap() error { return e.err }

// ofQueue marks an error as one about the queue.
func ofQueue(err error) error {
	if err == nil {
		return nil
	}
	return QueueError{diag.Usagef("-distribute: %v", err)}
}

// maxNotes is how many notes of workers are shown: any client can send any number of them.
const maxNotes = 1000

// run opens the job, or finds the one that was begun before, adds its tasks and
// collects results. The job is removed then, unless the user has ended the work: ctx.
func (c *coordinator) run(ctx context.Context) error {
	p, err := c.o.open(ctx)
	if err != nil {
		return ofQueue(err)
	}
	defer p.close()
	if err := c.open(ctx, p); err != nil {
		if ctx.Err() != nil {
			return errInterrupted{p.keeps}
		}
		return err
	}
	defer c.view.Clear()
	notes := 0
	unfollow, err := c.job.Follow(func(p queue.Progress) { c.view.Told(c.number(p.Task)-1, p) }, func(worker, text string) {
		if notes++; notes <= maxNotes {
			c.view.Say(fmt.Sprintf("worker %s: %s", plain.Short(worker, longestName), plain.Short(text, longestText)))
		}
	})
	if err != nil {
		return ofQueue(err)
	}
	defer unfollow()
	err = c.collect(ctx, p)
	if err == nil || ctx.Err() == nil {
		err = c.finish(err)
	}
	if err != nil && ctx.Err() != nil {
		return errInterrupted{p.keeps}
	}
	var q QueueError
	if !errors.As(err, &q) { // what is wrong with the queue may be mended
		c.end()
		c.secret.forget()
	}
	return err
}

// open finds the job, or makes it. What the job is about is known here: a job in the queue
// that says something else was put there by somebody else, and is removed.
func (c *coordinator) open(ctx context.Context, p *post) (err error) {
	if c.secret, err = openSecret(p.secrets, c.text.key()); err != nil {
		return err
	}
	c.text.Seed = c.secret.seed()
	for again := false; ; again = true {
		c.job, err = p.Open(ctx, c.text.key(), func(j queue.Job) ([]byte, error) {
			c.job = j
			return c.text.bytes(), c.put(ctx)
		})
		if err != nil {
			return ofQueue(err)
		}
		if bytes.Equal(c.job.Description(), c.text.bytes()) {
			break
		}
		if again {
			return diag.Incompletef("somebody else changes the job in the queue")
		}
		c.o.Log("the job in the queue is not what it was: it is begun anew")
		if err := c.job.End(ctx); err != nil {
			return ofQueue(err)
		}
	}
	c.view = c.o.View(c.total)
	if c.job.Resumed() {
		c.view.Say("going on with what was begun before")
	}
	c.ready()
	return nil
}

// collect adds the tasks that are not done, and takes results until no more are
// needed. Where nothing comes for a long time the tasks are done here.
func (c *coordinator) collect(ctx context.Context, p *post) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	tickets := map[queue.Answer]int64{} // with how large the results may be
	for n := 1; n <= c.total; n++ {
		tickets[c.ticket(n)] = c.limit(n)
	}
	var running sync.WaitGroup
	defer func() { cancel(nil); running.Wait() }()
	running.Go(func() {
		if err := c.add(ctx); err != nil {
			cancel(err)
		}
	})
	running.Go(func() { c.watch(ctx, p, cancel) })
	results := make(chan queue.Result)
	running.Go(func() {
		err := c.job.Results(ctx, func(a queue.Answer) int64 { return tickets[a] }, func(r queue.Result) error {
			select {
			case results <- r:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
		if errors.Is(err, queue.ErrEnded) {
			cancel(errRemoved)
		}
		cancel(ofQueue(err))
	})
	c.done, c.out = make([]bool, c.total+1), map[string]bool{}
	quiet := time.NewTimer(c.o.Alone)
	if c.o.Alone <= 0 || c.alone == nil {
		quiet.Stop()
	}
	defer quiet.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case r := <-results:
			n := c.number(r.Task)
			if tickets[r.Answer] == 0 || n < 1 || n > c.total || c.done[n] {
				continue // who was not given it, or comes late
			}
			c.done[n] = true
			a := answer{}
			if int64(len(r.Data)) > tickets[r.Answer] {
				r.Failed = "its result is larger than it may be"
			}
			if r.Failed != "" {
				a.err = fmt.Errorf("it was given up: %s", plain.Short(r.Failed, longestText))
			} else {
				a.worker, a.data, a.err = unsealed(r, sha256.Sum256(c.text.bytes()))
			}
			if err = c.take(n, a); err == nil || err == errDone {
				c.view.Ended(n - 1)
			}
			if c.o.Alone > 0 && c.alone != nil {
				quiet.Reset(c.o.Alone)
			}
		case <-quiet.C:
			n := 1 + slices.Index(c.done[1:], false)
			if n == 0 {
				continue
			}
			c.view.Say(fmt.Sprintf("nothing has come for long: part %d is examined here", n))
			c.done[n] = true
			if err = c.alone(n); err == nil || err == errDone {
				c.view.Ended(n - 1)
			}
			quiet.Reset(0)
		}
		if err == errDone {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// ticket returns with what a task is given.
func (c *coordinator) ticket(n int) queue.Answer {
	name := c.name(n)
	return queue.Answer{Task: name, Ticket: c.secret.ticket(name)}
}

// add adds the tasks that have no result. Those that wait are not added twice.
func (c *coordinator) add(ctx context.Context) error {
	answered, err := c.job.Answered(ctx)
	if err != nil {
		return ofQueue(err)
	}
	for n := 1; n <= c.total; n++ {
		t := c.ticket(n)
		if answered[t] {
			continue
		}
		if err := c.keep(ctx, n); err != nil {
			return err
		}
		if err := c.job.Add(ctx, t.Task, t.Ticket, nil); err != nil {
			return ofQueue(err)
		}
	}
	return nil
}

// expel says that a worker has lied about a task. Nothing that it says counts.
func (c *coordinator) expel(worker string, n int, format string, args ...any) {
	if !c.out[worker] {
		c.view.Say(fmt.Sprintf("worker %s gave a wrong result of part %d: %s: it is out, and nothing that it says counts", worker, n, fmt.Sprintf(format, args...)))
	}
	c.out[worker] = true
}

// errRemoved says that the job is not there any more.
var errRemoved = diag.Incompletef("the job was removed by somebody else")

// watch ends the work if the job is removed by somebody else, or the connection is
// given up.
func (c *coordinator) watch(ctx context.Context, p *post, cancel func(error)) {
	tick := time.NewTicker(5 * time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.Gone():
			cancel(diag.Incompletef("the connection to the queue is closed"))
			return
		case <-tick.C:
		}
		if there, err := c.job.Present(ctx); err == nil && !there {
			cancel(errRemoved)
			return
		}
	}
}

// end removes the job, also if the context has ended.
func (c *coordinator) end() {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := c.job.End(ctx); err != nil {
		c.o.Log(fmt.Sprintf("the job cannot be removed: %v", err))
	}
}
