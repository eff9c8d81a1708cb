package drive

import "github.com/heddle-mc/heddle/internal/mem"

// A decision tree holds the effects of steps by what the steps read. A step that
// has read the same values so far reads the same cell next, so an inner node is a
// cell and its branches are values; a leaf is an effect. Each goroutine in one of
// its states has a root.
type decisions struct {
	nodes    []decision
	branches []branch // open addressing; the length is a power of two
	n        int      // branches in use
}

// A decision is a node: one without a cell and an effect is not known yet. It remembers
// the branch that was followed last, which most often is the one that is followed next.
type decision struct {
	cell   mem.Cell
	effect *stepEffect
	value  uint64
	to     uint32 // 0 if none was followed
}

// A branch leads from a node to another if the cell has the value.
type branch struct {
	value    uint64
	from, to uint32 // to is 0 if the place is empty
}

func newDecisions() *decisions {
	return &decisions{nodes: make([]decision, 1, 64), branches: make([]branch, 64)} // node 0 is none
}

// node makes a node.
func (d *decisions) node() uint32 {
	d.nodes = append(d.nodes, decision{})
	return uint32(len(d.nodes) - 1)
}

// place returns where the branch for a value is, or where it would be put.
func (d *decisions) place(from uint32, value uint64) *branch {
	mask := uint64(len(d.branches) - 1)
	for i := mem.HashWord(value^uint64(from)<<40) & mask; ; i = (i + 1) & mask {
		if b := &d.branches[i]; b.to == 0 || b.from == from && b.value == value {
			return b
		}
	}
}

// follow returns the node that a value leads to, and makes it if there is none.
func (d *decisions) follow(from uint32, value uint64) uint32 {
	b := d.place(from, value)
	if b.to != 0 {
		return b.to
	}
	if d.n++; d.n > len(d.branches)/2 {
		old := d.branches
		d.branches = make([]branch, 2*len(old))
		for _, o := range old {
			if o.to != 0 {
				*d.place(o.from, o.value) = o
			}
		}
		b = d.place(from, value)
	}
	*b = branch{value, from, d.node()}
	return b.to
}

// find returns the effect that a step has here, nil if it is not known.
func (d *decisions) find(h *mem.Heap, n uint32) *stepEffect {
	for {
		at := &d.nodes[n]
		if at.effect != nil || at.cell.Obj == 0 {
			return at.effect
		}
		v := h.Load(at.cell)
		if v != at.value || at.to == 0 {
			to := d.place(n, v).to
			if to == 0 {
				return nil
			}
			at.value, at.to = v, to
		}
		n = at.to
	}
}

// add adds an effect. It reports false if the cells that were read do not follow
// from the values: then the step depends on more than them.
func (d *decisions) add(n uint32, cells []mem.Cell, values []uint64, x *stepEffect) bool {
	for i, c := range cells {
		switch at := &d.nodes[n]; {
		case at.effect != nil:
			return false
		case at.cell.Obj == 0:
			at.cell = c
		case at.cell != c:
			return false
		}
		n = d.follow(n, values[i])
	}
	if at := &d.nodes[n]; at.effect != nil || at.cell.Obj != 0 {
		return false
	}
	d.nodes[n].effect = x
	return true
}
