package evalorder

import "go/types"

// core is the type that all types of a type parameter have underneath, or nil if there is none, and the underlying type of others.
func core(typ types.Type) types.Type {
	if !isTypeParam(typ) {
		return typ.Underlying()
	}
	var under types.Type
	if !eachTerm(typ, func(t types.Type) bool {
		if under == nil {
			under = t.Underlying()
		}
		return types.Identical(under, t.Underlying())
	}) {
		return nil
	}
	return under
}

// eachTerm calls f for the types that a constraint lists, up to the first for which it returns false.
func eachTerm(typ types.Type, f func(types.Type) bool) bool {
	iface, ok := typ.Underlying().(*types.Interface)
	if !ok {
		return f(typ)
	}
	for embedded := range iface.EmbeddedTypes() {
		u, ok := embedded.(*types.Union)
		if !ok {
			if !eachTerm(embedded, f) {
				return false
			}
			continue
		}
		for term := range u.Terms() {
			if !eachTerm(term.Type(), f) {
				return false
			}
		}
	}
	return true
}

func isTypeParam(typ types.Type) bool {
	_, ok := types.Unalias(typ).(*types.TypeParam)
	return ok
}

func isPointer(typ types.Type) bool {
	_, ok := core(typ).(*types.Pointer)
	return ok
}

func isArray(typ types.Type) bool {
	_, ok := core(typ).(*types.Array)
	return ok
}

func isSlice(typ types.Type) bool {
	_, ok := core(typ).(*types.Slice)
	return ok
}

func isString(typ types.Type) bool {
	b, ok := core(typ).(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// isPointerShaped says whether an interface value has a value of the type itself, and not a pointer to it.
func isPointerShaped(typ types.Type) bool {
	switch t := typ.Underlying().(type) {
	case *types.Pointer, *types.Chan, *types.Map, *types.Signature:
		return true
	case *types.Basic:
		return t.Kind() == types.UnsafePointer
	case *types.Array:
		return t.Len() == 1 && isPointerShaped(t.Elem())
	case *types.Struct:
		return t.NumFields() == 1 && isPointerShaped(t.Field(0).Type())
	}
	return false
}

func isMap(typ types.Type) bool {
	_, ok := core(typ).(*types.Map)
	return ok
}

// pointee is the type that a pointer points to, and other types themselves.
func pointee(typ types.Type) types.Type {
	if ptr, ok := core(typ).(*types.Pointer); ok {
		return ptr.Elem()
	}
	return typ
}

// mapOf is the type of a variable that is a map.
func mapOf(v *types.Var) *types.Map { return core(v.Type()).(*types.Map) }

// sizes are those of the compiler.
var sizes = types.SizesFor("gc", "amd64")

// needsAddress says whether the runtime makes an interface value of a value of the type by its address: of all but numbers of two, four or eight bytes, strings and
// slices. See dataWordFuncName in cmd/compile/internal/walk.
func needsAddress(typ types.Type) bool {
	if hasTypeParam(typ) {
		return false // nobody knows
	}
	if n := sizes.Sizeof(typ); !hasPointers(typ) && (n == 2 || n == 4 || n == 8) && sizes.Alignof(typ) == n {
		return false
	}
	for {
		switch t := typ.Underlying().(type) {
		case *types.Struct:
			if t.NumFields() != 1 {
				return true
			}
			typ = t.Field(0).Type()
		case *types.Array:
			if t.Len() != 1 {
				return true
			}
			typ = t.Elem()
		case *types.Slice:
			return false
		case *types.Basic:
			return t.Info()&types.IsString == 0
		default:
			return true
		}
	}
}

func hasPointers(typ types.Type) bool {
	switch t := typ.Underlying().(type) {
	case *types.Basic:
		return t.Info()&types.IsString != 0 || t.Kind() == types.UnsafePointer
	case *types.Array:
		return t.Len() > 0 && hasPointers(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if hasPointers(f.Type()) {
				return true
			}
		}
		return false
	}
	return true
}

// hasTypeParam says whether the size of a type depends on type parameters.
func hasTypeParam(typ types.Type) bool {
	if isTypeParam(typ) {
		return true
	}
	switch t := typ.Underlying().(type) {
	case *types.Array:
		return hasTypeParam(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if hasTypeParam(f.Type()) {
				return true
			}
		}
	}
	return false
}
