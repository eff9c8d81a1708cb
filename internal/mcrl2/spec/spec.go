package spec

import "github.com/heddle-mc/heddle/internal/diag"

// A Data is the data part of a specification.
type Data struct {
	Sorts *Sorts
	Lib   *Library // made the functions of the language that expressions mention
	Funcs []*Func  // maps and constructors of the specification, projections and recognisers included
	Eqns  []*Equation
	// Aliases are the names of sorts that are gone: who reads further text, a
	// formula say, still needs them.
	Aliases []Alias
}

// An Alias is a name for a sort that has another one.
type Alias struct {
	Name string
	Of   *Sort
}

// An Equation is Cond -> Left = Right. Cond is nil if there is none.
type Equation struct {
	Vars              []*Var
	Cond, Left, Right Expr
	At                diag.Pos
}

// A Spec is a whole specification.
type Spec struct {
	*Data
	Actions []*Action
	Globals []*Var // of glob: any value will do
	Procs   []*Process
	Init    Proc
}

// An LPS is a linear process: one process with parameters and summands.
//
//	proc P(params) = Σ sum vars. cond -> multi-action @ time . P(next) + …;
//	init P(init);
type LPS struct {
	*Data
	Actions  []*Action
	Globals  []*Var
	Params   []*Var
	Summands []*Summand
	Init     []Expr // one for each parameter, closed but for global variables
	// Draws is the name of actions that stand for random draws (dist), or empty.
	// Their first argument is the probability. A state has nothing but draws or
	// none.
	Draws string
}

// DrawName is the usual name of draws. An action of a linear process that has it,
// and a probability as its first argument, is one.
const DrawName = "Probability"

// A Summand is one alternative of a linear process.
type Summand struct {
	Vars  []*Var
	Cond  Expr
	Multi []ActionCall // none is tau; the order does not matter
	Delta bool         // does nothing, perhaps until a time: Multi and Next mean nothing
	Time  Expr         // or nil
	Next  []Expr       // one for each parameter: the parameter itself if it keeps its value
	At    diag.Pos
}

// An ActionCall is an action with its arguments.
type ActionCall struct {
	Action *Action
	Args   []Expr
}
