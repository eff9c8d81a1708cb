package compile

import (
	"go/types"
	"slices"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// A method is what is needed to give a run-time type's method its code later.
type method struct {
	fn  *types.Func
	val *types.Selection // in the method set of the type itself: Tfn
	ptr *types.Selection // whose function takes an interface's data word: Ifn
}

// findMethods lists the method set of a run-time type, in gc's order, without
// code. Interface types have none here.
func (t *typeTable) findMethods(e *entry) {
	if e.Kind == bytecode.Interface || !mayHaveMethods(e.typ) {
		return
	}
	set := t.prog.MethodSets.MethodSet(e.typ)
	if set.Len() == 0 {
		return
	}
	boxed := set
	if e.Flags&bytecode.FlagDirect == 0 {
		boxed = t.prog.MethodSets.MethodSet(types.NewPointer(e.typ))
	}
	for sel := range set.Methods() {
		fn := sel.Obj().(*types.Func)
		e.methods = append(e.methods, method{fn: fn, val: sel, ptr: boxed.Lookup(fn.Pkg(), fn.Name())})
	}
	slices.SortFunc(e.methods, func(a, b method) int { return compareMethods(a.fn, b.fn) })
	e.Methods = make([]bytecode.Method, len(e.methods))
	for k, m := range e.methods {
		e.Methods[k] = bytecode.Method{
			Name: m.fn.Name(), PkgPath: privatePath(m.fn),
			Type: t.index(m.val.Type()), Ifn: -1, Tfn: -1,
		}
	}
}

// mayHaveMethods is a quick test that spares most types a method set.
func mayHaveMethods(typ types.Type) bool {
	if p, ok := typ.(*types.Pointer); ok {
		typ = types.Unalias(p.Elem())
	}
	switch typ := typ.(type) {
	case *types.Named:
		return true
	case *types.Struct:
		for f := range typ.Fields() {
			if f.Embedded() {
				return true
			}
		}
	}
	return false
}

// bindMethods enqueues the code of those methods of a run-time type that are
// kept and were not yet, and reports whether there were any.
func (t *typeTable) bindMethods(e *entry) bool {
	bound := false
	for k, m := range e.methods {
		if e.Methods[k].Ifn >= 0 || t.keep != nil && !t.keep(m.fn) {
			continue
		}
		ifn, tfn := t.prog.MethodValue(m.ptr), t.prog.MethodValue(m.val)
		if ifn == nil || tfn == nil {
			continue
		}
		e.Methods[k].Ifn = t.funcIndex(ifn)
		e.Methods[k].Tfn = t.funcIndex(tfn)
		t.describe(e.Methods[k].Type)
		bound = true
	}
	return bound
}

// pending asks keep again about every method that has no code and reports
// whether any was enqueued. A compiler that prunes methods calls it whenever its
// worklist is empty, until it reports false.
func (t *typeTable) pending() bool {
	any := false
	for n := 0; n < len(t.described); n++ {
		if t.bindMethods(t.entries[t.described[n]]) {
			any = true
		}
	}
	return any
}

// A methodUse collects which methods can be called through interfaces and
// reflection. Its keep is a filter for a typeTable, as the linker's dead code
// elimination is for gc: a method needs code only if a method of its name and
// signature is called through some interface.
type methodUse struct {
	types    *typeTable
	called   map[bytecode.IMethod]bool
	byName   map[string]bool // MethodByName with a constant
	exported bool            // any exported method, through reflection
}

func newMethodUse(t *typeTable) *methodUse {
	return &methodUse{types: t, called: make(map[bytecode.IMethod]bool), byName: make(map[string]bool)}
}

// call notes a call of an interface's method.
func (u *methodUse) call(m *types.Func) { u.called[u.id(m)] = true }

// callByName notes that reflection may call any exported method of this name.
func (u *methodUse) callByName(name string) { u.byName[name] = true }

// callAny notes that reflection may call any exported method.
func (u *methodUse) callAny() { u.exported = true }

// keep says whether a concrete method can be called so far.
func (u *methodUse) keep(m *types.Func) bool {
	return m.Exported() && (u.exported || u.byName[m.Name()]) || u.called[u.id(m)]
}

func (u *methodUse) id(m *types.Func) bytecode.IMethod {
	return bytecode.IMethod{Name: m.Name(), PkgPath: privatePath(m), Type: u.types.index(m.Type())}
}
