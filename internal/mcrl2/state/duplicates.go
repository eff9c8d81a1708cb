package state

import "github.com/heddle-mc/heddle/internal/mcrl2/data"

// duplicates finds steps of one state with equal labels and targets. Nearly all
// labels of a state differ, so it looks closer only where they do not.
type duplicates struct {
	stamp uint32
	seen  []stamped // by label
	steps []stepOf
}

type stamped struct {
	stamp uint32
	last  int32 // the last step with the label
	mixed bool  // the steps with the label are of several summands
}

// A stepOf is a step that was seen in this state.
type stepOf struct {
	c    *summand
	t    []data.Value
	prev int32 // the step before with the same label, or -1
}

// next begins a state.
func (d *duplicates) next(labels int) {
	if d.stamp++; d.stamp == 0 {
		clear(d.seen)
		d.stamp = 1
	}
	for len(d.seen) < labels {
		d.seen = append(d.seen, stamped{})
	}
	d.steps = d.steps[:0]
}

// add reports whether there is no step with this label and target yet.
func (d *duplicates) add(s *System, c *summand, t []data.Value) bool {
	x := &d.seen[t[0]]
	prev, mixed := int32(-1), false
	if x.stamp == d.stamp {
		prev = x.last
		mixed = x.mixed || d.steps[prev].c != c
	}
	if mixed {
		for k := prev; k >= 0; k = d.steps[k].prev {
			if o := &d.steps[k]; o.c != c && mayAgree(c, t, o) && sameTarget(s.state, c, t, o.c, o.t) {
				return false
			}
		}
	}
	*x = stamped{d.stamp, int32(len(d.steps)), mixed}
	d.steps = append(d.steps, stepOf{c, t, prev})
	return true
}

// mayAgree compares by how much the hash of the state changes, where that is known.
func mayAgree(c *summand, t []data.Value, o *stepOf) bool {
	if len(c.blind)+len(o.c.blind) > 0 {
		return true
	}
	return t[c.width-1] == o.t[o.c.width-1] && t[c.width-2] == o.t[o.c.width-2]
}

// sameTarget reports whether two steps from a state lead to the same one.
func sameTarget(state []data.Value, c *summand, t []data.Value, d *summand, u []data.Value) bool {
	i, k := 0, 0
	for i < len(c.writes) || k < len(d.writes) {
		switch {
		case k == len(d.writes) || i < len(c.writes) && c.writes[i] < d.writes[k]:
			if t[1+i] != state[c.writes[i]] {
				return false
			}
			i++
		case i == len(c.writes) || d.writes[k] < c.writes[i]:
			if u[1+k] != state[d.writes[k]] {
				return false
			}
			k++
		default:
			if t[1+i] != u[1+k] {
				return false
			}
			i, k = i+1, k+1
		}
	}
	return true
}
