package cli

import (
	"cmp"
	"io"
	"runtime/debug"
	"sync"

	"github.com/heddle-mc/heddle/internal/explore"
)

// Lanes are pieces of work that go on side by side and write as if each had waited for those before it. The first one that has not
// ended writes at once; what others write is held back.
//
//	lane 0   ended
//	lane 1   ███████▶        at the front: writes
//	lane 2   ████████████▶   held back
//	lane 3                   not begun
type lanes struct {
	mu    sync.Mutex
	front int
	list  []*lane
	crash func() // is told that the work of a lane has panicked, or nil
}

// A lane is one of them.
type lane struct {
	of      *lanes
	number  int
	held    []func()
	ended   bool
	dropped bool
	crash   *explore.Crash // a panic in its work
	err     error          // of its work
	unheard error          // of something that it had done in order
}

func newLanes(n int) *lanes {
	all := new(lanes)
	for i := range n {
		all.list = append(all.list, &lane{of: all, number: i})
	}
	return all
}

// do has something be done in the order of the lanes: now, or later. What a lane does that was dropped is not done at all.
func (l *lane) do(f func()) {
	l.of.mu.Lock()
	defer l.of.mu.Unlock()
	switch {
	case l.dropped:
	case l.number == l.of.front:
		f()
	default:
		l.held = append(l.held, f)
	}
}

// leads reports whether the lane is at the front.
func (l *lane) leads() bool {
	l.of.mu.Lock()
	defer l.of.mu.Unlock()
	return l.number == l.of.front
}

// isDropped reports whether nobody wants to know any more.
func (l *lane) isDropped() bool {
	l.of.mu.Lock()
	defer l.of.mu.Unlock()
	return l.dropped
}

// end says that the work of a lane is over, so that others may come to the front.
func (l *lane) end() {
	l.of.mu.Lock()
	defer l.of.mu.Unlock()
	l.ended = true
	for all := l.of; all.front < len(all.list) && all.list[all.front].ended; {
		if all.front++; all.front < len(all.list) {
			next := all.list[all.front]
			held := next.held
			next.held = nil
			for _, f := range held {
				f()
			}
		}
	}
}

// drop forgets what a lane behind the front has done, and what it will do. Something else is done in its place.
func (l *lane) drop(instead func()) {
	l.of.mu.Lock()
	defer l.of.mu.Unlock()
	if !l.dropped {
		l.dropped, l.held = true, []func(){instead}
	}
}

// run does the work of all lanes, n at once, those in front first. When all have ended, a panic in one is one here.
func (all *lanes) run(n int, work func(l *lane)) error {
	next := make(chan *lane)
	var workers sync.WaitGroup
	for range n {
		workers.Go(func() {
			for l := range next {
				l.run(work)
			}
		})
	}
	for _, l := range all.list {
		next <- l
	}
	close(next)
	workers.Wait()
	for _, l := range all.list {
		if l.crash != nil {
			panic(l.crash)
		}
		if err := cmp.Or(l.err, l.unheard); err != nil {
			return err
		}
	}
	return nil
}

func (l *lane) run(work func(l *lane)) {
	defer l.end()
	defer func() {
		if x := recover(); x != nil {
			var ok bool
			if l.crash, ok = x.(*explore.Crash); !ok {
				l.crash = &explore.Crash{Value: x, Stack: string(debug.Stack())}
			}
			if l.of.crash != nil {
				l.of.crash()
			}
		}
	}()
	work(l)
}

// A laneWriter writes in the order of the lanes.
type laneWriter struct {
	lane *lane
	w    io.Writer
}

func (w *laneWriter) Write(p []byte) (int, error) {
	n, err := len(p), error(nil)
	own := append([]byte(nil), p...)
	w.lane.do(func() { n, err = w.w.Write(own) })
	return n, err
}
