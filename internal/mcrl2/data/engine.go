package data

import (
	"fmt"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// Options bound an evaluation. Zero values mean the defaults.
type Options struct {
	// Steps is how many equations one evaluation may apply.
	Steps int64
	// Depth is how deep calls of functions may be nested.
	Depth int
	// Terms is how many partial terms may be made to enumerate a variable of an
	// infinite sort.
	Terms int
}

const (
	defaultSteps = 20_000_000
	defaultDepth = 200_000
	defaultTerms = 100_000
)

// An Engine evaluates expressions of one specification. It is for one
// goroutine.
type Engine struct {
	store
	signature
	calls
	data    *spec.Data
	options Options

	sorts      map[*spec.Sort]*sortInfo
	vars       []*spec.Var
	varNumbers map[*spec.Var]int
	keys       []contentHash
	holes      map[holeKey]Value
	bools      [2]spec.Expr // false, true

	evals map[spec.Expr]*evaluation
}

// A signature has the symbols that terms begin with: functions of the
// specification, of the library, and what the engine needs itself.
type signature struct {
	symbols      []*symbol
	kinds        [numSymbolKinds]*symbol
	combinations [numCombinations]*symbol
	byFunc       map[*spec.Func]*symbol
	byOp         map[libraryKey]*symbol
	byTemplate   map[string]*symbol
	constants    map[*spec.Func]*constant // functions of function sort with an equation for themselves

	negation, conjunction, disjunction, addition *symbol // for terms that are not decided
}

// The calls are the evaluation that is going on: its frames, and how much of the
// limits is left.
type calls struct {
	stack []Value // frames of calls
	top   int
	steps int64 // how many more equations may be applied
	depth int
	open  int // conditionals that are being evaluated on both sides

	// The call that the function on top ends with, which takes its place.
	tailSymbol *symbol
	tailFrame  []Value
}

// New compiles the equations of a specification. It refuses equations that
// cannot be rules.
func New(d *spec.Data, o Options) (*Engine, error) {
	if o.Steps == 0 {
		o.Steps = defaultSteps
	}
	if o.Depth == 0 {
		o.Depth = defaultDepth
	}
	if o.Terms == 0 {
		o.Terms = defaultTerms
	}
	e := &Engine{
		store: newStore(), data: d, options: o,
		signature: signature{
			byFunc: map[*spec.Func]*symbol{}, byOp: map[libraryKey]*symbol{}, byTemplate: map[string]*symbol{},
			constants: map[*spec.Func]*constant{},
		},
		calls: calls{stack: make([]Value, 1<<10)},
		sorts: map[*spec.Sort]*sortInfo{}, varNumbers: map[*spec.Var]int{}, evals: map[spec.Expr]*evaluation{},
	}
	e.makeKinds()
	e.makeConnectives()
	if err := e.protect(func() {
		for _, q := range d.Eqns {
			e.addEquation(q)
		}
	}); err != nil {
		return nil, err
	}
	return e, nil
}

// A failure is what evaluation panics with. It becomes an error at the border of
// the package.
type failure struct{ err *diag.Error }

// protect calls f and returns the error that it failed with.
func (e *Engine) protect(f func()) (err error) {
	top, depth, open := e.top, e.depth, e.open
	defer func() {
		if r := recover(); r != nil {
			x, ok := r.(failure)
			if !ok {
				panic(r)
			}
			e.top, e.depth, e.open = top, depth, open
			err = x.err
		}
	}()
	f()
	return nil
}

func fail(err *diag.Error) { panic(failure{err}) }

// frame returns room for n values on the stack. It is given back by lowering
// top.
func (e *Engine) frame(n int) []Value {
	if e.top+n > len(e.stack) {
		e.stack = make([]Value, 2*(e.top+n)) // frames below stay where they are
	}
	f := e.stack[e.top : e.top+n : e.top+n]
	e.top += n
	return f
}

// A Scope gives variables their places in frames.
type Scope struct {
	e     *Engine
	slots map[*spec.Var]int
	size  int
}

// NewScope returns a scope in which the variables have the first places.
func (e *Engine) NewScope(vars ...*spec.Var) *Scope {
	sc := &Scope{e: e, slots: map[*spec.Var]int{}}
	for _, v := range vars {
		sc.Add(v)
	}
	return sc
}

// Add gives a variable the next place and returns it.
func (sc *Scope) Add(v *spec.Var) int {
	sc.slots[v] = sc.size
	sc.size++
	return sc.size - 1
}

// Size is how many places frames need for what was compiled so far.
func (sc *Scope) Size() int { return sc.size }

// Code is a compiled expression.
type Code struct {
	e  *Engine
	fn code
	at diag.Pos
	of *spec.Sort
}

// Compile compiles an expression all of whose free variables are in the scope.
func (e *Engine) Compile(x spec.Expr, sc *Scope) (*Code, error) {
	var c operand
	if err := e.protect(func() { c = e.compile(x, sc) }); err != nil {
		return nil, err
	}
	return &Code{e: e, fn: c.code(), at: x.Pos(), of: x.Sort()}, nil
}

// Eval evaluates the code over a frame of at least the size of its scope.
func (c *Code) Eval(f []Value) (v Value, err error) {
	e := c.e
	top, depth, open := e.top, e.depth, e.open
	e.steps = e.options.Steps
	defer func() {
		if r := recover(); r != nil {
			x, ok := r.(failure)
			if !ok {
				panic(r)
			}
			e.top, e.depth, e.open = top, depth, open
			err = x.err
		}
	}()
	return c.fn(f), nil
}

// Value is Eval inside of a function that [Sum.Each] calls, which returns the
// error if there is one.
func (c *Code) Value(f []Value) Value { return c.fn(f) }

// Truth refuses a value of sort Bool that is neither true nor false.
func (c *Code) Truth(v Value, what string) (bool, error) { return c.e.Truth(v, c.at, what) }

// Ground reports whether a value is made of constructors alone.
func (e *Engine) Ground(v Value) bool { return e.ground(v) }

// Plain reports whether ground values of a sort are equal only if they are the
// same Value.
func (e *Engine) Plain(s *spec.Sort) bool { return e.info(s).plain }

// An evaluation is an expression that was compiled for Eval.
type evaluation struct {
	free  []*spec.Var
	scope *Scope
	code  *Code
}

// An Env gives variables values.
type Env map[*spec.Var]Value

// Eval evaluates an expression. Variables that env does not give stand for
// themselves. The expression is compiled once.
func (e *Engine) Eval(x spec.Expr, env Env) (Value, error) {
	ev := e.evals[x]
	if ev == nil {
		free := spec.FreeVars(x)
		sc := e.NewScope(free...)
		code, err := e.Compile(x, sc)
		if err != nil {
			return 0, err
		}
		ev = &evaluation{free, sc, code}
		e.evals[x] = ev
	}
	top := e.top
	f := e.frame(ev.scope.size)
	defer func() { e.top = top }()
	for i, v := range ev.free {
		if w, ok := env[v]; ok {
			f[i] = w
		} else {
			f[i] = e.variable(v)
		}
	}
	return ev.code.Eval(f)
}

// variable returns the value of a variable that stands for itself.
func (e *Engine) variable(v *spec.Var) Value {
	n, ok := e.varNumbers[v]
	if !ok {
		n = len(e.vars)
		e.vars = append(e.vars, v)
		e.varNumbers[v] = n
	}
	return e.make(e.kinds[variable], small(int64(n)))
}

// Truth returns a value of sort Bool as a bool. It refuses one that is neither
// true nor false.
func (e *Engine) Truth(v Value, at diag.Pos, what string) (bool, error) {
	if v.isBool() {
		return v == True, nil
	}
	return false, e.neither(v, at, what)
}

func (e *Engine) neither(v Value, at diag.Pos, what string) *diag.Error {
	text := e.Format(v, e.data.Sorts.Basic(spec.Bool))
	return diag.RunUnsupportedf(at, "%s is neither true nor false: it rewrites to %s", what, shorten(text))
}

// shorten cuts a text that is too long for a message.
func shorten(s string) string {
	const most = 400
	if len(s) <= most {
		return s
	}
	return fmt.Sprintf("%s… (%d bytes)", s[:most], len(s))
}
