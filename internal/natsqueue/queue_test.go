package natsqueue

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/heddle-mc/heddle/internal/queue"
)

// limit is how long a test waits for what has to happen: a busy machine takes its time.
const limit = 10 * time.Minute

// serve starts a server that ends with the test.
func serve(t *testing.T, store string) *Server {
	t.Helper()
	s, err := Serve(store, "", Credentials{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func dial(t *testing.T, s *Server, o Options) *Queue {
	t.Helper()
	q, err := Connect(t.Context(), s.URL(), Credentials{}, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	return q
}

// open opens job "j" with n tasks named t0, t1 and so on.
func open(t *testing.T, q queue.Queue, n int) *Job {
	t.Helper()
	j, err := q.Open(t.Context(), "j", func(queue.Job) ([]byte, error) { return []byte("about j"), nil })
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if err := j.Add(t.Context(), fmt.Sprintf("t%d", i), "k", []byte{byte(i)}); err != nil {
			t.Fatal(err)
		}
	}
	return j.(*Job)
}

// hire starts a worker that ends with the test.
func hire(t *testing.T, q *Queue, name string, h Handler) (fire func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		q.Work(ctx, Worker{Name: name, Open: func(context.Context, queue.Job) (Handler, error) { return h, nil }})
	}()
	fire = func() { cancel(); <-done }
	t.Cleanup(fire)
	return fire
}

// collect returns the results of n tasks by their names.
func collect(t *testing.T, j *Job, n int) map[string]Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	got := map[string]Result{}
	enough := errors.New("enough")
	err := j.Results(ctx, nil, func(r Result) error {
		got[r.Task] = r
		if len(got) == n {
			return enough
		}
		return nil
	})
	if err != enough {
		t.Fatalf("got %d results and %v, want %d", len(got), err, n)
	}
	return got
}

// double is what honest workers do.
func double(_ context.Context, task *Task) ([]byte, error) { return []byte{2 * task.Data[0]}, nil }

func TestAllTasksAreDone(t *testing.T) {
	s := serve(t, t.TempDir())
	j := open(t, dial(t, s, Options{}), 20)
	var times atomic.Int64
	for _, name := range []string{"a", "b"} {
		hire(t, dial(t, s, Options{}), name, func(ctx context.Context, task *Task) ([]byte, error) {
			times.Add(1)
			if got, want := string(task.Job.Description()), "about j"; got != want {
				return nil, fmt.Errorf("got description %q, want %q", got, want)
			}
			return double(ctx, task)
		})
	}
	got := collect(t, j, 20)
	for i := range 20 {
		r := got[fmt.Sprintf("t%d", i)]
		if !bytes.Equal(r.Data, []byte{byte(2 * i)}) || r.Worker != "a" && r.Worker != "b" || r.Failed != "" {
			t.Errorf("task %d: got %v", i, r)
		}
	}
	if n := times.Load(); n != 20 {
		t.Errorf("got %d tasks done, want 20", n)
	}
}

// TestDeath: the task of a worker whose connection ends without a word is given to
// another.
func TestDeath(t *testing.T) {
	s := serve(t, t.TempDir())
	j := open(t, dial(t, s, Options{Stall: 300 * time.Millisecond}), 1)
	doomed := dial(t, s, Options{})
	died := make(chan struct{})
	hire(t, doomed, "doomed", func(ctx context.Context, task *Task) ([]byte, error) {
		doomed.Close()
		close(died)
		<-ctx.Done()
		return nil, ctx.Err()
	})
	<-died
	hire(t, dial(t, s, Options{}), "heir", double)
	if got := collect(t, j, 1)["t0"]; got.Worker != "heir" {
		t.Errorf("got the result of %q, want that of the heir", got.Worker)
	}
}

// TestStall: the task of a worker that is connected and does nothing is given to
// another, and what the first one says later counts no more.
func TestStall(t *testing.T) {
	s := serve(t, t.TempDir())
	j := open(t, dial(t, s, Options{Stall: 200 * time.Millisecond}), 1)
	started, proceed, late := make(chan struct{}), make(chan struct{}), make(chan struct{})
	slow := hire(t, dial(t, s, Options{}), "slow", func(context.Context, *Task) ([]byte, error) {
		close(started)
		<-proceed
		close(late)
		return []byte("too late"), nil
	})
	<-started
	var attempt atomic.Int64
	hire(t, dial(t, s, Options{}), "quick", func(ctx context.Context, task *Task) ([]byte, error) {
		attempt.Store(int64(task.Attempt))
		return double(ctx, task)
	})
	if got := collect(t, j, 1)["t0"]; got.Worker != "quick" || attempt.Load() < 2 {
		t.Errorf("got the result of %q in attempt %d, want that of the quick one in a later one than the first", got.Worker, attempt.Load())
	}
	close(proceed)
	<-late
	slow()
	if got := collect(t, j, 1)["t0"]; got.Worker != "quick" || string(got.Data) != "\x00" {
		t.Errorf("got the result %q of %q after the late one, want that of the quick one", got.Data, got.Worker)
	}
}

// TestBeats: a task that takes longer than the time without heartbeats stays with
// its worker as long as it makes progress. A machine that is busy may be late with
// heartbeats, so that they are given more time then.
func TestBeats(t *testing.T) {
	var problem string
	for _, stall := range []time.Duration{100 * time.Millisecond, 400 * time.Millisecond, 2 * time.Second, 10 * time.Second} {
		if problem = beats(t, stall); problem == "" {
			return
		}
		t.Logf("%v without heartbeats: %s", stall, problem)
	}
	t.Error(problem)
}

// beats has a worker take ten times as long for a task as it may be without heartbeats,
// and tell 50 times how far it is, and tells what is wrong with that.
func beats(t *testing.T, stall time.Duration) (problem string) {
	s := serve(t, t.TempDir())
	coordinator := dial(t, s, Options{Stall: stall})
	j := open(t, coordinator, 1)
	var told, other, times atomic.Int64
	stop, err := j.Follow(func(p Progress) {
		told.Add(1)
		if p.Task != "t0" || p.Worker != "steady" || p.Attempt != 1 || string(p.Data) != "on it" {
			other.Add(1)
		}
	}, func(string, string) {})
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	if err := coordinator.nc.Flush(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		defer hire(t, dial(t, s, Options{}), "steady", func(ctx context.Context, task *Task) ([]byte, error) {
			times.Add(1)
			tick := time.NewTicker(stall / 5)
			defer tick.Stop()
			for range 50 {
				task.Progress([]byte("on it"))
				<-tick.C
			}
			return double(ctx, task)
		})()
	}
	collect(t, j, 1)
	if times.Load() != 1 || told.Load() == 0 || other.Load() != 0 {
		return fmt.Sprintf("got the task done %d times, and progress %d times, %d of them of something else, want once, some, and none",
			times.Load(), told.Load(), other.Load())
	}
	return ""
}

// TestResume: a coordinator that ends in the middle finds its job and the results
// that are there, and workers find it again.
func TestResume(t *testing.T) {
	store := t.TempDir()
	s, err := Serve(store, "", Credentials{})
	if err != nil {
		t.Fatal(err)
	}
	q, err := s.Connect(t.Context(), Options{Stall: 500 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	j := open(t, q, 10)
	if j.Resumed() {
		t.Error("a new job is called resumed")
	}
	if err := j.Put(t.Context(), "blob", strings.NewReader("blob of j")); err != nil {
		t.Fatal(err)
	}
	var half, rest sync.WaitGroup
	half.Add(5)
	rest.Add(1)
	var n atomic.Int64
	worker := dial(t, s, Options{})
	hire(t, worker, "w", func(ctx context.Context, task *Task) ([]byte, error) {
		switch i := n.Add(1); {
		case i < 6:
			half.Done()
		case i == 6:
			rest.Wait() // until the server is there again
		}
		return double(ctx, task)
	})
	half.Wait()
	q.Close()
	url := s.URL()
	s.Close()
	rest.Done()
	s = serve(t, store)
	if s.URL() != url {
		t.Errorf("got address %s, want %s as before", s.URL(), url)
	}
	q, err = s.Connect(t.Context(), Options{Stall: 500 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	found, err := q.Open(t.Context(), "j", func(queue.Job) ([]byte, error) { return nil, errors.New("it is described already") })
	if err != nil || !found.Resumed() || string(found.Description()) != "about j" {
		t.Fatalf("got %v, %v, want the job as it was", err, found)
	}
	j = found.(*Job)
	if data, err := j.Bytes(t.Context(), "blob", 1<<20); err != nil || string(data) != "blob of j" {
		t.Errorf("got blob %q, %v", data, err)
	}
	for i := range 10 { // as a coordinator does that does not know what was added
		if err := j.Add(t.Context(), fmt.Sprintf("t%d", i), "k", []byte{byte(i)}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 10 {
		name := fmt.Sprintf("t%d", i)
		if got := collect(t, j, 10)[name]; !bytes.Equal(got.Data, []byte{byte(2 * i)}) {
			t.Errorf("task %s: got %v", name, got)
		}
	}
}

// TestEnd: ending a job stops who works at it and leaves nothing; a job with the
// same key that is made later is another one.
func TestEnd(t *testing.T) {
	s := serve(t, t.TempDir())
	q := dial(t, s, Options{})
	j := open(t, q, 1)
	started, stopped := make(chan struct{}, 1), make(chan struct{}, 1)
	hire(t, dial(t, s, Options{}), "w", func(ctx context.Context, task *Task) ([]byte, error) {
		started <- struct{}{}
		<-ctx.Done()
		stopped <- struct{}{}
		return []byte("of the first"), nil
	})
	<-started
	if err := j.End(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-stopped
	if there, err := j.Present(t.Context()); there || err != nil {
		t.Errorf("got present %v, %v, want that it has ended", there, err)
	}
	var left []string
	for name := range q.js.StreamNames(t.Context()).Name() {
		left = append(left, name)
	}
	if want := []string{"KV_" + jobsBucket}; !slices.Equal(left, want) {
		t.Errorf("got streams %q, want %q", left, want)
	}
	if again := open(t, q, 0); again.Resumed() || again.id == j.id {
		t.Errorf("got a job resumed that was ended")
	}
}

// TestLarge: results that do not fit into a message come whole.
func TestLarge(t *testing.T) {
	s := serve(t, t.TempDir())
	j := open(t, dial(t, s, Options{}), 1)
	large := bytes.Repeat([]byte("0123456789abcdef"), 200_000)
	hire(t, dial(t, s, Options{}), "w", func(context.Context, *Task) ([]byte, error) { return large, nil })
	if got := collect(t, j, 1)["t0"]; !bytes.Equal(got.Data, large) {
		t.Errorf("got %d bytes, want %d", len(got.Data), len(large))
	}
}

// TestTickets: who was not given a task does not know its ticket; its answer does not
// count, and does not keep that of the worker from counting.
func TestTickets(t *testing.T) {
	s := serve(t, t.TempDir())
	q := dial(t, s, Options{})
	j := open(t, q, 1)
	if _, err := q.js.Publish(t.Context(), j.result("t0", "guessed"), []byte("a lie")); err != nil {
		t.Fatal(err)
	}
	hire(t, dial(t, s, Options{}), "w", double)
	enough := errors.New("enough")
	var got []Result
	err := j.Results(t.Context(), func(a queue.Answer) int64 {
		if a.Ticket == "k" {
			return 1
		}
		return 0
	}, func(r Result) error {
		got = append(got, r)
		return enough
	})
	if err != enough || len(got) != 1 || got[0].Answer != (queue.Answer{Task: "t0", Ticket: "k"}) || !bytes.Equal(got[0].Data, []byte{0}) {
		t.Errorf("got %v, %v", got, err)
	}
	answered, err := j.Answered(t.Context())
	if err != nil || !answered[queue.Answer{Task: "t0", Ticket: "k"}] {
		t.Errorf("got %v, %v", answered, err)
	}
}

// TestTooLarge: blobs and results that are larger than they may be are not read to their end.
func TestTooLarge(t *testing.T) {
	s := serve(t, t.TempDir())
	j := open(t, dial(t, s, Options{}), 3)
	large := bytes.Repeat([]byte("x"), inline+1)
	if err := j.Put(t.Context(), "b", bytes.NewReader(large)); err != nil {
		t.Fatal(err)
	}
	if got, err := j.Bytes(t.Context(), "b", inline); !errors.Is(err, queue.ErrTooLarge) {
		t.Errorf("got %d bytes, %v, want that it is too large", len(got), err)
	}
	if got, err := j.Bytes(t.Context(), "b", inline+1); err != nil || !bytes.Equal(got, large) {
		t.Errorf("got %d bytes, %v, want all", len(got), err)
	}
	hire(t, dial(t, s, Options{}), "w", func(_ context.Context, task *Task) ([]byte, error) {
		return large[:map[string]int{"t0": inline + 1, "t1": 11, "t2": 10}[task.Name]], nil
	})
	enough, n := errors.New("enough"), 0
	err := j.Results(t.Context(), func(queue.Answer) int64 { return 10 }, func(r Result) error {
		if failed := r.Task != "t2"; (r.Failed != "") != failed || (len(r.Data) > 0) == failed {
			t.Errorf("%s: got %d bytes, %q", r.Task, len(r.Data), r.Failed)
		}
		if n++; n == 3 {
			return enough
		}
		return nil
	})
	if err != enough {
		t.Error(err)
	}
}

// TestNoBlob: a result that refers to what is not there is one of nothing, and does
// not hold up others.
func TestNoBlob(t *testing.T) {
	s := serve(t, t.TempDir())
	q := dial(t, s, Options{})
	j := open(t, q, 2)
	m := nats.NewMsg(j.result("t0", "k"))
	m.Header.Set(headerBlob, "nowhere")
	if _, err := q.js.PublishMsg(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	hire(t, dial(t, s, Options{}), "w", double)
	got := collect(t, j, 2)
	if len(got["t0"].Data) != 0 || !bytes.Equal(got["t1"].Data, []byte{2}) {
		t.Errorf("got %v", got)
	}
}

// TestGivenUp: a task that nobody can do is given up after some attempts.
func TestGivenUp(t *testing.T) {
	s := serve(t, t.TempDir())
	j := open(t, dial(t, s, Options{}), 1)
	var times atomic.Int64
	hire(t, dial(t, s, Options{Attempts: 3}), "w", func(context.Context, *Task) ([]byte, error) {
		times.Add(1)
		return nil, errors.New("it is too hard")
	})
	if got := collect(t, j, 1)["t0"]; got.Failed != "it was begun 3 times and never ended" || times.Load() != 3 {
		t.Errorf("got %q after %d attempts, want it given up after 3", got.Failed, times.Load())
	}
}

// TestDeclined: a worker that does not take part in a job leaves its tasks alone, and
// the coordinator gets to know why.
func TestDeclined(t *testing.T) {
	s := serve(t, t.TempDir())
	q := dial(t, s, Options{})
	j := open(t, q, 0)
	notes := make(chan string, 8)
	stop, err := j.Follow(func(Progress) {}, func(worker, text string) { notes <- worker + " " + text })
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	if err := q.nc.Flush(); err != nil {
		t.Fatal(err)
	}
	other := dial(t, s, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		done <- other.Work(ctx, Worker{Name: "w", Open: func(context.Context, queue.Job) (Handler, error) { return nil, errors.New("not mine") }})
	}()
	if got, want := <-notes, "w does not take part: not mine"; got != want {
		t.Errorf("got note %q, want %q", got, want)
	}
	cancel()
	if err := <-done; err != nil {
		t.Errorf("got %v from a worker that was told to stop", err)
	}
}

// TestIdle: a worker without work ends if it is told so.
func TestIdle(t *testing.T) {
	s := serve(t, t.TempDir())
	q := dial(t, s, Options{})
	if err := q.Work(t.Context(), Worker{Name: "w", Idle: time.Millisecond}); err != nil {
		t.Errorf("got %v, want that it ends", err)
	}
}
