package distribute

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/heddle-mc/heddle/internal/queue"
)

// A memService is a queue in memory, which a test can make hostile.
type memService struct {
	mu   sync.Mutex
	job  *memJob
	news chan struct{} // closed and made anew at each change

	// get changes a blob that somebody reads.
	get func(name string, data []byte) []byte
	// deliver changes the list of results that the coordinator is to get.
	deliver func(list []queue.Result) []queue.Result
	// told changes what workers are told of the job.
	told func(text []byte) []byte
	// added returns the tasks that there are instead of one that is added.
	added func(t queue.Answer) []queue.Answer
	// answered changes what there are results of.
	answered func(m map[queue.Answer]bool)
	// present says whether the job is there.
	present func() bool
	// faithless says that results are delivered that are not wanted.
	faithless bool
	// hand says whether a task is handed to a worker.
	hand func(worker, task string) bool
}

func newMemService() *memService { return &memService{news: make(chan struct{})} }

// change does something and wakes who waits.
func (s *memService) change(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
	close(s.news)
	s.news = make(chan struct{})
}

func (s *memService) Connect(context.Context, string, queue.Credentials, queue.Options) (queue.Queue, error) {
	return &memQueue{s, make(chan struct{})}, nil
}

func (s *memService) Serve(string, string, queue.Credentials) (queue.Server, error) {
	return nil, fmt.Errorf("it is no server")
}

type memQueue struct {
	s    *memService
	gone chan struct{}
}

func (q *memQueue) Gone() <-chan struct{} { return q.gone }
func (q *memQueue) Close()                {}

func (q *memQueue) Open(_ context.Context, key string, describe func(queue.Job) ([]byte, error)) (queue.Job, error) {
	q.s.mu.Lock()
	j := q.s.job
	q.s.mu.Unlock()
	if j != nil && j.key == key {
		j.resumed = true
		return j, nil
	}
	j = &memJob{s: q.s, key: key, blobs: map[string][]byte{}, known: map[string]bool{}}
	text, err := describe(j)
	if err != nil {
		return nil, err
	}
	j.text = text
	q.s.change(func() { q.s.job = j })
	return j, nil
}

// Work takes tasks until ctx ends.
func (q *memQueue) Work(ctx context.Context, w queue.Worker) error {
	var handler queue.Handler
	var opened *memJob
	for {
		q.s.mu.Lock()
		news, j := q.s.news, q.s.job
		var t *queue.Task
		if j != nil {
			t = j.next(w.Name)
		}
		q.s.mu.Unlock()
		if t == nil {
			select {
			case <-ctx.Done():
				return nil
			case <-news:
			}
			continue
		}
		if opened != j {
			h, err := w.Open(ctx, &workersJob{j})
			if err != nil {
				return err // it does not take part
			}
			handler, opened = h, j
		}
		data, err := handler(ctx, t)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			if j.s.told != nil || j.s.get != nil {
				continue // it would be so again and again
			}
			q.s.change(func() { j.tasks = append(j.tasks, queue.Answer{Task: t.Name, Ticket: t.Ticket}) })
			continue
		}
		q.s.change(func() {
			j.results = append(j.results, queue.Result{Answer: queue.Answer{Task: t.Name, Ticket: t.Ticket}, Worker: w.Name, Data: data})
		})
	}
}

// A memJob is a job in memory.
type memJob struct {
	s       *memService
	key     string
	text    []byte
	resumed bool
	blobs   map[string][]byte
	tasks   []queue.Answer // that wait
	known   map[string]bool
	results []queue.Result
	ended   bool
	reads   []string // blobs that the coordinator has read
}

// next takes a task for a worker.
func (j *memJob) next(worker string) *queue.Task {
	for i, t := range j.tasks {
		if j.s.hand == nil || j.s.hand(worker, t.Task) {
			j.tasks = slices.Delete(j.tasks, i, i+1)
			return &queue.Task{Job: &workersJob{j}, Name: t.Task, Ticket: t.Ticket, Attempt: 1, Progress: func([]byte) {}}
		}
	}
	return nil
}

func (j *memJob) Key() string         { return j.key }
func (j *memJob) Description() []byte { return j.text }
func (j *memJob) Resumed() bool       { return j.resumed }

func (j *memJob) Put(_ context.Context, name string, r io.ReadSeeker) error {
	data, err := io.ReadAll(r)
	j.s.change(func() { j.blobs[name] = data })
	return err
}

func (j *memJob) Has(_ context.Context, name string) (bool, error) {
	j.s.mu.Lock()
	defer j.s.mu.Unlock()
	_, ok := j.blobs[name]
	return ok, nil
}

func (j *memJob) Get(ctx context.Context, name string, _ int64, w io.Writer, reset func() error) error {
	data, err := j.Bytes(ctx, name, 0)
	return write(data, err, w, reset)
}

func write(data []byte, err error, w io.Writer, reset func() error) error {
	if err == nil {
		err = reset()
	}
	if err == nil {
		_, err = w.Write(data)
	}
	return err
}

func (j *memJob) Bytes(_ context.Context, name string, _ int64) ([]byte, error) {
	j.s.mu.Lock()
	j.reads = append(j.reads, name)
	j.s.mu.Unlock()
	return j.bytes(name)
}

func (j *memJob) bytes(name string) ([]byte, error) {
	j.s.mu.Lock()
	defer j.s.mu.Unlock()
	data, ok := j.blobs[name]
	if !ok {
		return nil, fmt.Errorf("there is no blob %s", name)
	}
	if j.s.get != nil {
		data = j.s.get(name, bytes.Clone(data))
	}
	return data, nil
}

func (j *memJob) Add(_ context.Context, name, ticket string, _ []byte) error {
	j.s.change(func() {
		if t := (queue.Answer{Task: name, Ticket: ticket}); !j.known[name] {
			j.known[name] = true
			if j.s.added == nil {
				j.tasks = append(j.tasks, t)
			} else {
				j.tasks = append(j.tasks, j.s.added(t)...)
			}
		}
	})
	return nil
}

func (j *memJob) Answered(context.Context) (map[queue.Answer]bool, error) {
	j.s.mu.Lock()
	defer j.s.mu.Unlock()
	answered := map[queue.Answer]bool{}
	for _, r := range j.results {
		answered[r.Answer] = true
	}
	if j.s.answered != nil {
		j.s.answered(answered)
	}
	return answered, nil
}

func (j *memJob) Results(ctx context.Context, wanted func(queue.Answer) int64, take func(queue.Result) error) error {
	for done := 0; ; {
		j.s.mu.Lock()
		news, list, ended := j.s.news, slices.Clone(j.results), j.ended
		j.s.mu.Unlock()
		if j.s.deliver != nil {
			list = j.s.deliver(list)
		}
		for done < len(list) {
			done++
			if r := list[done-1]; j.s.faithless || wanted(r.Answer) > 0 {
				if err := take(r); err != nil {
					return err
				}
			}
		}
		if ended {
			return queue.ErrEnded
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-news:
		}
	}
}

func (j *memJob) Follow(func(queue.Progress), func(worker, text string)) (func(), error) {
	return func() {}, nil
}

func (j *memJob) Present(context.Context) (bool, error) {
	j.s.mu.Lock()
	defer j.s.mu.Unlock()
	return !j.ended && j.s.job == j && (j.s.present == nil || j.s.present()), nil
}

func (j *memJob) End(context.Context) error {
	j.s.change(func() { j.ended, j.s.job = true, nil })
	return nil
}

// A workersJob is a job as workers have it.
type workersJob struct{ *memJob }

func (j *workersJob) Bytes(_ context.Context, name string, _ int64) ([]byte, error) {
	return j.bytes(name)
}

func (j *workersJob) Get(_ context.Context, name string, _ int64, w io.Writer, reset func() error) error {
	data, err := j.bytes(name)
	return write(data, err, w, reset)
}

func (j *workersJob) Description() []byte {
	if j.s.told == nil {
		return j.text
	}
	return j.s.told(bytes.Clone(j.text))
}
