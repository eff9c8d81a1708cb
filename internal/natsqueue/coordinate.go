package natsqueue

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Headers of messages.
const (
	headerWorker  = "Heddle-Worker"
	headerBlob    = "Heddle-Blob"    // where the data are, if not in the message
	headerFailed  = "Heddle-Failed"  // see Result
	headerAttempt = "Heddle-Attempt" // of progress
)

// inline is how large data in a message may be.
const inline = 256 << 10

// errTwice is what the server says to a second message of a subject.
const errTwice jetstream.ErrorCode = 10077

func isTwice(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && (api.ErrorCode == errTwice || strings.Contains(api.Description, "per subject"))
}

// Add adds a task. One that waits already, or is being done, is not added again.
func (j *Job) Add(ctx context.Context, name string, data []byte) error {
	if !word(name) || len(data) > inline {
		return fmt.Errorf("task %q with %d bytes: the name is wrong, or it is too large", name, len(data))
	}
	return j.q.again(ctx, requestTime, func(ctx context.Context) error {
		_, err := j.q.js.Publish(ctx, j.task(name), data)
		if isTwice(err) {
			return nil
		}
		return err
	})
}

// Results calls take for the result of each task, once, from the first one that was
// ever given on, until ctx ends, take fails or the job has ended. A connection that is
// lost for some time is no reason to end.
func (j *Job) Results(ctx context.Context, take func(Result) error) error {
	seen := map[string]bool{}
	var taken error
	return retry(ctx, 0, func(ctx context.Context) (final bool, err error) {
		err = j.follow(ctx, func(r Result) error {
			if !seen[r.Task] {
				seen[r.Task] = true
				taken = take(r)
			}
			return taken
		})
		if taken != nil || ctx.Err() != nil {
			return true, err
		}
		if there, perr := j.Present(ctx); perr == nil && !there {
			return true, ErrEnded
		}
		return false, err
	})
}

// follow calls take for each result until something fails.
func (j *Job) follow(ctx context.Context, take func(Result) error) error {
	own, cancel := context.WithTimeout(ctx, requestTime)
	c, err := j.q.js.OrderedConsumer(own, j.results(), jetstream.OrderedConsumerConfig{DeliverPolicy: jetstream.DeliverAllPolicy})
	cancel()
	if err != nil {
		return err
	}
	// The heartbeats are those of the server that sends: if it is lost another one is asked
	// after two of them.
	it, err := c.Messages(jetstream.PullExpiry(10*time.Second), jetstream.PullHeartbeat(time.Second))
	if err != nil {
		return err
	}
	defer it.Stop()
	stop := context.AfterFunc(ctx, it.Stop)
	defer stop()
	for {
		msg, err := it.Next()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return err
		}
		r, err := j.read(ctx, msg)
		if err != nil {
			return err
		}
		if err := take(r); err != nil {
			return err
		}
	}
}

// read reads the message of a result.
func (j *Job) read(ctx context.Context, msg jetstream.Msg) (r Result, err error) {
	r = Result{
		Task:   strings.TrimPrefix(msg.Subject(), j.result("")),
		Worker: msg.Headers().Get(headerWorker), Failed: msg.Headers().Get(headerFailed), Data: msg.Data(),
	}
	if blob := msg.Headers().Get(headerBlob); blob != "" {
		r.Data, err = j.Bytes(ctx, blob)
		if errors.Is(err, jetstream.ErrObjectNotFound) {
			return r, nil // the worker has not put what it says: a result of nothing
		}
		if err != nil {
			return r, fmt.Errorf("result of task %s: %w", r.Task, err)
		}
	}
	return r, nil
}

// Follow calls told for what workers say about their progress, and noted for what
// else they have to say about the job. What is said while the connection is lost is
// lost, too.
func (j *Job) Follow(told func(Progress), noted func(worker, text string)) (stop func(), err error) {
	a, err := j.q.nc.Subscribe(j.progress("*"), func(m *nats.Msg) {
		attempt, _ := strconv.Atoi(m.Header.Get(headerAttempt)) // it is for people
		told(Progress{Task: strings.TrimPrefix(m.Subject, j.progress("")), Worker: m.Header.Get(headerWorker), Attempt: attempt, Data: m.Data})
	})
	if err != nil {
		return nil, err
	}
	b, err := j.q.nc.Subscribe(j.notes(), func(m *nats.Msg) { noted(m.Header.Get(headerWorker), string(m.Data)) })
	if err != nil {
		a.Unsubscribe()
		return nil, err
	}
	return func() { a.Unsubscribe(); b.Unsubscribe() }, nil
}

// Gone is closed when the connection is given up.
func (q *Queue) Gone() <-chan struct{} { return q.gone }

// Answered returns the tasks that have results.
func (j *Job) Answered(ctx context.Context) (map[string]bool, error) {
	var info *jetstream.StreamInfo
	err := j.q.again(ctx, requestTime, func(ctx context.Context) error {
		s, err := j.q.js.Stream(ctx, j.results())
		if err == nil {
			info, err = s.Info(ctx, jetstream.WithSubjectFilter(j.result("*")))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for subject := range info.State.Subjects {
		names[strings.TrimPrefix(subject, j.result(""))] = true
	}
	return names, nil
}
