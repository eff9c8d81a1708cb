package randspec

import "fmt"

// A kind is one of the sorts that specifications have.
type kind int

const (
	boolean kind = iota
	small        // Nat, below three
	enum         // E
	record       // R
	list         // List(E), at most two long
	kinds
)

var sortNames = [kinds]string{"Bool", "Nat", "E", "R", "List(E)"}

const dataText = `sort E = struct e0 | e1?isE1 | e2;
     R = struct pair(left: E, right: Bool)?isPair | single(one: E)?isSingle | none;
map  turn: E -> E;
     add: Nat # Nat -> Nat;
     push: E # List(E) -> List(E);
     pop: List(E) -> List(E);
     top: List(E) -> E;
var  x, y: E; n, m: Nat; l: List(E);
eqn  turn(e0) = e1;
     turn(e1) = e2;
     turn(e2) = e0;
     add(n, m) = (n + m) mod 3;
     #l < 2 -> push(x, l) = x |> l;
     #l >= 2 -> push(x, l) = [x];
     pop([]) = [];
     pop(x |> l) = l;
     top([]) = e0;
     top(x |> l) = x;
`

// A variable is in scope.
type variable struct {
	name string
	kind kind
}

// finite reports whether sums over a sort can be written out.
func (k kind) finite() bool { return k == boolean || k == enum || k == record }

// expr returns an expression over the variables.
func (g *generator) expr(k kind, scope []variable, depth int) string {
	var vars []string
	for _, v := range scope {
		if v.kind == k {
			vars = append(vars, v.name)
		}
	}
	if len(vars) > 0 && (depth == 0 || g.chance(50)) {
		return vars[g.below(len(vars))]
	}
	if depth == 0 {
		return g.constant(k)
	}
	sub := func(k kind) string { return g.expr(k, scope, depth-1) }
	switch k {
	case boolean:
		if g.chance(15) {
			return g.quantified(scope, depth-1)
		}
		return g.boolean(sub)
	case small:
		return g.pick(
			func() string { return g.constant(k) },
			func() string { return fmt.Sprintf("add(%s, %s)", sub(small), sub(small)) },
			func() string { return fmt.Sprintf("#%s", sub(list)) },
			func() string { return fmt.Sprintf("if(%s, %s, %s)", sub(boolean), sub(small), sub(small)) },
			func() string { return fmt.Sprintf("((%s * %s) mod 3)", sub(small), sub(small)) },
		)
	case enum:
		return g.pick(
			func() string { return g.constant(k) },
			func() string { return fmt.Sprintf("turn(%s)", sub(enum)) },
			func() string { return fmt.Sprintf("top(%s)", sub(list)) },
			func() string { return g.local(scope, depth-1) },
			func() string { return fmt.Sprintf("if(%s, %s, %s)", sub(boolean), sub(enum), sub(enum)) },
			func() string {
				r := sub(record)
				return fmt.Sprintf("if(isPair(%s), left(%s), %s)", r, r, sub(enum))
			},
			func() string {
				r := sub(record)
				return fmt.Sprintf("if(isSingle(%s), one(%s), %s)", r, r, sub(enum))
			},
		)
	case record:
		return g.pick(
			func() string { return g.constant(k) },
			func() string { return fmt.Sprintf("pair(%s, %s)", sub(enum), sub(boolean)) },
			func() string { return fmt.Sprintf("single(%s)", sub(enum)) },
			func() string { return fmt.Sprintf("if(%s, %s, %s)", sub(boolean), sub(record), sub(record)) },
		)
	}
	return g.pick(
		func() string { return g.constant(k) },
		func() string { return fmt.Sprintf("push(%s, %s)", sub(enum), sub(list)) },
		func() string { return fmt.Sprintf("pop(%s)", sub(list)) },
		func() string { return fmt.Sprintf("[%s]", sub(enum)) },
	)
}

// quantified returns a condition that binds a variable.
func (g *generator) quantified(scope []variable, depth int) string {
	v := g.variable([]kind{boolean, enum}[g.below(2)])
	body := g.expr(boolean, append(scope[:len(scope):len(scope)], v), depth)
	return fmt.Sprintf("(%s %s: %s. %s)", g.oneOf("forall", "exists"), v.name, sortNames[v.kind], body)
}

// local returns an element of E that binds a variable on the way.
func (g *generator) local(scope []variable, depth int) string {
	v := g.variable(enum)
	value := g.expr(enum, scope, depth)
	body := g.expr(enum, append(scope[:len(scope):len(scope)], v), depth)
	if g.chance(50) {
		return fmt.Sprintf("(%s whr %s = %s end)", body, v.name, value)
	}
	return fmt.Sprintf("(lambda %s: E. %s)(%s)", v.name, body, value)
}

func (g *generator) boolean(sub func(kind) string) string {
	return g.pick(
		func() string { return g.constant(boolean) },
		func() string { return fmt.Sprintf("!%s", sub(boolean)) },
		func() string { return fmt.Sprintf("(%s && %s)", sub(boolean), sub(boolean)) },
		func() string { return fmt.Sprintf("(%s || %s)", sub(boolean), sub(boolean)) },
		func() string { return fmt.Sprintf("(%s => %s)", sub(boolean), sub(boolean)) },
		func() string {
			k := kind(g.below(int(kinds)))
			return fmt.Sprintf("(%s == %s)", sub(k), sub(k))
		},
		func() string { return fmt.Sprintf("(%s < %s)", sub(small), sub(small)) },
		func() string { return fmt.Sprintf("(%s <= %s)", sub(enum), sub(enum)) },
		func() string { return fmt.Sprintf("isE1(%s)", sub(enum)) },
		func() string { return fmt.Sprintf("isPair(%s)", sub(record)) },
		func() string { return fmt.Sprintf("isSingle(%s)", sub(record)) },
		func() string { return fmt.Sprintf("(%s in %s)", sub(enum), sub(list)) },
	)
}

func (g *generator) constant(k kind) string {
	switch k {
	case boolean:
		return g.oneOf("true", "false")
	case small:
		return g.oneOf("0", "1", "2")
	case enum:
		return g.oneOf("e0", "e1", "e2")
	case record:
		return g.oneOf("none", "pair(e0, true)", "single(e2)", "single(e0)")
	}
	return g.oneOf("pop([])", "[e0]", "[e1, e2]")
}
