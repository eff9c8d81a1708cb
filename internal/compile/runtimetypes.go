package compile

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// runtimeTypes makes run-time types of those types of package runtime that the
// machine's own panics have, whether or not the program mentions them, and
// returns their numbers. use learns that their Error methods, and the Error and
// String methods of whatever a program panics with, are called. It must be
// called while the worklist is open, since it enqueues methods.
func runtimeTypes(prog *ssa.Program, t *typeTable, use *methodUse) bytecode.RuntimeTypes {
	pkg := prog.ImportedPackage("runtime")
	find := func(name string, pointer bool) int {
		if pkg == nil {
			return -1
		}
		obj, ok := pkg.Pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok {
			return -1
		}
		typ := obj.Type()
		if pointer {
			typ = types.NewPointer(typ)
		}
		i := t.index(typ)
		t.describe(i)
		return i
	}
	if pkg != nil {
		for _, name := range []string{"Error", "stringer"} {
			if obj, ok := pkg.Pkg.Scope().Lookup(name).(*types.TypeName); ok {
				for m := range obj.Type().Underlying().(*types.Interface).Methods() {
					use.call(m)
				}
			}
		}
	}
	return bytecode.RuntimeTypes{
		ErrorString:      find("errorString", false),
		PlainError:       find("plainError", false),
		AddressError:     find("errorAddressString", false),
		BoundsError:      find("boundsError", false),
		TypeAssertion:    find("TypeAssertionError", false),
		TypeAssertionPtr: find("TypeAssertionError", true),
		PanicNil:         find("PanicNilError", true),
	}
}
