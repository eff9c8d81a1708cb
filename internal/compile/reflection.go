package compile

import (
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// noteReflection looks for calls by which a function can reach methods through
// package reflect. As with gc's linker, such a call keeps all exported methods of
// run-time types, or those of one name if MethodByName is called with a constant.
func (c *compiler) noteReflection(fn *ssa.Function) {
	if pkg := packageOf(fn); pkg != nil && pkg.Path() == "reflect" {
		switch fn.Name() {
		case "Method", "MethodByName":
			return // these are what others call
		}
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok {
				c.noteCall(call.Common())
			}
		}
	}
}

// noteCall looks at one call.
func (c *compiler) noteCall(call *ssa.CallCommon) {
	var m *types.Func
	args := call.Args
	if call.IsInvoke() {
		m = call.Method
	} else if callee := call.StaticCallee(); callee != nil && callee.Signature.Recv() != nil {
		m, _ = callee.Object().(*types.Func)
		if len(args) > 0 {
			args = args[1:]
		}
	}
	if m == nil || len(args) != 1 || !findsMethod(m.Signature()) {
		return
	}
	switch m.Name() {
	case "Method":
		c.use.callAny()
	case "MethodByName":
		if k, ok := args[0].(*ssa.Const); ok && k.Value != nil && k.Value.Kind() == constant.String {
			c.use.callByName(constant.StringVal(k.Value))
		} else {
			c.use.callAny()
		}
	}
}

// findsMethod says whether a function with this signature may be a Method or
// MethodByName of package reflect, perhaps called through another interface.
func findsMethod(sig *types.Signature) bool {
	if sig.Results().Len() == 0 {
		return false
	}
	named, ok := types.Unalias(sig.Results().At(0).Type()).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != "reflect" {
		return false
	}
	return named.Obj().Name() == "Method" || named.Obj().Name() == "Value"
}
