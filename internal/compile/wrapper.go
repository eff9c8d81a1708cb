package compile

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// go/ssa makes a function of its own for every method value x.M and every method
// expression T.M. In Go all that mean one method are one function, and
// reflect.Value.Pointer tells programs so.

// A wrapper is what the functions of equal method values have in common.
type wrapper struct {
	recv   int    // type of the receiver
	method string // name, with the package if it is not exported
	bound  bool   // the receiver is bound
}

// wrapped is the first function that was asked for of all those that were made
// for one method value, or one method expression of an interface. Other functions
// are themselves.
func (c *compiler) wrapped(fn *ssa.Function) *ssa.Function {
	obj, ok := fn.Object().(*types.Func)
	if !ok || len(fn.TypeArgs()) > 0 {
		return fn
	}
	w := wrapper{method: obj.Id()}
	switch {
	case strings.HasPrefix(fn.Synthetic, "bound method wrapper for "):
		w.recv, w.bound = c.types.index(fn.FreeVars[0].Type()), true
	case strings.HasPrefix(fn.Synthetic, "thunk for ") && types.IsInterface(fn.Signature.Params().At(0).Type()):
		w.recv = c.types.index(fn.Signature.Params().At(0).Type())
	default:
		return fn
	}
	if first := c.wrappers[w]; first != nil {
		return first
	}
	c.wrappers[w] = fn
	return fn
}

// declared is the method that a method expression denotes, which takes its
// receiver as first parameter: T.M is the function in T's table of methods. Other
// functions are themselves.
func (c *compiler) declared(fn *ssa.Function) *ssa.Function {
	obj, ok := fn.Object().(*types.Func)
	if !ok || !strings.HasPrefix(fn.Synthetic, "thunk for ") {
		return fn
	}
	recv := fn.Signature.Params().At(0).Type()
	if types.IsInterface(recv) {
		return fn
	}
	sel := c.lp.SSA.MethodSets.MethodSet(recv).Lookup(obj.Pkg(), obj.Name())
	if sel == nil {
		return fn
	}
	if m := c.lp.SSA.MethodValue(sel); m != nil {
		return m
	}
	return fn
}
