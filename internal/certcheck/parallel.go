package certcheck

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/lts"
)

// A PartResult is what the examination of a part found.
type PartResult struct {
	Number   int
	Counts   cert.Counts
	Findings []Found
	notes    notes
}

// CheckPart examines one part.
func CheckPart(p *cert.Part, sys lts.System, reduce, trustful bool, o Options) (*PartResult, error) {
	w := newWalker(sys, reduce, trustful, o)
	if err := w.begin(p.Way, p.Codes); err != nil {
		return nil, err
	}
	w.next = p.First
	if err := w.walk(p.Events(), p.Last); err != nil {
		return nil, err
	}
	return &PartResult{Number: p.Number, Counts: w.counts, Findings: w.findings, notes: w.notes}, nil
}

// A Collector puts the results of parts together. Results of one part that come
// twice count once.
type Collector struct {
	result  Result
	notes   notes
	numbers map[int]bool
	look    uint32 // see walker
}

// NewCollector returns a collector without results.
func NewCollector(trustful bool) *Collector {
	return &Collector{result: Result{Trusted: trustful}, numbers: map[int]bool{}, look: firstLook}
}

// Add adds the result of a part. It fails if the part does not agree with others.
func (c *Collector) Add(r *PartResult) error {
	if c.numbers[r.Number] {
		return nil
	}
	c.numbers[r.Number] = true
	if err := c.notes.merge(r.Number, &r.notes); err != nil {
		return err
	}
	c.result.Counts.States += r.Counts.States
	c.result.Counts.Transitions += r.Counts.Transitions
	c.result.Counts.Depth = max(c.result.Counts.Depth, r.Counts.Depth)
	if n := c.result.Counts.States; !c.result.Trusted && n >= c.look {
		c.look = 2 * n
		if err := c.notes.distinct(); err != nil {
			return err
		}
	}
	for _, f := range r.Findings {
		same := func(g Found) bool { return g.Kind == f.Kind && g.Message == f.Message && g.Pos == f.Pos }
		if !slices.ContainsFunc(c.result.Findings, same) {
			c.result.Findings = append(c.result.Findings, f)
		}
	}
	return nil
}

// Result returns the result of all parts, if their sum is what a certificate says
// and no state has two numbers.
func (c *Collector) Result(r *cert.Reader) (*Result, error) {
	slices.SortFunc(c.result.Findings, func(a, b Found) int {
		return cmp.Or(a.Path.Compare(b.Path), strings.Compare(a.Kind, b.Kind), strings.Compare(a.Message, b.Message))
	})
	if len(c.result.Findings) > 0 || c.result.Trusted {
		return &c.result, nil
	}
	if c.result.Counts != r.Counts {
		return nil, &Deviation{Reason: Unexpected, Text: "the parts together are not the whole"}
	}
	if err := c.notes.distinct(); err != nil {
		return nil, err
	}
	return &c.result, nil
}

const defaultSlice = 1 << 14

// parallel examines slices of the script with several workers. The script is read
// by one goroutine, a little ahead of the workers.
func parallel(c *cert.Reader, newSystem func() (lts.System, error), trustful bool, o Options) (*Result, error) {
	size := o.Slice
	if size == 0 {
		// The more slices, the more ways to them have to be gone: they are to be
		// short against a slice, but each worker is to have one.
		size = max(c.Counts.Transitions/uint64(4*o.Workers), defaultSlice, 8*uint64(c.Counts.Depth))
		size = min(size, c.Counts.Transitions/uint64(o.Workers)+1)
	}
	r := &crew{o: o, all: NewCollector(trustful), stop: make(chan struct{})}
	parts := make(chan *cert.Part)
	var wg sync.WaitGroup
	for range o.Workers {
		wg.Go(func() {
			sys, err := newSystem()
			if err != nil {
				r.fail(0, err)
				return
			}
			for p := range parts {
				r.done(p, sys, c.Header.Reduce, trustful)
			}
		})
	}
	err := c.Slices(size, func(p *cert.Part) error {
		select {
		case parts <- p:
			return nil
		case <-r.stop:
			return errStop
		}
	})
	close(parts)
	wg.Wait()
	switch {
	case r.err != nil:
		return nil, r.err
	case err != nil && err != errStop:
		return nil, err
	}
	return r.all.Result(c)
}

var errStop = &Deviation{Reason: "stop"}

// A crew is what the workers have in common.
type crew struct {
	o    Options
	mu   sync.Mutex
	all  *Collector
	stop chan struct{} // closed when it is over
	over bool
	err  error
	at   int // number of the part that err is about
	sum  uint64
}

// fail ends the examination. Of several failures that of the first part counts,
// so that it does not depend on who was faster, as far as that can be.
func (r *crew) fail(part int, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil || part < r.at {
		r.err, r.at = err, part
	}
	r.end()
}

func (r *crew) end() {
	if !r.over {
		r.over = true
		close(r.stop)
	}
}

// done examines a part and adds its result.
func (r *crew) done(p *cert.Part, sys lts.System, reduce, trustful bool) {
	res, err := CheckPart(p, sys, reduce, trustful, r.o)
	if err != nil {
		r.fail(p.Number, err)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.all.Add(res); err != nil {
		if r.err == nil || p.Number < r.at {
			r.err, r.at = err, p.Number
		}
		r.end()
		return
	}
	if r.sum += res.Counts.Transitions; r.o.Progress != nil {
		r.o.Progress(r.sum)
	}
	if len(res.Findings) > 0 && !r.o.All {
		r.end()
	}
}
