package natsqueue

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"github.com/heddle-mc/heddle/internal/queue"
)

// A running task is one that is being done.
type running struct {
	Task
	job   *Job
	alive atomic.Int64 // when it was last heard of, in nanoseconds
}

// start returns a task that can tell its progress.
func (s *shift) start(j *Job, msg jetstream.Msg) *running {
	t := &running{job: j, Task: Task{Job: j, Name: msg.Subject()[len(j.task("")):], Ticket: msg.Headers().Get(headerTicket), Data: msg.Data(), Attempt: 1}}
	if m, err := msg.Metadata(); err == nil {
		t.Attempt = int(m.NumDelivered)
	}
	t.alive.Store(time.Now().UnixNano())
	t.Progress = func(data []byte) {
		t.alive.Store(time.Now().UnixNano())
		m := nats.NewMsg(j.progress(t.Name))
		m.Data = data
		m.Header.Set(headerWorker, s.w.Name)
		m.Header.Set(headerAttempt, strconv.Itoa(t.Attempt))
		s.q.nc.PublishMsg(m) // it is for people, and may be lost
	}
	return t
}

// Work takes tasks of all jobs, older jobs first, until ctx ends, or there is nothing
// to do for w.Idle. The error is nil then.
func (q *Queue) Work(ctx context.Context, w Worker) error {
	s := &shift{q: q, w: w, known: map[string]*opened{}}
	wake := make(chan *nats.Msg, 16)
	sub, err := q.nc.ChanSubscribe(wakeSubject, wake)
	if err != nil {
		return err
	}
	defer sub.Unsubscribe()
	defer s.closeAll()
	last := time.Now()
	for ctx.Err() == nil {
		var worked bool
		var err error
		if q.nc.IsConnected() {
			worked, err = s.round(ctx)
		}
		if worked {
			last = time.Now()
			continue
		}
		if err != nil && ctx.Err() == nil && q.nc.IsConnected() {
			q.o.Log(fmt.Sprintf("no tasks can be had: %v", err))
		}
		if w.Idle > 0 && time.Since(last) > w.Idle {
			return nil
		}
		select {
		case <-ctx.Done():
		case <-q.gone:
			return fmt.Errorf("the connection is closed: %w", q.nc.LastError())
		case <-wake:
		case <-time.After(200 * time.Millisecond):
		}
	}
	return nil
}

// A shift is one call of Work.
type shift struct {
	q     *Queue
	w     Worker
	known map[string]*opened // by id
}

// An opened job is one that the worker has looked at.
type opened struct {
	job      *Job
	handler  Handler // nil if the worker does not take part
	consumer jetstream.Consumer
	stall    time.Duration
	attempts int
}

// round does one task, if there is one.
func (s *shift) round(ctx context.Context) (worked bool, err error) {
	jobs, err := s.list(ctx)
	if err != nil {
		return false, err
	}
	var mine []*opened
	for _, j := range jobs {
		if o := s.open(ctx, j); o != nil && o.handler != nil {
			mine = append(mine, o)
		}
	}
	for _, o := range mine {
		wait := time.Second
		if len(mine) > 1 {
			wait = 100 * time.Millisecond
		}
		msg, ferr := s.fetch(ctx, o, wait)
		if ferr != nil {
			o.consumer = nil
			if there, perr := o.job.Present(ctx); perr != nil || there {
				err = ferr
			}
		}
		if msg != nil {
			s.do(ctx, o, msg)
			return true, nil
		}
	}
	return false, err
}

// list returns the jobs that are there, oldest first, and forgets others.
func (s *shift) list(ctx context.Context) ([]*Job, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	jobs, err := s.q.Jobs(ctx)
	if err != nil {
		return nil, err
	}
	for id, o := range s.known {
		if !slices.ContainsFunc(jobs, func(j *Job) bool { return j.id == id }) {
			s.close(o)
			delete(s.known, id)
		}
	}
	return jobs, nil
}

// open looks at a job, the first time that it is seen.
func (s *shift) open(ctx context.Context, j *Job) *opened {
	o := s.known[j.id]
	if o == nil {
		o = &opened{job: j, attempts: s.q.o.Attempts}
		var err error
		if o.handler, err = s.w.Open(ctx, j); err != nil {
			if ctx.Err() != nil || errors.Is(err, ErrEnded) {
				return nil
			}
			o.handler = nil
			s.q.o.Log(fmt.Sprintf("not taking part in job %s: %v", j.key, err))
			j.note(s.w.Name, fmt.Sprintf("does not take part: %v", err))
		}
		s.known[j.id] = o
	}
	return o
}

// note tells the coordinator something.
func (j *Job) note(worker, text string) {
	m := nats.NewMsg(j.notes())
	m.Data = []byte(text)
	m.Header.Set(headerWorker, worker)
	j.q.nc.PublishMsg(m)
}

func (s *shift) close(o *opened) {
	if o.handler != nil && s.w.Close != nil {
		s.w.Close(o.job)
	}
}

func (s *shift) closeAll() {
	for _, o := range s.known {
		s.close(o)
	}
}

// fetch asks for one task of a job.
func (s *shift) fetch(ctx context.Context, o *opened, wait time.Duration) (jetstream.Msg, error) {
	if o.consumer == nil {
		own, cancel := context.WithTimeout(ctx, requestTime)
		defer cancel()
		c, err := s.q.js.Consumer(own, o.job.tasks(), crew)
		if err != nil {
			return nil, err
		}
		o.consumer, o.stall = c, c.CachedInfo().Config.AckWait
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	batch, err := o.consumer.Fetch(1, jetstream.FetchContext(ctx))
	if err != nil {
		return nil, err
	}
	for msg := range batch.Messages() {
		return msg, nil
	}
	if err := batch.Error(); err != nil && ctx.Err() == nil {
		return nil, err
	}
	return nil, nil
}

// do does a task and gives its result back.
func (s *shift) do(ctx context.Context, o *opened, msg jetstream.Msg) {
	t := s.start(o.job, msg)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	sub, err := s.q.nc.Subscribe(o.job.ended(), func(*nats.Msg) { cancel() })
	if err == nil {
		defer sub.Unsubscribe()
	}
	var beating = make(chan struct{})
	go func() {
		defer close(beating)
		s.beat(ctx, cancel, o, t, msg)
	}()
	defer func() { cancel(); <-beating }()
	if s.answered(ctx, t) {
		s.settle(ctx, msg)
		return
	}
	r := Result{Answer: queue.Answer{Task: t.Name, Ticket: t.Ticket}, Worker: s.w.Name}
	if t.Attempt > o.attempts {
		r.Failed = fmt.Sprintf("it was begun %d times and never ended", t.Attempt-1)
	} else if r.Data, err = o.handler(ctx, &t.Task); err != nil {
		if ctx.Err() == nil {
			s.q.o.Log(fmt.Sprintf("task %s: %v", t.Name, err))
			o.job.note(s.w.Name, fmt.Sprintf("cannot do task %s: %v", t.Name, err))
			msg.NakWithDelay(min(time.Duration(t.Attempt)*100*time.Millisecond, 5*time.Second))
			return
		}
		msg.Nak() // somebody else can have it at once
		s.q.nc.Flush()
		return
	}
	switch err := s.give(ctx, o.job, r); {
	case errors.Is(err, ErrEnded) || err != nil && ctx.Err() != nil:
		return // nobody wants it any more
	case err != nil:
		s.q.o.Log(fmt.Sprintf("task %s: the result is not taken: %v", t.Name, err))
		return
	}
	s.settle(ctx, msg)
}

// settle says that a task is done, once. Nothing depends on that it is heard: a server
// that was restarted may not know of the delivery and then never answers, and whoever
// gets the task again finds its result.
func (s *shift) settle(ctx context.Context, msg jetstream.Msg) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	msg.DoubleAck(ctx)
}

// answered reports whether somebody has given a result already.
func (s *shift) answered(ctx context.Context, t *running) bool {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	st, err := s.q.js.Stream(ctx, t.job.results())
	if err != nil {
		return false
	}
	_, err = st.GetLastMsgForSubject(ctx, t.job.result(t.Name, t.Ticket))
	return err == nil
}

// give stores a result. If there is one already that one stays.
func (s *shift) give(ctx context.Context, j *Job, r Result) error {
	m := nats.NewMsg(j.result(r.Task, r.Ticket))
	m.Header.Set(headerWorker, r.Worker)
	if r.Failed != "" {
		m.Header.Set(headerFailed, r.Failed)
	}
	if m.Data = r.Data; len(r.Data) > inline {
		// The name is this attempt's own: what a result refers to is never replaced.
		blob := "result-" + r.Task + "-" + nuid.Next()
		if err := j.attempt(ctx, transferTime, func(ctx context.Context) error { return j.put(ctx, blob, bytes.NewReader(r.Data)) }); err != nil {
			return err
		}
		m.Data = nil
		m.Header.Set(headerBlob, blob)
	}
	return j.attempt(ctx, requestTime, func(ctx context.Context) error {
		_, err := s.q.js.PublishMsg(ctx, m)
		if isTwice(err) {
			return nil
		}
		return err
	})
}

// stalled is how many times the time between heartbeats that are missed a task may
// be silent.
const stalled = 4

// beat sends heartbeats as long as the task makes progress, and ends it when its job
// has ended.
func (s *shift) beat(ctx context.Context, cancel func(), o *opened, t *running, msg jetstream.Msg) {
	tick := time.NewTicker(max(o.stall/4, time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if silent := time.Now().UnixNano() - t.alive.Load(); silent < int64(stalled*o.stall) {
			msg.InProgress()
		}
		if there, err := o.job.Present(ctx); err == nil && !there {
			cancel()
			return
		}
	}
}
