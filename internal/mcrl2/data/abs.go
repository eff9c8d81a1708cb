package data

import (
	"sort"
	"strconv"
	"strings"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// A template is a binder with its body. Its values are terms of what the body
// captured. Binders that read alike share one template, so that their values are
// the same if what they captured is.
type template struct {
	abs      *spec.Abs
	captured []*spec.Var
	body     code // compiled when first needed, over captured values and arguments
	size     int
}

func (t *template) frameSize(e *Engine) int {
	if t.body == nil {
		sc := e.NewScope(t.captured...)
		for _, v := range t.abs.Vars {
			sc.Add(v)
		}
		t.body = e.compile(t.abs.Body, sc).code()
		t.size = sc.size
	}
	return t.size
}

// templateOf returns the symbol of a binder: the function, or what is left of a
// quantifier that could not be decided.
func (e *Engine) templateOf(x *spec.Abs, captured []*spec.Var, kind symbolKind) *symbol {
	var b strings.Builder
	if kind == quantified {
		b.WriteString([...]string{spec.Forall: "forall", spec.Exists: "exists"}[x.Kind])
	}
	names := map[*spec.Var]string{}
	for i, v := range captured {
		names[v] = "c" + strconv.Itoa(i) + ":" + v.Of.String()
	}
	writeAbs(&b, x, names)
	text := b.String()
	s := e.byTemplate[text]
	if s == nil {
		s = e.newSymbol(kind, text)
		s.template = &template{abs: x, captured: captured}
		for _, v := range captured {
			s.args = append(s.args, v.Of)
		}
		e.byTemplate[text] = s
	}
	return s
}

// writeExpr writes an expression so that expressions that differ only in the
// names of bound variables read alike.
func writeExpr(b *strings.Builder, x spec.Expr, names map[*spec.Var]string) {
	switch x := x.(type) {
	case *spec.Var:
		if n, ok := names[x]; ok {
			b.WriteString(n)
		} else {
			b.WriteString("?" + x.Name)
		}
	case *spec.Func:
		b.WriteString(x.Name + ":" + x.Of.String())
	case *spec.Number:
		b.WriteString(x.Value.RatString())
	case *spec.Apply:
		writeExpr(b, x.Head, names)
		b.WriteByte('(')
		for _, a := range x.Args {
			writeExpr(b, a, names)
			b.WriteByte(',')
		}
		b.WriteByte(')')
	case *spec.Abs:
		b.WriteString(strconv.Itoa(int(x.Kind)))
		writeAbs(b, x, names)
	case *spec.Where:
		b.WriteString("where")
		for _, v := range x.Values {
			writeExpr(b, v, names)
			b.WriteByte(';')
		}
		for _, v := range x.Vars {
			names[v] = "b" + strconv.Itoa(len(names)) + ":" + v.Of.String()
		}
		writeExpr(b, x.Body, names)
		b.WriteString("end")
	}
}

func writeAbs(b *strings.Builder, x *spec.Abs, names map[*spec.Var]string) {
	b.WriteString("\\")
	for _, v := range x.Vars {
		names[v] = "b" + strconv.Itoa(len(names)) + ":" + v.Of.String()
		b.WriteString(names[v] + " ")
	}
	writeExpr(b, x.Body, names)
	b.WriteString(".")
}

// capture returns code that makes the value of a template.
func (e *Engine) capture(s *symbol, slots []int) operand {
	if len(slots) == 0 {
		return constantOperand(e.makeOf(s, nil))
	}
	return codeOperand(func(f []Value) Value {
		fr := e.frame(len(slots))
		for i, k := range slots {
			fr[i] = f[k]
		}
		v := e.makeOf(s, fr)
		e.top -= len(slots)
		return v
	})
}

func (e *Engine) compileAbs(x *spec.Abs, sc *Scope) operand {
	captured := spec.FreeVars(x)
	slots := make([]int, len(captured))
	for i, v := range captured {
		slots[i] = e.compile(v, sc).slot
	}
	switch x.Kind {
	case spec.Lambda:
		return e.capture(e.templateOf(x, captured, lambda), slots)
	case spec.SetOf:
		return e.compileSet(x, sc, e.capture(e.templateOf(x, captured, lambda), slots))
	case spec.BagOf:
		return e.compileBag(x, e.capture(e.templateOf(x, captured, lambda), slots))
	}
	return e.compileQuantifier(x, sc, e.capture(e.templateOf(x, captured, quantified), slots))
}

// compileSet compiles a set comprehension. If its elements can be enumerated it
// is a finite set.
func (e *Engine) compileSet(x *spec.Abs, sc *Scope, fn operand) operand {
	function := fn.code()
	elem := x.Vars[0].Of
	slot := sc.Add(x.Vars[0])
	p := e.plan(sc, x.Vars, []int{slot}, []conjunct{{x.Body, false}}, x.At)
	open := func(f []Value) Value {
		v := function(f)
		return e.make(e.kinds[setOf], v, none)
	}
	o := codeOperand(func(f []Value) Value {
		if p.narrows {
			return open(f)
		}
		r := &run{e: e, plan: p, mode: collect, slot: slot, most: maxListed}
		r.from(f, 0, True)
		if r.undecided {
			return open(f)
		}
		m := r.found
		sort.Slice(m, func(i, j int) bool { return e.compare(elem, m[i], m[j]) < 0 })
		set := none
		for _, v := range m { // one point may be found more than once
			next, ok := e.insert(elem, v, set)
			if !ok {
				return open(f)
			}
			set = next
		}
		return set
	})
	if fn.closed {
		return e.once(o.fn)
	}
	return o
}

func (e *Engine) compileBag(x *spec.Abs, fn operand) operand {
	function := fn.code()
	elem := x.Vars[0].Of
	o := codeOperand(func(f []Value) Value {
		v := function(f)
		open := e.make(e.kinds[bagOf], v)
		if !e.isListed(elem) {
			return open
		}
		bag, ok := none, true
		for _, x := range e.elementsOf(elem) {
			if bag, ok = e.addToBag(elem, x, e.applyTo(v, x), bag); !ok {
				return open
			}
		}
		return bag
	})
	if fn.closed {
		return e.once(o.fn)
	}
	return o
}

// compileQuantifier compiles forall and exists. forall x. b is !exists x. !b.
func (e *Engine) compileQuantifier(x *spec.Abs, sc *Scope, left operand) operand {
	forall := x.Kind == spec.Forall
	slots := make([]int, len(x.Vars))
	for i, v := range x.Vars {
		slots[i] = sc.Add(v)
	}
	p := e.plan(sc, x.Vars, slots, []conjunct{{x.Body, forall}}, x.At)
	body := e.compile(x.Body, sc).code()
	leftOver := left.code()
	flip := truth(forall)
	o := codeOperand(func(f []Value) Value {
		r := run{e: e, plan: p, mode: decide, acc: False}
		r.from(f, 0, True)
		if r.acc == True {
			return True ^ flip
		}
		if !r.undecided {
			if r.acc == False {
				return False ^ flip
			}
			if !forall {
				return r.acc
			}
			return e.call1(e.negation, r.acc)
		}
		// It may be decided for any value at all.
		for i, v := range x.Vars {
			f[slots[i]] = e.variable(v)
		}
		if v := body(f); v.isBool() {
			return v
		}
		return leftOver(f)
	})
	if left.closed {
		return e.once(o.fn)
	}
	return o
}
