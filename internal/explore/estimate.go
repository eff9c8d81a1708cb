package explore

import "math"

// How large a search will be is guessed from its stack. In a tree, what is done is known from there: of each state on the
// stack, so many of its steps are over, and each of them counts for the same part of what is below the state (Knuth, 1975; Kilby, Slaney,
// Thiébaux and Walsh, 2006). A graph has fewer states than its tree, since the first step of a state leads to most of what
// others would lead to, too. So where the part of the tree that is done has grown by a factor, the number of states has grown by a power of
// that factor. The exponent is 1 in a tree, and is learnt from how the search has gone so far: it has
// lines, on paper with two logarithmic scales, through what was seen at some moments and what is seen now.
//
//	log states
//	    │                · · ·  estimate: where all of the tree is done
//	    │          · · ×  now
//	    │    ×  ×
//	    │ ×
//	    └──────────────────────  log of the part that is done
//
// Of a search that goes down all the time, or finds more and more below one step, nothing is said: it may have no end.

// An Estimate says how many states a search has not seen, as far as can be guessed. The zero Estimate says nothing.
type Estimate struct {
	Left    int64
	AtLeast bool  // there are likely more
	Time    int64 // nanoseconds that they take at this rate; 0 without a clock
}

// Known reports whether an estimate says something.
func (e Estimate) Known() bool { return e.Left > 0 }

const (
	// Before a search has gone far its exponent is taken to be usual, and counts for as much as points at this distance squared.
	usualExponent = 0.2
	usualWeight   = 5
	// What is much larger than what was seen has only been tried to be that much larger at least.
	farther, least = 1000, 10
	// minStates is how many states have to be seen for a guess.
	minStates = 20
	// A search is getting nowhere if it has seen twice the states, and so little more of the tree is done, as a logarithm.
	nowhere = 0.05
)

// A moment is how far a search was.
type moment struct {
	states int64
	depth  int     // of the deepest state
	done   float64 // the part of the tree, as a logarithm
	down   bool    // it has come back from nowhere yet
}

// A sizing remembers some moments of a search.
type sizing struct {
	moments []moment
	next    int64 // after so many transitions comes the next one
	distant bool  // see At
}

// remember notes a moment, each time that there are a tenth more transitions.
func (d *depthFirst) remember() {
	d.sizing.next = d.transitions + max(d.transitions/10, 4)
	if d.jobs != nil {
		d.sizing.next = math.MaxInt64 // workers have a part of the stack each
		return
	}
	now := d.moment()
	d.sizing.distant = d.sizing.factor(now) > farther
	d.sizing.moments = append(d.sizing.moments, now)
}

// moment returns how far the search is.
func (d *depthFirst) moment() moment {
	m := moment{states: d.states(), depth: d.maxDepth, down: true}
	part, done, above := 1.0, 0.0, 1.0
	for i := range d.stack {
		f := &d.stack[i]
		n := float64(f.hi - f.lo)
		if over := float64(f.next-f.lo) - 1; over > 0 { // the last one taken is under way
			m.down = false
			done += part * over / n
		}
		if m.down {
			if above *= n; above > 1e100 { // a logarithm of each would take long
				m.done -= math.Log(above)
				above = 1
			}
		} else if part /= n; part < 1e-15 {
			break
		}
	}
	if m.done -= math.Log(above); !m.down {
		m.done += math.Log(done)
	}
	return m
}

// estimate guesses what is left.
func (d *depthFirst) estimate() (e Estimate) {
	if d.jobs != nil || len(d.stack) == 0 {
		return e
	}
	now := d.moment()
	factor := d.sizing.factor(now)
	if factor <= 1 {
		return e
	}
	if factor > farther {
		factor, e.AtLeast = least, true
	}
	if e.Left = int64(math.Min((factor-1)*float64(now.states), math.MaxInt64/2)); e.Left > 0 && d.o.Clock != nil {
		took := float64(d.o.Clock() - d.began)
		if seen := now.states - d.resumed; seen > 0 {
			e.Time = int64(math.Min(took*float64(e.Left)/float64(seen), math.MaxInt64/2))
		}
	}
	return e
}

// factor guesses how many times the states that were seen there are, or returns 0.
func (s *sizing) factor(now moment) float64 {
	half := -1
	for i, m := range s.moments {
		if 2*m.states <= now.states {
			half = i
		}
	}
	if now.down || now.states < minStates || half < 0 {
		return 0
	}
	before := s.moments[half]
	if 2*now.depth > 3*before.depth && int64(4*now.depth) > now.states || !before.down && now.done-before.done < nowhere {
		return 0
	}
	n, xx, xy := 0.0, 0.0, 0.0
	for _, m := range s.moments {
		if !m.down {
			x, y := now.done-m.done, math.Log(float64(now.states)/float64(m.states))
			n, xx, xy = n+1, xx+x*x, xy+x*y
		}
	}
	n = max(n, 1)
	exponent := (xy/n + usualWeight*usualExponent) / (xx/n + usualWeight)
	return math.Exp(-now.done * min(exponent, 1))
}
