package evalorder

import "go/types"

// core is the type that all types of a type parameter have underneath, or nil if there is none, and the underlying type of others.
func core(typ types.Type) types.Type {
	if !isTypeParam(typ) {
		return typ.Underlying()
	}
	var under types.Type
	union := func(t types.Type) bool {
		if under == nil {
			under = t.Underlying()
		}
		return types.Identical(under, t.Underlying())
	}
	iface := typ.Underlying().(*types.Interface)
	for embedded := range iface.EmbeddedTypes() {
		u, ok := embedded.(*types.Union)
		if !ok {
			if !types.IsInterface(embedded) && !union(embedded) {
				return nil
			}
			continue
		}
		for term := range u.Terms() {
			if !union(term.Type()) {
				return nil
			}
		}
	}
	return under
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
