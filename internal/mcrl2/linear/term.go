package linear

import (
	"strconv"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// A term is a symbolic state of a leaf: process expressions of the text, put
// together by the operators that were on the way, each with the values of its
// free variables. It is one of *frame, *seqTerm, *parTerm and *wrapTerm. The end
// of a process is a nil term.
type term interface{}

type (
	// A frame is a process expression with values for its free variables.
	frame struct {
		node spec.Proc
		env  spec.Subst
	}
	// A seqTerm is what is left of the left side of node, and then the right.
	seqTerm struct {
		node  *spec.Seq
		first term
		rest  *frame
	}
	// A parTerm has what is left of both sides of node, one of *spec.Par,
	// *spec.LeftMerge and *spec.Sync.
	parTerm struct {
		node        spec.Proc
		left, right term
	}
	// A wrapTerm has what is left of the body of node.
	wrapTerm struct {
		node spec.Proc
		body term
	}
)

// frameOf returns the frame of a process expression. A call is replaced by the
// body of the process, so that it does not matter who called.
func (l *lineariser) frameOf(p spec.Proc, env spec.Subst) *frame {
	called := map[*spec.Process]bool{}
	for {
		c, ok := p.(*spec.Call)
		if !ok {
			break
		}
		if called[c.Process] {
			refuse(c.At, "process %s calls itself without an action before the call", c.Process.Name)
		}
		called[c.Process] = true
		p, env = l.bodyOf(c.Process), callEnv(c, env)
	}
	own := spec.Subst{}
	for _, v := range l.freeVars(p) {
		if e, ok := env[v]; ok {
			own[v] = e
		} else {
			own[v] = v
		}
	}
	return &frame{p, own}
}

// callEnv returns the values of the parameters in a call.
func callEnv(c *spec.Call, env spec.Subst) spec.Subst {
	inner := make(spec.Subst, len(c.Args))
	for i, a := range c.Args {
		inner[c.Process.Params[i]] = env.Apply(a)
	}
	return inner
}

// inSequence returns first and then rest. What comes after a process that never
// ends is left out.
func (l *lineariser) inSequence(node *spec.Seq, first term, rest *frame) term {
	if first == nil {
		return rest
	}
	if !l.termCanEnd(first) {
		return first
	}
	return &seqTerm{node, first, rest}
}

// termCanEnd reports whether a term may end.
func (l *lineariser) termCanEnd(t term) bool {
	switch t := t.(type) {
	case *frame:
		return l.canEnd(t.node)
	case *seqTerm:
		return l.termCanEnd(t.first) && l.canEnd(t.rest.node)
	case *parTerm:
		return l.termCanEnd(t.left) && l.termCanEnd(t.right)
	case *wrapTerm:
		return l.termCanEnd(t.body)
	}
	return true
}

func inParallel(node spec.Proc, left, right term) term {
	switch {
	case left == nil:
		return right
	case right == nil:
		return left
	}
	return &parTerm{node, left, right}
}

func inWrap(node spec.Proc, body term) term {
	if body == nil {
		return nil
	}
	return &wrapTerm{node, body}
}

// key returns what terms have in common that differ only in values and in where
// they stand in the text.
func (l *lineariser) key(t term) string { return string(l.appendKey(nil, t)) }

func (l *lineariser) appendKey(b []byte, t term) []byte {
	number := func(op byte, n int) { b = strconv.AppendInt(append(b, op), int64(n), 10) }
	switch t := t.(type) {
	case nil:
		b = append(b, '.')
	case *frame:
		number('f', l.id(t.node))
	case *seqTerm:
		number('s', l.id(t.rest.node))
		b = l.appendKey(b, t.first)
	case *parTerm:
		b = append(b, 'p')
		b = l.appendKey(b, t.left)
		b = l.appendKey(b, t.right)
	case *wrapTerm:
		number('w', l.wrapID(t.node))
		b = l.appendKey(b, t.body)
	}
	return b
}

// frames appends the frames of a term from left to right.
func frames(dst []*frame, t term) []*frame {
	switch t := t.(type) {
	case *frame:
		dst = append(dst, t)
	case *seqTerm:
		dst = append(frames(dst, t.first), t.rest)
	case *parTerm:
		dst = frames(frames(dst, t.left), t.right)
	case *wrapTerm:
		dst = frames(dst, t.body)
	}
	return dst
}

// withEnvs returns t with other values, those of its frames from left to right.
func withEnvs(t term, envs *[]spec.Subst) term {
	take := func(f *frame) *frame {
		e := (*envs)[0]
		*envs = (*envs)[1:]
		return &frame{f.node, e}
	}
	switch t := t.(type) {
	case *frame:
		return take(t)
	case *seqTerm:
		first := withEnvs(t.first, envs)
		return &seqTerm{t.node, first, take(t.rest)}
	case *parTerm:
		left := withEnvs(t.left, envs)
		return &parTerm{t.node, left, withEnvs(t.right, envs)}
	case *wrapTerm:
		return &wrapTerm{t.node, withEnvs(t.body, envs)}
	}
	return nil
}

// notRegular is the panic of a process that needs a stack.
type notRegular struct{}

// checkNesting refuses terms that have a place of the text inside of itself:
// there are then terms of any size.
func checkNesting(t term, outer []spec.Proc) {
	inside := func(p spec.Proc) []spec.Proc {
		for _, o := range outer {
			if o != p {
				continue
			}
			switch p.(type) {
			case *spec.Seq:
				panic(notRegular{})
			case *spec.Block, *spec.Hide, *spec.Rename, *spec.Comm, *spec.Allow:
				refuse(p.Pos(), "recursion through an operator on actions")
			default:
				refuse(p.Pos(), "recursion through a parallel operator")
			}
		}
		return append(outer[:len(outer):len(outer)], p)
	}
	switch t := t.(type) {
	case *seqTerm:
		checkNesting(t.first, inside(t.node))
	case *parTerm:
		in := inside(t.node)
		checkNesting(t.left, in)
		checkNesting(t.right, in)
	case *wrapTerm:
		checkNesting(t.body, inside(t.node))
	}
}
