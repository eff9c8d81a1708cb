package syntax

import "github.com/heddle-mc/heddle/internal/diag"

// A Spec is a specification. Sections of one kind are put together in the order
// of the text.
type Spec struct {
	// Includes are files whose sections belong to the specification too. The
	// parser does not read them.
	Includes []Include

	Sorts   []*SortDecl
	Cons    []*FuncDecl
	Maps    []*FuncDecl
	Eqns    []*EqnSection
	Globals []*VarDecl
	Actions []*ActDecl
	Procs   []*ProcDecl
	Init    Proc     // nil if there is none
	InitAt  diag.Pos // of the keyword
}

// An Include is include "Path";.
type Include struct {
	Path string
	At   diag.Pos
}

// A Name is a name where it stands.
type Name struct {
	Text string
	At   diag.Pos
}

// A SortDecl is sort Name; or sort Name = Body;.
type SortDecl struct {
	Name Name
	Body Sort // or nil
}

// A FuncDecl declares a constructor or a map.
type FuncDecl struct {
	Name Name
	Sort Sort
}

// An EqnSection is a list of equations with the variables that they share.
type EqnSection struct {
	Vars []*VarDecl
	Eqns []*Eqn
}

// An Eqn is Cond -> Left = Right.
type Eqn struct {
	Cond        Expr // or nil
	Left, Right Expr
	At          diag.Pos
}

// A VarDecl is a variable with its sort.
type VarDecl struct {
	Name Name
	Sort Sort
}

// An ActDecl declares an action.
type ActDecl struct {
	Name Name
	Args []Sort
}

// A ProcDecl is Name(Params) = Body;.
type ProcDecl struct {
	Name   Name
	Params []*VarDecl
	Body   Proc
}

// A Sort is a sort expression: *SortName, *SortOf, *SortFunc or *SortStruct.
type Sort interface{ Pos() diag.Pos }

// The sort expressions.
type (
	// SortName is a name, of the language or declared.
	SortName struct {
		Name string
		Place
	}
	// SortOf is Kind(Elem), where Kind is List, Set, Bag, FSet or FBag.
	SortOf struct {
		Kind string
		Elem Sort
		Place
	}
	// SortFunc is Args[0] # Args[1] # … -> Result.
	SortFunc struct {
		Args   []Sort
		Result Sort
		Place
	}
	// SortStruct is struct Cons[0] | Cons[1] | ….
	SortStruct struct {
		Cons []*Constructor
		Place
	}
)

// A Constructor is Name(Args) ? Is of a struct.
type Constructor struct {
	Name Name
	Args []*Projection
	Is   *Name // or nil
}

// A Projection is Name: Sort in a constructor.
type Projection struct {
	Name *Name // or nil
	Sort Sort
}

// An Expr is a data expression: *Ident, *Number, *BoolLit, *ListLit, *SetLit,
// *BagLit, *Comprehension, *Apply, *Update, *Unary, *Binary, *Quant or *Where.
type Expr interface{ Pos() diag.Pos }

// The data expressions.
type (
	// Ident is a name.
	Ident struct {
		Name string
		Place
	}
	// Number is a natural number in decimal notation.
	Number struct {
		Text string
		Place
	}
	// BoolLit is true or false.
	BoolLit struct {
		Value bool
		Place
	}
	// ListLit is [Elems].
	ListLit struct {
		Elems []Expr
		Place
	}
	// SetLit is {Elems}.
	SetLit struct {
		Elems []Expr
		Place
	}
	// BagLit is {Elems[0]: Counts[0], …}; the empty one is {:}.
	BagLit struct {
		Elems, Counts []Expr
		Place
	}
	// Comprehension is {Var | Body}, a set or a bag.
	Comprehension struct {
		Var  *VarDecl
		Body Expr
		Place
	}
	// Apply is Fun(Args). Its place is that of Fun.
	Apply struct {
		Fun  Expr
		Args []Expr
		Place
	}
	// Update is Fun[Arg -> Value].
	Update struct {
		Fun, Arg, Value Expr
		Place
	}
	// Unary is Op X, where Op is !, - or #.
	Unary struct {
		Op string
		X  Expr
		Place
	}
	// Binary is X Op Y. Its place is that of Op.
	Binary struct {
		Op   string
		X, Y Expr
		Place
	}
	// Quant is Kind Vars . Body, where Kind is forall, exists or lambda.
	Quant struct {
		Kind string
		Vars []*VarDecl
		Body Expr
		Place
	}
	// Where is Body whr Defs end. Its place is that of whr.
	Where struct {
		Body Expr
		Defs []*Assign
		Place
	}
)

// An Assign is Name = Value.
type Assign struct {
	Name  Name
	Value Expr
}

// A Proc is a process expression: *Call, *CallAssign, *Delta, *Tau, *BinaryProc,
// *Sum, *Dist, *Cond, *At, *NameSet, *Rename, *Comm or *Allow.
type Proc interface{ Pos() diag.Pos }

// The process expressions.
type (
	// Call is Name or Name(Args), an action or a process.
	Call struct {
		Name string
		Args []Expr
		Place
	}
	// CallAssign is Name(Args[0].Name = Args[0].Value, …) or Name().
	CallAssign struct {
		Name string
		Args []*Assign
		Place
	}
	// Delta is delta.
	Delta struct{ Place }
	// Tau is tau.
	Tau struct{ Place }
	// BinaryProc is X Op Y, where Op is +, ||, ||_, <<, . or |.
	BinaryProc struct {
		Op   string
		X, Y Proc
		Place
	}
	// Sum is sum Vars . Body.
	Sum struct {
		Vars []*VarDecl
		Body Proc
		Place
	}
	// Dist is dist Vars [Weight] . Body.
	Dist struct {
		Vars   []*VarDecl
		Weight Expr
		Body   Proc
		Place
	}
	// Cond is If -> Then or If -> Then <> Else.
	Cond struct {
		If   Expr
		Then Proc
		Else Proc // or nil
		Place
	}
	// At is Body @ Time.
	At struct {
		Body Proc
		Time Expr
		Place
	}
	// NameSet is Op({Names}, Body), where Op is block or hide.
	NameSet struct {
		Op    string
		Names []Name
		Body  Proc
		Place
	}
	// Rename is rename({From[i] -> To[i]}, Body).
	Rename struct {
		From, To []Name
		Body     Proc
		Place
	}
	// Comm is comm({From[i] -> To[i]}, Body). The text of To[i] may be tau.
	Comm struct {
		From [][]Name
		To   []Name
		Body Proc
		Place
	}
	// Allow is allow({Sets}, Body).
	Allow struct {
		Sets [][]Name
		Body Proc
		Place
	}
)

// A Place is embedded in what has a position.
type Place struct{ At diag.Pos }

// Pos returns the position.
func (p Place) Pos() diag.Pos { return p.At }
