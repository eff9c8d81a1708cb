package spec

import "github.com/heddle-mc/heddle/internal/diag"

// An Action is a declared action. One name may be declared with several lists
// of sorts; each is an Action of its own. Operators such as hide and allow go by
// the name.
type Action struct {
	Name string
	Args []*Sort
	At   diag.Pos
}

// A Process is a declared process.
type Process struct {
	Name   string
	Params []*Var
	Body   Proc
	At     diag.Pos
}

// A Proc is a process expression. It is one of *Act, *Tau, *Delta, *Call, *Seq,
// *Alt, *Par, *LeftMerge, *Sync, *Sum, *Dist, *Cond, *At, *Until, *Block, *Hide,
// *Rename, *Comm and *Allow.
type Proc interface{ Pos() diag.Pos }

// The process expressions.
type (
	// Act is an action.
	Act struct {
		Action *Action
		Args   []Expr
		Place
	}
	// Tau is the action that nobody sees.
	Tau struct{ Place }
	// Delta does nothing.
	Delta struct{ Place }
	// Call is a process with a value for each parameter.
	Call struct {
		Process *Process
		Args    []Expr
		Place
	}
	// Seq is Left . Right.
	Seq struct {
		Left, Right Proc
		Place
	}
	// Alt is Left + Right.
	Alt struct {
		Left, Right Proc
		Place
	}
	// Par is Left || Right.
	Par struct {
		Left, Right Proc
		Place
	}
	// LeftMerge is Left ||_ Right.
	LeftMerge struct {
		Left, Right Proc
		Place
	}
	// Sync is Left | Right: of actions, a multi-action.
	Sync struct {
		Left, Right Proc
		Place
	}
	// Sum is sum x: S. Body.
	Sum struct {
		Vars []*Var
		Body Proc
		Place
	}
	// Dist is dist x: S[Weight]. Body.
	Dist struct {
		Vars   []*Var
		Weight Expr
		Body   Proc
		Place
	}
	// Cond is If -> Then <> Else; Else may be nil, which is delta.
	Cond struct {
		If         Expr
		Then, Else Proc
		Place
	}
	// At is Body @ Time.
	At struct {
		Body Proc
		Time Expr
		Place
	}
	// Until is Left << Right.
	Until struct {
		Left, Right Proc
		Place
	}
	// Block is block({Names}, Body).
	Block struct {
		Names []string
		Body  Proc
		Place
	}
	// Hide is hide({Names}, Body).
	Hide struct {
		Names []string
		Body  Proc
		Place
	}
	// Rename is rename({From[i] -> To[i]}, Body).
	Rename struct {
		From, To []string
		Body     Proc
		Place
	}
	// Comm is comm({From[i] -> To[i]}, Body). From[i] is sorted. To[i] is empty if
	// the communication is hidden.
	Comm struct {
		From [][]string
		To   []string
		Body Proc
		Place
	}
	// Allow is allow({Sets}, Body). Each set is sorted; names may repeat in it.
	Allow struct {
		Sets [][]string
		Body Proc
		Place
	}
)

// A Place is embedded in what has a position.
type Place struct{ At diag.Pos }

// Pos returns the position.
func (p Place) Pos() diag.Pos { return p.At }
