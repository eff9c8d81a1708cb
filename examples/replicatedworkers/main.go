// Replicatedworkers is a pool of tasks and some workers, all alike, that empty
// it. Work on a task may lead to a new task, so a worker that finds the pool
// empty may leave only if nobody else is at work.
//
// A task is a number: it adds itself to the total, and from 2 on it leaves
// behind the next smaller number. heddle check finds nothing: all tasks get
// done, the workers notice, and all of them leave. In folder buggy a worker
// looks into the pool without the mutex.
package main

import (
	"fmt"
	"sync"

	"github.com/heddle-mc/heddle/verify"
)

const (
	workers = 5
	items   = 2 // tasks at the start
	task    = 2 // what each of them is
)

// worth is what a task and all that follow from it add to the total.
func worth(t int) int { return t * (t + 1) / 2 }

type pool struct {
	mu      sync.Mutex
	changed *sync.Cond
	tasks   [items]int // the first count are waiting
	count   int
	busy    int // workers
	owed    int // by the busy workers to the total
	total   int
}

// all is the total when everything is done.
const all = items * task * (task + 1) / 2

func newPool() *pool {
	p := new(pool)
	p.changed = sync.NewCond(&p.mu)
	for i := range p.tasks {
		p.tasks[i] = task
	}
	p.count = items
	verify.Always(func() bool { return 0 <= p.busy && p.busy <= workers })
	verify.Always(func() bool { return 0 <= p.count && p.count+p.busy <= items })
	verify.Always(func() bool {
		sum := p.total + p.owed
		for _, t := range p.tasks {
			sum += worth(t)
		}
		return sum == all
	})
	verify.Step(func() int { return p.total }, func(before, after int) bool { return before <= after })
	return p
}

// take returns a task, or false if there will be no more.
func (p *pool) take() (int, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.count == 0 && p.busy > 0 {
		p.changed.Wait()
	}
	if p.count == 0 {
		verify.Assert(p.total == all, "a worker leaves though there is work")
		return 0, false
	}
	p.count--
	t := p.tasks[p.count]
	verify.Assert(t > 0, "took what is no task")
	p.tasks[p.count] = 0
	p.busy++
	p.owed += worth(t)
	return t, true
}

// finish hands in a task that is done.
func (p *pool) finish(t int) {
	p.mu.Lock()
	verify.Assert(p.busy > 0, "a task of nobody")
	p.busy--
	p.owed -= worth(t)
	p.total += t
	if t > 1 {
		verify.Assert(p.count < items, "no room for a task")
		p.tasks[p.count] = t - 1
		p.count++
	}
	p.changed.Broadcast()
	p.mu.Unlock()
}

func work(p *pool, wg *sync.WaitGroup) {
	for {
		t, ok := p.take()
		if !ok {
			break
		}
		p.finish(t)
	}
	wg.Done()
}

func main() {
	p := newPool()
	var wg sync.WaitGroup
	wg.Add(workers)
	for range workers {
		go work(p, &wg)
	}
	wg.Wait()
	verify.Assert(p.busy == 0 && p.count == 0, "a task is left")
	fmt.Println("the total is", p.total)
}
