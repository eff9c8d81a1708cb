package execute

import (
	"bytes"
	"slices"
)

// Processes of a group are alike if they run the same program with the same
// arguments. As long as two of them have not begun, nothing in the state tells one
// from the other: what follows if the second one begins is what follows if the
// first one does, with the two of them exchanged. So of those that have not begun,
// reduction follows only the first. That is a reduction by symmetry; it cuts off
// the other orders where they begin, so that of n processes that are alike one
// order of n! is left.
//
// What is exchanged, too, are names: which process it is that a finding is about,
// and the ports that the kernel has chosen, which depend on the number of the
// process. A kernel may choose any.

// same reports whether two members are alike.
func (m *Member) same(o *Member) bool {
	p, q := &m.Process, &o.Process
	return m.Program == o.Program && slices.Equal(p.Args, q.Args) && slices.Equal(p.Env, q.Env) &&
		p.Dir == q.Dir && p.Server == q.Server && p.Stdin == nil && q.Stdin == nil && p.Seed == q.Seed
}

// kindOf returns the number of the first member that the i-th one is like.
func kindOf(members []Member, i int) int {
	return slices.IndexFunc(members, func(o Member) bool { return members[i].same(&o) })
}

// runOf is kindOf for those that stand side by side. What else is named between two that are
// alike tells them apart: the second one waits for it to listen (kernel.Early).
func runOf(members []Member, i int) int {
	for i > 0 && members[i].same(&members[i-1]) {
		i--
	}
	return i
}

// begun reports whether a process is not where it was at the start.
func (g *Group) begun(part int) bool {
	g.buf = g.appendPart(g.buf[:0], part)
	return !bytes.Equal(g.buf, g.fresh[part])
}

// appendPart appends what a key tells of one process alone.
func (g *Group) appendPart(dst []byte, part int) []byte {
	return g.kernels[part].AppendKey(g.ms[part].AppendKey(dst))
}

// firstAlike leaves out, of steps that are enough to follow, those of processes that have
// not begun if one before them that is alike has not either. Steps come in the order of
// processes.
func (g *Group) firstAlike(steps []jointStep) []jointStep {
	var kinds, later uint32 // kinds of which one is to begin, and processes that are not to
	for i, j := range steps {
		part := j.machine
		if i > 0 && steps[i-1].machine == part || !g.several[part] || g.begun(part) {
			continue
		}
		if kind := uint32(1) << g.kinds[part]; kinds&kind == 0 {
			kinds |= kind
		} else {
			later |= 1 << part
		}
	}
	if later == 0 {
		return steps
	}
	return slices.DeleteFunc(steps, func(j jointStep) bool { return later>>j.machine&1 != 0 })
}
