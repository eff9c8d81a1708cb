package spec

import (
	"math/big"

	"github.com/heddle-mc/heddle/internal/diag"
)

// An Expr is a data expression. It is one of *Var, *Func, *Number, *Apply,
// *Abs and *Where. Expressions are not changed after they were made and may be
// shared.
type Expr interface {
	Sort() *Sort
	Pos() diag.Pos // of the text that it comes from, if any
}

// A Var is a variable. Variables are the same if their pointers are: each
// declaration makes a new one, so that names need not be unique and nothing is
// captured by accident as long as who substitutes under a binder renews it.
type Var struct {
	Name string
	Of   *Sort
	At   diag.Pos
}

// A Func is a function symbol: a constructor, a map, or a function of the
// language. Function symbols are the same if their pointers are. Functions of
// the language are made for each combination of sorts at which they are used, by
// [Library].
type Func struct {
	Name string
	Of   *Sort // a function sort, or the sort of a constant
	At   diag.Pos

	// Op says which function of the language it is. User is for those that the
	// specification declares.
	Op Op
	// Con is set for constructors of named sorts; Index is its place among them.
	Con   bool
	Index int
	// Proj are the projection functions of a constructor of a struct, one for
	// each argument, nil where there is none; Is is its recogniser, or nil.
	Proj []*Func
	Is   *Func
	// Owner is the constructor that a projection (OpProj) or a recogniser
	// (OpIs) belongs to; for a projection Index is the argument. Constructors of
	// one struct may share a projection: it is then in the Proj of each, perhaps
	// at another place, and Owner is the first of them.
	Owner *Func
}

// ArgOf returns which argument of a constructor a projection gives, -1 if that has no such argument: several
// constructors may have it, each at another place.
func (f *Func) ArgOf(c *Func) int {
	for i, p := range c.Proj {
		if p == f {
			return i
		}
	}
	return -1
}

// A Number is a constant of sort Pos, Nat, Int or Real. For sorts other than
// Real it is an integer. The text of a specification only has natural numbers;
// others come from evaluation.
type Number struct {
	Value *big.Rat
	Of    *Sort
	At    diag.Pos
}

// An Apply is a function applied to all of its arguments.
type Apply struct {
	Head Expr // often a *Func
	Args []Expr
	At   diag.Pos
}

// A Binder says what an Abs is.
type Binder uint8

// The binders. A comprehension whose body is Bool is a set, one whose body is
// Nat is a bag; both have one variable.
const (
	Lambda Binder = iota
	Forall
	Exists
	SetOf
	BagOf
)

// An Abs binds variables in its body.
type Abs struct {
	Kind Binder
	Vars []*Var
	Body Expr
	Of   *Sort
	At   diag.Pos
}

// A Where is body whr x = e, … end: the variables stand for the values in the
// body only.
type Where struct {
	Body   Expr
	Vars   []*Var
	Values []Expr
	At     diag.Pos
}

// Sort returns the sort of the variable.
func (v *Var) Sort() *Sort { return v.Of }

// Sort returns the sort of the function.
func (f *Func) Sort() *Sort { return f.Of }

// Sort returns the sort of the number.
func (n *Number) Sort() *Sort { return n.Of }

// Sort returns the sort of the result.
func (a *Apply) Sort() *Sort { return a.Head.Sort().Result }

// Sort returns the sort of the whole: a function, Bool, a set or a bag.
func (a *Abs) Sort() *Sort { return a.Of }

// Sort returns the sort of the body.
func (w *Where) Sort() *Sort { return w.Body.Sort() }

// Pos returns where the variable was declared.
func (v *Var) Pos() diag.Pos { return v.At }

// Pos returns where the function was declared.
func (f *Func) Pos() diag.Pos { return f.At }

// Pos returns where the number stands.
func (n *Number) Pos() diag.Pos { return n.At }

// Pos returns where the application stands.
func (a *Apply) Pos() diag.Pos { return a.At }

// Pos returns where the binder stands.
func (a *Abs) Pos() diag.Pos { return a.At }

// Pos returns where the clause stands.
func (w *Where) Pos() diag.Pos { return w.At }
