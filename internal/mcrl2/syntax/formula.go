package syntax

// A Formula is a state formula of the modal mu-calculus with what it declares.
type Formula struct {
	Spec *Spec // sorts, constructors, maps, equations and actions; never nil
	Body State
}

// A State is a state formula: *StateBool, *StateVal, *StateVar, *StateDelay,
// *StateFix, *StateQuant, *StateModal, *StateUnary, *StateBinary or *StateScale.
type State interface{ Expr }

// The state formulas.
type (
	// StateBool is true or false.
	StateBool struct {
		Value bool
		Place
	}
	// StateVal is val(E).
	StateVal struct {
		E Expr
		Place
	}
	// StateVar is Name or Name(Args).
	StateVar struct {
		Name string
		Args []Expr
		Place
	}
	// StateDelay is Op or Op @ Time, where Op is delay or yaled.
	StateDelay struct {
		Op   string
		Time Expr // or nil
		Place
	}
	// StateFix is Op Name(Params[i] = Init[i], …) . Body, where Op is mu or nu.
	StateFix struct {
		Op     string
		Name   string
		Params []*VarDecl
		Init   []Expr
		Body   State
		Place
	}
	// StateQuant is Kind Vars . Body, where Kind is forall, exists, inf, sup or sum.
	StateQuant struct {
		Kind string
		Vars []*VarDecl
		Body State
		Place
	}
	// StateModal is [R] Body if Must is set, and <R> Body otherwise.
	StateModal struct {
		Must bool
		R    Regular
		Body State
		Place
	}
	// StateUnary is Op X, where Op is ! or -.
	StateUnary struct {
		Op string
		X  State
		Place
	}
	// StateBinary is X Op Y, where Op is +, =>, || or &&.
	StateBinary struct {
		Op   string
		X, Y State
		Place
	}
	// StateScale is val(By) * X.
	StateScale struct {
		By Expr
		X  State
		Place
	}
)

// A Regular is a regular formula: a set of sequences of actions. It is one of
// *RegMulti, *RegBool, *RegVal, *RegNot, *RegQuant, *RegAt, *RegBinary and
// *RegIter. Those without *RegIter and the operators + and . are action
// formulas.
type Regular interface{ Expr }

// The regular formulas.
type (
	// RegMulti is Actions[0] | Actions[1] | …; none is tau.
	RegMulti struct {
		Actions []*Call
		Place
	}
	// RegBool is true, which is every action, or false.
	RegBool struct {
		Value bool
		Place
	}
	// RegVal is val(E).
	RegVal struct {
		E Expr
		Place
	}
	// RegNot is !X.
	RegNot struct {
		X Regular
		Place
	}
	// RegQuant is Kind Vars . Body, where Kind is forall or exists.
	RegQuant struct {
		Kind string
		Vars []*VarDecl
		Body Regular
		Place
	}
	// RegAt is X @ Time.
	RegAt struct {
		X    Regular
		Time Expr
		Place
	}
	// RegBinary is X Op Y, where Op is +, ., =>, || or &&.
	RegBinary struct {
		Op   string
		X, Y Regular
		Place
	}
	// RegIter is X* or, if Op is +, X+.
	RegIter struct {
		Op string
		X  Regular
		Place
	}
)

// isAction reports whether r is an action formula.
func isAction(r Regular) bool {
	switch r := r.(type) {
	case *RegIter:
		return false
	case *RegBinary:
		return r.Op != "+" && r.Op != "."
	}
	return true
}
