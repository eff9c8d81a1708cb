package spec

import "strings"

// A SortKind says how a sort is made.
type SortKind uint8

// The kinds of sorts.
const (
	Bool SortKind = iota
	Pos
	Nat
	Int
	Real
	Named    // declared by name: with constructors, a struct, or neither
	List     // of Args[0]
	Set      // of Args[0]
	Bag      // of Args[0]
	FSet     // of Args[0]
	FBag     // of Args[0]
	Function // from Args to Result
)

// A Sort is a type of data. Sorts are made by a [Sorts] and by nobody else: two
// sorts are the same if and only if their pointers are equal.
type Sort struct {
	Kind   SortKind
	Name   string // of a named sort
	Args   []*Sort
	Result *Sort // of a function sort

	// Cons are the constructors of a named sort, in the order in which they were
	// declared. A named sort without constructors has elements that nobody can
	// name; it is allowed and cannot be enumerated.
	Cons []*Func
	// Struct is set if the sort was declared by struct: equality, order,
	// projections and recognisers are then given and not by equations.
	Struct bool
}

var sortNames = [...]string{Bool: "Bool", Pos: "Pos", Nat: "Nat", Int: "Int", Real: "Real",
	List: "List", Set: "Set", Bag: "Bag", FSet: "FSet", FBag: "FBag"}

// String returns the sort in mCRL2 syntax. Function sorts in domains have
// parentheses.
func (s *Sort) String() string {
	switch s.Kind {
	case Named:
		return s.Name
	case Function:
		var b strings.Builder
		for i, a := range s.Args {
			if i > 0 {
				b.WriteString(" # ")
			}
			if a.Kind == Function {
				b.WriteString("(" + a.String() + ")")
			} else {
				b.WriteString(a.String())
			}
		}
		return b.String() + " -> " + s.Result.String()
	case List, Set, Bag, FSet, FBag:
		return sortNames[s.Kind] + "(" + s.Args[0].String() + ")"
	}
	return sortNames[s.Kind]
}

// Numeric reports whether s is one of the four sorts of numbers.
func (s *Sort) Numeric() bool { return Pos <= s.Kind && s.Kind <= Real }

// Sorts makes sorts, each once.
type Sorts struct {
	basic [Real + 1]*Sort
	named map[string]*Sort
	made  map[string]*Sort // by kind and the pointers of its parts
	order []*Sort          // named ones, as declared
}

// NewSorts returns a maker that knows the sorts of the language.
func NewSorts() *Sorts {
	u := &Sorts{named: map[string]*Sort{}, made: map[string]*Sort{}}
	for k := Bool; k <= Real; k++ {
		u.basic[k] = &Sort{Kind: k}
	}
	return u
}

// Basic returns Bool, Pos, Nat, Int or Real.
func (u *Sorts) Basic(k SortKind) *Sort { return u.basic[k] }

// Declare returns the sort of a name, which it makes if need be.
func (u *Sorts) Declare(name string) *Sort {
	s := u.named[name]
	if s == nil {
		s = &Sort{Kind: Named, Name: name}
		u.named[name] = s
		u.order = append(u.order, s)
	}
	return s
}

// Lookup returns the sort of a name, or nil if it was not declared.
func (u *Sorts) Lookup(name string) *Sort { return u.named[name] }

// Declared returns the named sorts in the order of their declaration.
func (u *Sorts) Declared() []*Sort { return u.order }

// Of returns List, Set, Bag, FSet or FBag of a sort.
func (u *Sorts) Of(k SortKind, elem *Sort) *Sort {
	return u.make(sortNames[k]+"("+elem.id()+")", func() *Sort { return &Sort{Kind: k, Args: []*Sort{elem}} })
}

// Function returns a function sort. Functions with the same text are the same:
// a result that is a function is not merged with the domain.
func (u *Sorts) Function(args []*Sort, result *Sort) *Sort {
	var b strings.Builder
	for _, a := range args {
		b.WriteString("(" + a.id() + ")#")
	}
	return u.make(b.String()+"->("+result.id()+")", func() *Sort {
		return &Sort{Kind: Function, Args: append([]*Sort(nil), args...), Result: result}
	})
}

// id tells sorts apart: named sorts have names of their own.
func (s *Sort) id() string { return s.String() }

func (u *Sorts) make(id string, build func() *Sort) *Sort {
	s := u.made[id]
	if s == nil {
		s = build()
		u.made[id] = s
	}
	return s
}
