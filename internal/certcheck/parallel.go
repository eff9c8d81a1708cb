package certcheck

import (
	"cmp"
	"fmt"
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
	sums     cert.Sums
	own      []numbered // states that it has found
	way      []numbered // states on the way to it
	far      []stranger
}

// CheckPart examines one part.
func CheckPart(p *cert.Part, sys lts.System, reduce, trustful bool, o Options) (*PartResult, error) {
	w := newWalker(sys, reduce && p.Kind != cert.Tree, trustful, o)
	w.part = true
	if err := w.begin(p); err != nil {
		return nil, err
	}
	w.next = p.First
	if err := w.walk(p.Events(), p.Last); err != nil {
		return nil, err
	}
	return &PartResult{Number: p.Number, Counts: w.counts, Findings: w.findings, sums: w.sums, own: w.own, way: w.way, far: w.far.list}, nil
}

// A Collector puts the results of parts together. Results of one part that come
// twice count once.
type Collector struct {
	result  Result
	sums    cert.Sums
	states  states
	numbers map[int]bool
	ways    []numbered // not known yet
	far     []stranger // not known yet
	look    int        // how many there are of both when they are looked up next
}

const firstLook = 1 << 12

// NewCollector returns a collector without results.
func NewCollector(trustful bool) *Collector {
	return &Collector{result: Result{Trusted: trustful}, numbers: map[int]bool{}}
}

// Add adds the result of a part. It fails if the part does not agree with others.
func (c *Collector) Add(r *PartResult) error {
	if c.numbers[r.Number] {
		return nil
	}
	c.numbers[r.Number] = true
	for _, s := range r.own {
		if old := c.states.add(s.print, s.state); old != 0 {
			return &Deviation{Reason: FalseFresh, Text: fmt.Sprintf("state %d of part %d is state %d", s.state, r.Number, old)}
		}
	}
	c.ways = append(c.ways, r.way...)
	c.far = append(c.far, r.far...)
	c.sums.Add(r.sums)
	if n := len(c.ways) + len(c.far); n >= c.look {
		if err := c.resolve(false); err != nil {
			return err
		}
		c.look = 2*(len(c.ways)+len(c.far)) + firstLook
	}
	c.result.Counts.States += r.Counts.States
	c.result.Counts.Transitions += r.Counts.Transitions
	c.result.Counts.Depth = max(c.result.Counts.Depth, r.Counts.Depth)
	for _, f := range r.Findings {
		same := func(g Found) bool { return g.Kind == f.Kind && g.Message == f.Message && g.Pos == f.Pos }
		if !slices.ContainsFunc(c.result.Findings, same) {
			c.result.Findings = append(c.result.Findings, f)
		}
	}
	return nil
}

// resolve looks up the states that parts came to which others have found. At the end
// all have to be there.
func (c *Collector) resolve(end bool) error {
	ways := c.ways[:0]
	for _, s := range c.ways {
		switch state := c.states.get(s.print); {
		case state == s.state:
		case state == 0 && !end:
			ways = append(ways, s)
		default:
			return &Deviation{Reason: Disagreement, Text: fmt.Sprintf("on the way to a part and in the part that has it state %d is not the same", s.state), States: []uint32{s.state}}
		}
	}
	c.ways = ways
	far := c.far[:0]
	for _, s := range c.far {
		switch state := c.states.get(s.print); {
		case state == 0 && !end:
			far = append(far, s)
		case state == 0:
			return &Deviation{Reason: FalseSeen, Text: "a part came to a state that no part has found"}
		case state >= s.before:
			return &Deviation{Reason: FalseSeen, Text: fmt.Sprintf("state %d was not found before, when a part came to it", state)}
		default:
			c.sums.AddState(s.factors, state)
		}
	}
	c.far = far
	return nil
}

// Result returns the result of all parts, if their sum is what a certificate says
// and no state has two numbers.
func (c *Collector) Result(r *cert.Reader) (*Result, error) {
	slices.SortFunc(c.result.Findings, func(a, b Found) int {
		return cmp.Or(a.Path.Compare(b.Path), strings.Compare(a.Kind, b.Kind), strings.Compare(a.Message, b.Message))
	})
	if len(c.result.Findings) > 0 {
		return &c.result, nil
	}
	if err := c.resolve(true); err != nil {
		return nil, err
	}
	got, want := c.result.Counts, r.Counts
	switch {
	case got.States != want.States || got.Depth != want.Depth:
		return nil, &Deviation{Reason: Unexpected, Text: "the parts together are not the whole"}
	case got.Transitions > want.Transitions && !c.result.Trusted:
		return nil, &Deviation{Reason: Omitted, Text: fmt.Sprintf("there are %d transitions, and the script has %d", got.Transitions, want.Transitions)}
	case got.Transitions < want.Transitions && !c.result.Trusted:
		return nil, &Deviation{Reason: NoSuchStep, Text: fmt.Sprintf("there are %d transitions, and the script has %d", got.Transitions, want.Transitions)}
	}
	if err := compareSums(c.sums, r, c.result.Trusted); err != nil {
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
	r := &crew{o: o, all: NewCollector(trustful), stop: make(chan struct{}), waiting: map[int]examined{}, next: 1}
	parts := make(chan *cert.Part)
	var wg sync.WaitGroup
	for range o.Workers {
		wg.Go(func() {
			sys, err := newSystem()
			if err != nil {
				r.fail(err)
				return
			}
			for p := range parts {
				res, err := CheckPart(p, sys, c.Reduced(), trustful, o)
				r.done(p.Number, examined{res, err})
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

// A crew is what the workers have in common. Results are put together in the order of the parts, whoever is
// faster: so what an examination ends with does not depend on that. Parts are handed out in that
// order, too, and each that was is examined to its end.
type crew struct {
	o       Options
	mu      sync.Mutex
	all     *Collector
	waiting map[int]examined // by number, until it is their turn
	next    int              // the part whose turn it is
	stop    chan struct{}    // closed when it is over
	over    bool
	err     error
	sum     uint64
}

// An examined is how the examination of a part has ended.
type examined struct {
	res *PartResult
	err error
}

// fail ends the examination, since there is nobody to examine.
func (r *crew) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.end(err)
}

func (r *crew) end(err error) {
	if !r.over {
		r.over, r.err = true, err
		close(r.stop)
	}
}

// done takes what has come of a part, and adds the results whose turn it is.
func (r *crew) done(part int, x examined) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.waiting[part] = x; !r.over; r.next++ {
		x, ok := r.waiting[r.next]
		if !ok {
			return
		}
		delete(r.waiting, r.next)
		r.add(x)
	}
}

// add adds a result.
func (r *crew) add(x examined) {
	if x.err != nil {
		r.end(x.err)
		return
	}
	if err := r.all.Add(x.res); err != nil {
		r.end(err)
		return
	}
	if r.sum += x.res.Counts.Transitions; r.o.Progress != nil {
		r.o.Progress(r.sum)
	}
	if len(x.res.Findings) > 0 && !r.o.All {
		r.end(nil)
	}
}
