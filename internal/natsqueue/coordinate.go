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

	"github.com/heddle-mc/heddle/internal/queue"
)

// Headers of messages.
const (
	headerWorker  = "Heddle-Worker"
	headerBlob    = "Heddle-Blob"    // where the data are, if not in the message
	headerFailed  = "Heddle-Failed"  // see Result
	headerAttempt = "Heddle-Attempt" // of progress
	headerTicket  = "Heddle-Ticket"  // of a task
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
func (j *Job) Add(ctx context.Context, name, ticket string, data []byte) error {
	if !word(name) || !word(ticket) || len(data) > inline {
		return fmt.Errorf("task %q with %d bytes: the name is wrong, or it is too large", name, len(data))
	}
	m := nats.NewMsg(j.task(name))
	m.Data = data
	m.Header.Set(headerTicket, ticket)
	return j.q.again(ctx, requestTime, func(ctx context.Context) error {
		_, err := j.q.js.PublishMsg(ctx, m)
		if isTwice(err) {
			return nil
		}
		return err
	})
}

// Results calls take for each result that is wanted, once, from the first one that was
// ever given on, until ctx ends, take fails or the job has ended. A connection that is
// lost for some time is no reason to end. Wanted says how large a result may be, 0 for one
// that is not wanted; a larger one has failed. Without it all are wanted.
func (j *Job) Results(ctx context.Context, wanted func(queue.Answer) int64, take func(Result) error) error {
	seen := map[queue.Answer]bool{}
	want := func(a queue.Answer) int64 {
		switch {
		case seen[a]:
			return 0
		case wanted == nil:
			return 1 << 30
		}
		return wanted(a)
	}
	var taken error
	return retry(ctx, 0, func(ctx context.Context) (final bool, err error) {
		err = j.follow(ctx, want, func(r Result) error {
			seen[r.Answer] = true
			taken = take(r)
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

// follow calls take for each result that is wanted until something fails.
func (j *Job) follow(ctx context.Context, want func(queue.Answer) int64, take func(Result) error) error {
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
		a := j.answer(msg.Subject())
		limit := want(a)
		if limit == 0 {
			continue
		}
		r, err := j.read(ctx, a, msg, limit)
		if err != nil {
			return err
		}
		if err := take(r); err != nil {
			return err
		}
	}
}

// answer returns what the result of a subject is about.
func (j *Job) answer(subject string) (a queue.Answer) {
	a.Task, a.Ticket, _ = strings.Cut(strings.TrimPrefix(subject, j.resultPrefix()), ".")
	return a
}

// read reads the message of a result of at most limit bytes.
func (j *Job) read(ctx context.Context, a queue.Answer, msg jetstream.Msg, limit int64) (r Result, err error) {
	r = Result{
		Answer: a,
		Worker: msg.Headers().Get(headerWorker), Failed: msg.Headers().Get(headerFailed), Data: msg.Data(),
	}
	if blob := msg.Headers().Get(headerBlob); blob != "" {
		r.Data, err = j.Bytes(ctx, blob, limit)
		if errors.Is(err, jetstream.ErrObjectNotFound) {
			return r, nil // the worker has not put what it says: a result of nothing
		}
		if errors.Is(err, queue.ErrTooLarge) {
			r.Failed, r.Data, err = tooLarge(limit), nil, nil
		}
		if err != nil {
			return r, fmt.Errorf("result of task %s: %w", r.Task, err)
		}
	}
	if int64(len(r.Data)) > limit {
		r.Failed, r.Data = tooLarge(limit), nil
	}
	return r, nil
}

func tooLarge(limit int64) string { return fmt.Sprintf("its result has more than %d bytes", limit) }

// maxNote is how large a note of a worker, or its progress, may be.
const maxNote = 4 << 10

// Follow calls told for what workers say about their progress, and noted for what
// else they have to say about the job. What is said while the connection is lost is
// lost, too.
func (j *Job) Follow(told func(Progress), noted func(worker, text string)) (stop func(), err error) {
	a, err := j.q.nc.Subscribe(j.progress("*"), func(m *nats.Msg) {
		if len(m.Data) > maxNote {
			return
		}
		attempt, _ := strconv.Atoi(m.Header.Get(headerAttempt)) // it is for people
		told(Progress{Task: strings.TrimPrefix(m.Subject, j.progress("")), Worker: m.Header.Get(headerWorker), Attempt: attempt, Data: m.Data})
	})
	if err != nil {
		return nil, err
	}
	b, err := j.q.nc.Subscribe(j.notes(), func(m *nats.Msg) {
		noted(m.Header.Get(headerWorker), string(m.Data[:min(len(m.Data), maxNote)]))
	})
	if err != nil {
		a.Unsubscribe()
		return nil, err
	}
	return func() { a.Unsubscribe(); b.Unsubscribe() }, nil
}

// Gone is closed when the connection is given up.
func (q *Queue) Gone() <-chan struct{} { return q.gone }

// Answered returns what there are results of.
func (j *Job) Answered(ctx context.Context) (map[queue.Answer]bool, error) {
	var info *jetstream.StreamInfo
	err := j.q.again(ctx, requestTime, func(ctx context.Context) error {
		s, err := j.q.js.Stream(ctx, j.results())
		if err == nil {
			info, err = s.Info(ctx, jetstream.WithSubjectFilter(j.result("*", "*")))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	answered := map[queue.Answer]bool{}
	for subject := range info.State.Subjects {
		answered[j.answer(subject)] = true
	}
	return answered, nil
}
