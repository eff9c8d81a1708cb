package natsqueue

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"github.com/heddle-mc/heddle/internal/queue"
)

// A Job is a set of tasks with a description and blobs, which all of them share.
type Job struct {
	key         string
	description []byte
	resumed     bool

	q   *Queue
	id  string // of this one: a job with the same key that is made later has another
	age uint64 // lower for older ones
}

// An announcement is what is kept under the key of a job.
type announcement struct {
	ID          string `json:"id"`
	Description []byte `json:"description"`
}

// How large an announcement may be, and how many jobs there may be.
const (
	maxAnnouncement = 4 << 20
	maxJobs         = 1000
)

// Key is what the coordinator calls the job.
func (j *Job) Key() string { return j.key }

// Description is what workers have to know of it. It never changes.
func (j *Job) Description() []byte { return j.description }

// Resumed says that the job was there already when it was opened.
func (j *Job) Resumed() bool { return j.resumed }

func (j *Job) tasks() string            { return "heddle-tasks-" + j.id }
func (j *Job) results() string          { return "heddle-results-" + j.id }
func (j *Job) objects() string          { return "heddle-" + j.id }
func (j *Job) task(name string) string  { return "heddle.task." + j.id + "." + name }
func (j *Job) resultPrefix() string     { return "heddle.result." + j.id + "." }
func (j *Job) progress(n string) string { return "heddle.progress." + j.id + "." + n }
func (j *Job) notes() string            { return "heddle.note." + j.id }
func (j *Job) ended() string            { return "heddle.ended." + j.id }

func (j *Job) result(task, ticket string) string { return j.resultPrefix() + task + "." + ticket }

// Subjects without a job, and the name of its one consumer.
const (
	wakeSubject = "heddle.wake"
	crew        = "workers"
)

// Open returns the job with a key. If it is not there it is made: describe puts the
// blobs that all tasks need and returns the description, and then workers are told.
func (q *Queue) Open(ctx context.Context, key string, describe func(queue.Job) ([]byte, error)) (queue.Job, error) {
	if !word(key) {
		return nil, fmt.Errorf("%q is no name of a job", key)
	}
	kv, err := q.makeBucket(ctx)
	if err != nil {
		return nil, err
	}
	var j *Job
	err = q.again(ctx, requestTime, func(ctx context.Context) (err error) { j, err = q.find(ctx, key); return err })
	if err == nil {
		j.resumed = true
		return j, j.make(ctx)
	}
	if !errors.Is(err, ErrEnded) {
		return nil, err
	}
	j = &Job{key: key, q: q, id: nuid.Next()}
	if err := j.make(ctx); err != nil {
		return nil, err
	}
	if j.description, err = describe(j); err != nil {
		j.remove(ctx)
		return nil, err
	}
	text, err := json.Marshal(announcement{j.id, j.description})
	if err == nil {
		err = q.again(ctx, requestTime, func(ctx context.Context) error { return q.announce(ctx, kv, j, text) })
	}
	if err != nil {
		j.remove(ctx)
		return nil, err
	}
	return j, q.nc.Publish(wakeSubject, nil)
}

// announce makes a job known. That it was announced before may be the first attempt, of
// which the answer was lost.
func (q *Queue) announce(ctx context.Context, kv jetstream.KeyValue, j *Job, text []byte) error {
	_, err := kv.Create(ctx, j.key, text)
	if errors.Is(err, jetstream.ErrKeyExists) {
		if now, ferr := q.find(ctx, j.key); ferr == nil && now.id == j.id {
			return nil
		}
	}
	return err
}

// find returns the job with a key, or ErrEnded.
func (q *Queue) find(ctx context.Context, key string) (*Job, error) {
	kv, err := q.bucket(ctx)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		return nil, ErrEnded
	}
	if err != nil {
		return nil, err
	}
	e, err := kv.Get(ctx, key)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, ErrEnded
	}
	if err != nil {
		return nil, err
	}
	if len(e.Value()) > maxAnnouncement {
		return nil, fmt.Errorf("job %s: its announcement has %d bytes, and may have %d", key, len(e.Value()), maxAnnouncement)
	}
	var a announcement
	if err := json.Unmarshal(e.Value(), &a); err != nil || !word(a.ID) {
		return nil, fmt.Errorf("job %s: its announcement is damaged", key)
	}
	return &Job{key: key, description: a.Description, q: q, id: a.ID, age: e.Revision()}, nil
}

// Jobs returns the jobs that are there, oldest first.
func (q *Queue) Jobs(ctx context.Context) ([]*Job, error) {
	var keys []string
	kv, err := q.bucket(ctx)
	if err == nil {
		keys, err = kv.Keys(ctx)
	}
	if err != nil && !errors.Is(err, jetstream.ErrNoKeysFound) && !errors.Is(err, jetstream.ErrBucketNotFound) {
		return nil, err
	}
	if len(keys) > maxJobs {
		return nil, fmt.Errorf("there are %d jobs, and may be %d", len(keys), maxJobs)
	}
	var jobs []*Job
	for _, key := range keys {
		switch j, err := q.find(ctx, key); {
		case err == nil:
			jobs = append(jobs, j)
		case !errors.Is(err, ErrEnded):
			return nil, err
		}
	}
	slices.SortFunc(jobs, func(a, b *Job) int { return cmp.Compare(a.age, b.age) })
	return jobs, nil
}

// make makes what is kept of a job, as far as it is not there. A subject takes one
// message, and no second one.
func (j *Job) make(ctx context.Context) error { return j.q.keep(ctx, j.makeOn) }

// makeOn makes it on so many servers.
func (j *Job) makeOn(ctx context.Context, replicas int) error {
	for _, c := range []jetstream.StreamConfig{
		{Name: j.tasks(), Subjects: []string{j.task("*")}, Retention: jetstream.WorkQueuePolicy},
		{Name: j.results(), Subjects: []string{j.result("*", "*")}, Retention: jetstream.LimitsPolicy, AllowDirect: true},
	} {
		c.Storage, c.Replicas = jetstream.FileStorage, replicas
		c.MaxMsgSize = inline + 64<<10 // with headers
		c.MaxMsgsPerSubject, c.Discard, c.DiscardNewPerSubject = 1, jetstream.DiscardNew, true
		if _, err := j.q.js.CreateOrUpdateStream(ctx, c); err != nil {
			return err
		}
	}
	if _, err := j.q.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: j.objects(), Storage: jetstream.FileStorage, Replicas: replicas}); err != nil {
		return err
	}
	if err := j.q.leaderOnly(ctx, "OBJ_"+j.objects(), replicas); err != nil {
		return err
	}
	_, err := j.q.js.CreateOrUpdateConsumer(ctx, j.tasks(), jetstream.ConsumerConfig{
		Durable: crew, AckPolicy: jetstream.AckExplicitPolicy, AckWait: j.q.o.Stall, MaxAckPending: 100_000,
	})
	return err
}

// End removes a job with all that belongs to it, and stops who still works at it.
func (j *Job) End(ctx context.Context) error {
	err := j.q.again(ctx, requestTime, func(ctx context.Context) error {
		kv, err := j.q.bucket(ctx)
		if err != nil {
			return err
		}
		return kv.Purge(ctx, j.key)
	})
	if err != nil {
		return err
	}
	if err := j.q.nc.Publish(j.ended(), nil); err != nil {
		return err
	}
	j.remove(ctx)
	return j.q.nc.FlushTimeout(10 * time.Second)
}

// remove removes what make has made.
func (j *Job) remove(ctx context.Context) {
	j.q.js.DeleteStream(ctx, j.tasks())
	j.q.js.DeleteStream(ctx, j.results())
	j.q.js.DeleteObjectStore(ctx, j.objects())
}

// Present reports whether the job is still there. It is an error if there is no answer.
func (j *Job) Present(ctx context.Context) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	now, err := j.q.find(ctx, j.key)
	if errors.Is(err, ErrEnded) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return now.id == j.id, nil
}

// attempt does something with a job again and again, until it succeeds, or the job
// has ended, or ctx does. A done error of do is final.
func (j *Job) attempt(ctx context.Context, each time.Duration, do func(ctx context.Context) error, done ...error) error {
	return retry(ctx, each, func(ctx context.Context) (bool, error) {
		err := do(ctx)
		if err == nil {
			return true, nil
		}
		for _, d := range done {
			if errors.Is(err, d) {
				return true, err
			}
		}
		if there, perr := j.Present(ctx); perr == nil && !there {
			return true, ErrEnded
		}
		return false, err
	})
}

// Put keeps a blob. It replaces one of that name.
func (j *Job) Put(ctx context.Context, name string, r io.ReadSeeker) error {
	return j.q.again(ctx, transferTime, func(ctx context.Context) error { return j.put(ctx, name, r) })
}

// put tries once.
func (j *Job) put(ctx context.Context, name string, r io.ReadSeeker) error {
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return watched(ctx, func(ctx context.Context, moves func()) error {
		o, err := j.q.js.ObjectStore(ctx, j.objects())
		if err != nil {
			return err
		}
		_, err = o.Put(ctx, jetstream.ObjectMeta{Name: name}, readerFunc(func(p []byte) (int, error) {
			moves()
			return r.Read(p)
		}))
		return err
	})
}

// Has reports whether there is a blob.
func (j *Job) Has(ctx context.Context, name string) (bool, error) {
	err := j.q.again(ctx, requestTime, func(ctx context.Context) error {
		o, err := j.q.js.ObjectStore(ctx, j.objects())
		if err == nil {
			_, err = o.GetInfo(ctx, name)
		}
		return err
	})
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Get writes a blob to w, from which it is taken back by reset if it has to be read
// again. One of more than limit bytes is queue.ErrTooLarge.
func (j *Job) Get(ctx context.Context, name string, limit int64, w io.Writer, reset func() error) error {
	err := j.attempt(ctx, transferTime, func(ctx context.Context) error {
		if err := reset(); err != nil {
			return err
		}
		return watched(ctx, func(ctx context.Context, moves func()) error { return j.get(ctx, name, limit, w, moves) })
	}, jetstream.ErrObjectNotFound, queue.ErrTooLarge)
	if err != nil {
		return fmt.Errorf("blob %s: %w", name, err)
	}
	return nil
}

// get tries once.
func (j *Job) get(ctx context.Context, name string, limit int64, w io.Writer, moves func()) error {
	o, err := j.q.js.ObjectStore(ctx, j.objects())
	if err != nil {
		return err
	}
	r, err := o.Get(ctx, name)
	if err != nil {
		return err
	}
	defer r.Close()
	defer context.AfterFunc(ctx, func() { r.Close() })() // it does not look at ctx while it waits
	n, err := io.Copy(w, io.LimitReader(readerFunc(func(p []byte) (int, error) {
		moves()
		return r.Read(p)
	}), limit+1))
	if n > limit {
		return queue.ErrTooLarge
	}
	return err
}

// Bytes returns a blob of at most limit bytes.
func (j *Job) Bytes(ctx context.Context, name string, limit int64) ([]byte, error) {
	var b bytes.Buffer
	err := j.Get(ctx, name, limit, &b, func() error { b.Reset(); return nil })
	return b.Bytes(), err
}
