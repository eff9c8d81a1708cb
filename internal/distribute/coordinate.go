package distribute

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/heddle-mc/heddle/internal/diag"
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
	// add adds the tasks that are not in answered.
	add func(ctx context.Context, answered map[string]bool) error
	// number returns the number of a task by its name, from 1.
	number func(task string) int
	// take takes a result. It returns errDone if that was the last one needed.
	take func(ctx context.Context, r queue.Result) error
	// finish is called with what has ended the work, if that is not the user.
	finish func(ctx context.Context, err error) error

	job    queue.Job
	secret *secret
	view   View
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
	unfollow, err := c.job.Follow(func(p queue.Progress) { c.view.Told(c.number(p.Task)-1, p) },
		func(worker, text string) { c.view.Say(fmt.Sprintf("worker %s: %s", worker, text)) })
	if err != nil {
		return ofQueue(err)
	}
	defer unfollow()
	err = c.collect(ctx, p)
	if err == nil || ctx.Err() == nil {
		err = c.finish(ctx, err)
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
// needed.
func (c *coordinator) collect(ctx context.Context, p *post) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	adding := make(chan struct{})
	go func() {
		defer close(adding)
		answered, err := c.job.Answered(ctx)
		if err != nil {
			cancel(ofQueue(err))
		} else if err := c.add(ctx, answered); err != nil {
			cancel(err)
		}
	}()
	defer func() { cancel(nil); <-adding }()
	go c.watch(ctx, p, cancel)
	var taken error // what is wrong with a result
	err := c.job.Results(ctx, func(r queue.Result) error {
		n := c.number(r.Task)
		if n < 1 || n > c.total {
			taken = errLie(r.Worker, n, "there are %d", c.total)
		} else if taken = c.take(ctx, r); taken == nil {
			c.view.Ended(n - 1)
		}
		return taken
	})
	switch cause := context.Cause(ctx); {
	case taken == errDone:
		return nil
	case cause != nil:
		return cause
	case taken != nil:
		return taken
	}
	return ofQueue(err)
}

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
			cancel(diag.Incompletef("the job was removed by somebody else"))
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

// errLie is a worker's result that is wrong.
func errLie(worker string, task int, format string, args ...any) error {
	return diag.Incompletef("worker %s gave a wrong result of part %d: %s: no results are believed", worker, task, fmt.Sprintf(format, args...))
}
