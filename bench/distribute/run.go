package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/heddle-mc/heddle/internal/natsqueue"
	"github.com/heddle-mc/heddle/internal/queue"
)

// A run is one certification.
type run struct {
	b     *bench
	store string
	url   string

	killed  int             // workers
	after   int             // results that were there when the coordinator was killed
	again   map[string]bool // parts that were begun more than once
	mu      sync.Mutex      // of again
	seconds float64
}

func (r *run) row() string {
	r.mu.Lock()
	again := len(r.again)
	r.mu.Unlock()
	return fmt.Sprintf("%d | %d of %d parts | %d | %.1f | certified", r.killed, r.after, r.b.parts, again, r.seconds)
}

// limit is how long a run may take.
const limit = 15 * time.Minute

// run makes one run.
func (b *bench) run(n int) (*run, error) {
	r := &run{b: b, store: filepath.Join(b.bin, fmt.Sprintf("store-%d", n)), again: map[string]bool{}}
	defer os.RemoveAll(r.store)
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	began := time.Now()
	first, err := r.coordinate()
	if err != nil {
		return nil, err
	}
	defer first.stop()
	if r.url, err = first.address(); err != nil {
		return nil, err
	}
	rnd := rand.New(rand.NewPCG(b.rnd.Uint64(), 0))
	crew, err := r.hire(rnd)
	if err != nil {
		return nil, err
	}
	defer crew.stop()
	join, err := queue.ParseJoin(r.url)
	if err != nil {
		return nil, err
	}
	q, err := natsqueue.Connect(ctx, join.URL(), join.Credentials(), natsqueue.Options{})
	if err != nil {
		return nil, err
	}
	defer q.Close()
	unfollow, err := r.await(ctx, q, rnd.Float64())
	if err != nil {
		return nil, err
	}
	defer unfollow()
	first.stop()
	second, err := r.coordinate()
	if err != nil {
		return nil, err
	}
	defer second.stop()
	if url, err := second.address(); err != nil || url != r.url {
		return nil, fmt.Errorf("the second coordinator is at %q, %v, and not at %s", url, err, r.url)
	}
	select {
	case <-second.ended:
	case <-ctx.Done():
		return nil, fmt.Errorf("it did not end in %s\n%s", limit, second.said())
	}
	r.seconds = time.Since(began).Seconds()
	r.killed = crew.stop()
	switch {
	case second.err != nil || !b.says(second.out.String()):
		return nil, fmt.Errorf("got %v, %q, want %q\n%s", second.err, second.out.String(), b.want, second.said())
	case !strings.Contains(second.said(), "going on with what was begun before"):
		return nil, fmt.Errorf("the second coordinator began anew\n%s", second.said())
	}
	return r, nil
}

// await waits until a share of the results is there, between one and nine
// tenths. Parts
// that are begun again are counted until unfollow is called.
func (r *run) await(ctx context.Context, q *natsqueue.Queue, share float64) (unfollow func(), err error) {
	var job *natsqueue.Job
	for job == nil {
		jobs, err := q.Jobs(ctx)
		if ctx.Err() != nil {
			return nil, fmt.Errorf("there is no job: %v", err)
		}
		if len(jobs) == 1 {
			job = jobs[0]
		}
	}
	unfollow, err = job.Follow(func(p natsqueue.Progress) {
		if p.Attempt > 1 {
			r.mu.Lock()
			r.again[p.Task] = true
			r.mu.Unlock()
		}
	}, func(string, string) {})
	if err != nil {
		return nil, err
	}
	enough := errors.New("enough")
	err = job.Results(ctx, nil, func(natsqueue.Result) error {
		if r.after++; float64(r.after) >= (0.1+0.8*share)*float64(r.b.parts) {
			return enough
		}
		return nil
	})
	if err != enough {
		unfollow()
		return nil, fmt.Errorf("after %d results: %w", r.after, err)
	}
	return unfollow, nil
}

// A process is a coordinator.
type process struct {
	cmd   *exec.Cmd
	out   bytes.Buffer
	url   chan string
	ended chan struct{}
	err   error

	mu   sync.Mutex
	text strings.Builder // what it says on standard error
}

// coordinate starts a coordinator. It finds the store as it is.
func (r *run) coordinate() (*process, error) {
	p := &process{url: make(chan string, 1), ended: make(chan struct{})}
	p.cmd = r.b.heddle("certify", "-distribute", "-store", r.store, "-stall", "2s", "-slice", strconv.Itoa(slice), r.b.cert, program)
	p.cmd.Stdout = &p.out
	errs, err := p.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go p.listen(errs)
	return p, nil
}

// listen reads what the process says until it ends.
func (p *process) listen(errs io.Reader) {
	for lines := bufio.NewScanner(errs); lines.Scan(); {
		p.mu.Lock()
		p.text.WriteString(lines.Text() + "\n")
		p.mu.Unlock()
		if _, url, ok := strings.Cut(lines.Text(), "heddle worker -join "); ok {
			p.url <- url
		}
	}
	p.err = p.cmd.Wait()
	close(p.ended)
}

func (p *process) said() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.String()
}

// address returns where workers find the coordinator.
func (p *process) address() (string, error) {
	select {
	case url := <-p.url:
		return url, nil
	case <-p.ended:
		return "", fmt.Errorf("the coordinator has ended: %v\n%s", p.err, p.said())
	}
}

// stop kills the coordinator.
func (p *process) stop() {
	p.cmd.Process.Kill()
	<-p.ended
}

// A crew is the workers of a run.
type crew struct {
	r      *run
	list   []*exec.Cmd
	end    chan struct{}
	done   chan struct{}
	once   sync.Once
	killed int
}

// hire starts the workers, and who kills them.
func (r *run) hire(rnd *rand.Rand) (*crew, error) {
	c := &crew{r: r, end: make(chan struct{}), done: make(chan struct{})}
	for range r.b.workers {
		w := r.worker()
		if err := w.Start(); err != nil {
			return nil, err
		}
		c.list = append(c.list, w)
	}
	go c.kill(rnd)
	return c, nil
}

func (r *run) worker() *exec.Cmd { return r.b.heddle("worker", "-join", r.url) }

// kill kills a worker each time, and starts another.
func (c *crew) kill(rnd *rand.Rand) {
	defer close(c.done)
	tick := time.NewTicker(c.r.b.every)
	defer tick.Stop()
	for {
		select {
		case <-c.end:
			return
		case <-tick.C:
		}
		i := rnd.IntN(len(c.list))
		c.list[i].Process.Kill()
		c.list[i].Wait()
		c.killed++
		c.list[i] = c.r.worker()
		if err := c.list[i].Start(); err != nil {
			fmt.Fprintln(os.Stderr, "distribute:", err) // there is one less now
			return
		}
	}
}

// stop ends all workers, and returns how many were killed before.
func (c *crew) stop() int {
	c.once.Do(func() {
		close(c.end)
		<-c.done
		for _, w := range c.list {
			w.Process.Kill()
			w.Wait()
		}
	})
	return c.killed
}
