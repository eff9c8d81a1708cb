package data

import "github.com/heddle-mc/heddle/internal/mcrl2/spec"

// A symbolKind says what a term with the symbol is.
type symbolKind uint8

const (
	applied  symbolKind = iota // a function with its arguments, or with none: the function itself
	bigInt                     // sign, words
	rational                   // numerator, denominator
	cons                       // head, tail
	finiteSet
	finiteBag   // element, number, element, number …
	coSet       // of all but the elements of a finite set
	setOf       // function to Bool, finite set of those where it is wrong
	bagOf       // function to Nat, element, number … of those where it is wrong
	update      // function, argument, value, argument, value …
	lambda      // the captured values of a template
	quantified  // the captured values of a template
	variable    // its number
	application // function, arguments: of a function that is not known
	combined    // a function made of functions; see combination
	numSymbolKinds
)

// A symbol is what terms are made with.
type symbol struct {
	id     uint32
	kind   symbolKind
	ground bool // a term is ground if its arguments are
	raw    bool // arguments are plain numbers
	name   string
	text   string // name and sort: tells symbols apart wherever they were made

	fn     *spec.Func   // of kind applied
	args   []*spec.Sort // what it is applied to
	result *spec.Sort
	native native
	rules  []*rule
	tree   *choice
	ready  bool
	size   int     // of the frame that a call needs
	next   *symbol // for functions to functions: applied to the next arguments too
	groups int     // lists of arguments that it takes

	template *template
	combine  combination
}

// A native is a function of the language. It returns false if the term stays as
// it is.
type native func(e *Engine, s *symbol, a []Value) (Value, bool)

func (e *Engine) newSymbol(kind symbolKind, name string) *symbol {
	s := &symbol{id: uint32(len(e.symbols)), kind: kind, name: name, text: name, ready: true}
	e.symbols = append(e.symbols, s)
	return s
}

var groundKinds = [numSymbolKinds]bool{bigInt: true, rational: true, cons: true, finiteSet: true, finiteBag: true, coSet: true}

var kindTexts = [numSymbolKinds]string{bigInt: "#int", rational: "#rat", cons: "#cons", finiteSet: "#set", finiteBag: "#bag",
	coSet: "#coset", setOf: "#setof", bagOf: "#bagof", update: "#update", variable: "#var", application: "#app"}

func (e *Engine) makeKinds() {
	for k := range numSymbolKinds {
		s := e.newSymbol(k, kindTexts[k])
		s.ground = groundKinds[k]
		s.raw = k == bigInt || k == variable
		e.kinds[k] = s
	}
	for c := range numCombinations {
		s := e.newSymbol(combined, combinationTexts[c])
		s.combine = c
		e.combinations[c] = s
	}
}

type libraryKey struct {
	op spec.Op
	of *spec.Sort
}

// symbol returns the symbol of a function, applied to its first arguments if it
// has any.
func (e *Engine) symbol(f *spec.Func) *symbol {
	if s := e.byFunc[f]; s != nil {
		return s
	}
	library := f.Op > spec.OpIs
	if library {
		if s := e.byOp[libraryKey{f.Op, f.Of}]; s != nil {
			e.byFunc[f] = s
			return s
		}
	}
	s := e.newSymbol(applied, f.Name)
	s.fn, s.ground, s.groups = f, f.Con, 1
	s.args, s.result = domain(f.Of)
	s.text = f.Name + ": " + f.Of.String()
	s.size = len(s.args)
	s.native = nativeOf(f)
	e.byFunc[f] = s
	if library {
		e.byOp[libraryKey{f.Op, f.Of}] = s
	}
	return s
}

// domain splits a sort into arguments and result.
func domain(s *spec.Sort) ([]*spec.Sort, *spec.Sort) {
	if s.Kind == spec.Function {
		return s.Args, s.Result
	}
	return nil, s
}

// further returns the symbol for a function applied to one more list of
// arguments: f(x)(y).
func (e *Engine) further(s *symbol) *symbol {
	if s.next == nil {
		n := e.newSymbol(applied, s.name)
		more, result := domain(s.result)
		n.fn, n.groups, n.result = s.fn, s.groups+1, result
		n.args = append(append([]*spec.Sort(nil), s.args...), more...)
		n.text = s.text + "'"
		n.size = len(n.args)
		s.next = n
	}
	return s.next
}

func (e *Engine) symbolOf(v Value) *symbol { return e.symbols[e.terms[v>>1].sym] }
