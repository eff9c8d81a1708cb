package compile

import (
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// funcName is the name of a function as Go's tracebacks print it.
func funcName(fn *ssa.Function) string {
	if parent := fn.Parent(); parent != nil {
		n := strconv.Itoa(slices.Index(parent.AnonFuncs, fn) + 1)
		switch {
		case strings.HasPrefix(fn.Synthetic, "range-over-func"):
			return funcName(parent) + "-range" + n
		case parent.Parent() != nil:
			return funcName(parent) + "." + n
		}
		return funcName(parent) + ".func" + n
	}
	name, suffix := fn.Name(), ""
	if i := strings.IndexByte(name, '['); i >= 0 {
		name, suffix = name[:i], "[...]"
	}
	if base, ok := strings.CutSuffix(name, "$bound"); ok {
		name, suffix = base, suffix+"-fm"
	}
	name = strings.TrimSuffix(name, "$thunk")
	if rest, ok := strings.CutPrefix(name, "init#"); ok {
		if n, err := strconv.Atoi(rest); err == nil {
			name = "init." + strconv.Itoa(n-1)
		}
	}
	if recv := receiverOf(fn); recv != nil {
		name = receiverName(recv) + "." + name
	}
	if pkg := packageOf(fn); pkg != nil {
		name = escapePath(packagePath(pkg)) + "." + name
	}
	return name + suffix
}

// receiverOf is the receiver's type of a method, or of the method behind a
// wrapper.
func receiverOf(fn *ssa.Function) types.Type {
	if recv := fn.Signature.Recv(); recv != nil {
		return recv.Type()
	}
	if obj, ok := fn.Object().(*types.Func); ok {
		if recv := obj.Signature().Recv(); recv != nil {
			return recv.Type()
		}
	}
	return nil
}

func receiverName(typ types.Type) string {
	typ = types.Unalias(typ)
	if p, ok := typ.(*types.Pointer); ok {
		return "(*" + receiverName(p.Elem()) + ")"
	}
	named, ok := typ.(*types.Named)
	if !ok {
		return typ.String()
	}
	if named.TypeArgs().Len() > 0 || named.TypeParams().Len() > 0 {
		return named.Obj().Name() + "[...]"
	}
	return named.Obj().Name()
}

// packageOf is the package a function belongs to: a wrapper's is that of its
// method.
func packageOf(fn *ssa.Function) *types.Package {
	if fn.Pkg != nil {
		return fn.Pkg.Pkg
	}
	if o := fn.Origin(); o != nil && o.Pkg != nil {
		return o.Pkg.Pkg
	}
	if obj := fn.Object(); obj != nil && obj.Pkg() != nil {
		return obj.Pkg()
	}
	if p := fn.Parent(); p != nil {
		return packageOf(p)
	}
	return nil
}
