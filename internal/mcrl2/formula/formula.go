// Package formula holds state formulas of the modal mu-calculus as the type
// checker hands them on: names are resolved and expressions have their sorts.
//
//	text ─syntax─► tree ─types.LoadFormula─► formula.Formula
//
// The package holds data. It evaluates nothing.
package formula

import (
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// A Formula is a state formula about a specification.
type Formula struct {
	// Data is the data part of the specification with what the formula declares.
	Data *spec.Data
	Body State
}

// A State is a state formula. It is one of *Bool, *Val, *Not, *And, *Or, *Implies,
// *Forall, *Exists, *Must, *May, *Fix, *Var, *Delay and *Yaled.
type State interface{ Pos() diag.Pos }

// The state formulas.
type (
	// Bool is true or false.
	Bool struct {
		Value bool
		spec.Place
	}
	// Val is a data expression of sort Bool.
	Val struct {
		E spec.Expr
		spec.Place
	}
	// Not is !X. No fixed point is used under an odd number of negations between
	// it and its use.
	Not struct {
		X State
		spec.Place
	}
	// And is X && Y.
	And struct {
		X, Y State
		spec.Place
	}
	// Or is X || Y.
	Or struct {
		X, Y State
		spec.Place
	}
	// Implies is X => Y: X counts as negated.
	Implies struct {
		X, Y State
		spec.Place
	}
	// Forall is forall Vars. X.
	Forall struct {
		Vars []*spec.Var
		X    State
		spec.Place
	}
	// Exists is exists Vars. X.
	Exists struct {
		Vars []*spec.Var
		X    State
		spec.Place
	}
	// Must is [R]X: X holds after each sequence of actions in R.
	Must struct {
		R Regular
		X State
		spec.Place
	}
	// May is <R>X: X holds after some sequence of actions in R.
	May struct {
		R Regular
		X State
		spec.Place
	}
	// Fix is nu Name(Params = Init). X, or mu if Greatest is not set.
	Fix struct {
		Greatest bool
		Name     string
		Params   []*spec.Var
		Init     []spec.Expr
		X        State
		spec.Place
	}
	// Var is the use of a fixed point with a value for each parameter.
	Var struct {
		Fix  *Fix
		Args []spec.Expr
		spec.Place
	}
	// Delay says that time can pass, until Time if it is not nil.
	Delay struct {
		Time spec.Expr
		spec.Place
	}
	// Yaled says that time cannot pass, until Time if it is not nil.
	Yaled struct {
		Time spec.Expr
		spec.Place
	}
)

// A Regular is a regular formula: a set of sequences of actions. It is one of
// *Step, *Seq, *Alt and *Iter.
type Regular interface{ Pos() diag.Pos }

// The regular formulas.
type (
	// Step is one action that is in A.
	Step struct {
		A Action
		spec.Place
	}
	// Seq is X . Y.
	Seq struct {
		X, Y Regular
		spec.Place
	}
	// Alt is X + Y.
	Alt struct {
		X, Y Regular
		spec.Place
	}
	// Iter is X*, or X+ if Once is set: then at least once.
	Iter struct {
		X    Regular
		Once bool
		spec.Place
	}
)

// An Action is an action formula: a set of multi-actions. It is one of *Multi,
// *ActBool, *ActVal, *ActNot, *ActAnd, *ActOr, *ActImplies, *ActForall,
// *ActExists and *ActAt.
type Action interface{ Pos() diag.Pos }

// The action formulas.
type (
	// Multi is one multi-action; with no actions it is tau. The order does not
	// matter.
	Multi struct {
		Actions []spec.ActionCall
		spec.Place
	}
	// ActBool is every multi-action or none.
	ActBool struct {
		Value bool
		spec.Place
	}
	// ActVal is every multi-action if E holds and none otherwise.
	ActVal struct {
		E spec.Expr
		spec.Place
	}
	// ActNot is !X.
	ActNot struct {
		X Action
		spec.Place
	}
	// ActAnd is X && Y.
	ActAnd struct {
		X, Y Action
		spec.Place
	}
	// ActOr is X || Y.
	ActOr struct {
		X, Y Action
		spec.Place
	}
	// ActImplies is X => Y.
	ActImplies struct {
		X, Y Action
		spec.Place
	}
	// ActForall is forall Vars. X.
	ActForall struct {
		Vars []*spec.Var
		X    Action
		spec.Place
	}
	// ActExists is exists Vars. X.
	ActExists struct {
		Vars []*spec.Var
		X    Action
		spec.Place
	}
	// ActAt is X @ Time.
	ActAt struct {
		X    Action
		Time spec.Expr
		spec.Place
	}
)

// A System is a parameterised boolean equation system: the left sides of its equations
// are fixed points without Init, whose order matters, and the right sides have neither
// modalities nor fixed points.
type System struct {
	Data      *spec.Data
	Equations []*Fix
	Init      *Var
}
