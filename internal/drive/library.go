package drive

import (
	"path"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/effect"
	"github.com/heddle-mc/heddle/internal/mem"
)

// libraryFiles tells of each file of a program whether it belongs to the standard library. A package of the library that is
// tested does not count: it is the user's own then, and known by the files of its tests.
func libraryFiles(prog *bytecode.Program) []bool {
	files := make([]bool, len(prog.Files))
	folder, tested := "", make(map[string]bool)
	for _, name := range prog.Files {
		if at := strings.Index(name, "/src/runtime/"); at >= 0 && folder == "" {
			folder = name[:at+len("/src/")]
		}
		if strings.HasSuffix(name, "_test.go") {
			tested[path.Dir(name)] = true
		}
	}
	if folder == "" {
		return files
	}
	for i, name := range prog.Files {
		files[i] = strings.HasPrefix(name, folder) && !tested[path.Dir(name)]
	}
	return files
}

// libraryPackages are the packages all of whose functions are of the standard library, by path.
func libraryPackages(prog *bytecode.Program) map[string]bool {
	library, packages := libraryFiles(prog), make(map[string]bool)
	for i := range prog.Funcs {
		f := &prog.Funcs[i]
		if f.Wrapper || f.File < 0 || f.File >= len(library) {
			continue
		}
		if only, known := packages[f.Pkg]; !known || only {
			packages[f.Pkg] = library[f.File]
		}
	}
	return packages
}

// OutsideLibrary reports whether a func value is that of a function which is not of the standard library.
func (m *Machine) OutsideLibrary(fv mem.Ptr) bool {
	w := (*uint64)(m.Heap.Peek(fv, 8))
	return w == nil || !m.funcs[bytecode.FuncOf(*w)].library
}

// OutsideLibrary reports whether a function that is not of the standard library may call another one, which is named by
// its name or by that of its native. One that the compiler makes
// may be called by anybody.
func OutsideLibrary(prog *bytecode.Program, name string) bool {
	library := libraryFiles(prog)
	for i := range prog.Funcs {
		f := &prog.Funcs[i]
		if !f.Wrapper && f.File >= 0 && f.File < len(library) && library[f.File] {
			continue
		}
		for _, in := range f.Code {
			switch in.Op {
			case bytecode.OpCall, bytecode.OpGo, bytecode.OpDefer:
				if callee := &prog.Funcs[in.Imm]; callee.Native == name || callee.Name == name {
					return true
				}
			}
		}
	}
	return false
}

// NumbersPointers reports whether a function that is not of the standard library may get a pointer as a number, by package unsafe or reflect.
func NumbersPointers(prog *bytecode.Program) bool {
	library := libraryFiles(prog)
	for i := range prog.Funcs {
		f := &prog.Funcs[i]
		if f.File < 0 || f.File >= len(library) || library[f.File] {
			continue
		}
		for _, in := range f.Code {
			if in.Op == bytecode.OpPtrnum || in.Op == bytecode.OpPun {
				return true
			}
		}
	}
	return hasAny(prog, "reflect.Value.Pointer", "reflect.Value.UnsafeAddr", "reflect.Value.UnsafePointer", "reflect.Value.InterfaceData",
		"fmt.(*pp).fmtPointer", "hash/maphash.Comparable", "hash/maphash.WriteComparable")
}

// hasAny reports whether a program has one of some functions, whoever calls it. Generic ones go by their names without arguments.
func hasAny(prog *bytecode.Program, names ...string) bool {
	for i := range prog.Funcs {
		name, _, _ := strings.Cut(prog.Funcs[i].Name, "[")
		if slices.Contains(names, name) {
			return true
		}
	}
	return false
}

// Glances reports whether a function that is not of the standard library may look at what others have done without being ordered after it.
func Glances(prog *bytecode.Program) bool {
	library := libraryFiles(prog)
	for i := range prog.Funcs {
		f := &prog.Funcs[i]
		if f.File < 0 || f.File >= len(library) || library[f.File] {
			continue
		}
		for _, in := range f.Code {
			if in.Op == bytecode.OpChanlen || in.Op == bytecode.OpSelect && !f.Selects[in.Imm].Blocking {
				return true
			}
		}
	}
	return hasAny(prog, "internal/sync.(*Mutex).TryLock", "sync.(*RWMutex).TryLock", "sync.(*RWMutex).TryRLock",
		"reflect.chanlen", "reflect.Value.Len", "reflect.Value.TrySend", "reflect.Value.TryRecv", "reflect.Select")
}

// asksForCollections reports whether a program can ask for a collection, and whether a function does that which is not of
// package testing. That is in each test, and asks only for benchmarks and profiles of memory.
func asksForCollections(prog *bytecode.Program, ops map[string]*Operation) (can, others bool) {
	asks, values := make([]bool, len(prog.Funcs)), make(map[uint64]bool)
	for i := range prog.Funcs {
		op := ops[prog.Funcs[i].Native]
		if asks[i] = op != nil && op.Row.Does(effect.Garbage)&effect.Writes != 0; asks[i] {
			can, values[bytecode.StaticPtr(bytecode.ObjFuncs, uint32(8*i))] = true, true
		}
	}
	if !can {
		return false, false
	}
	for i := range prog.Funcs {
		f := &prog.Funcs[i]
		if f.Pkg == "testing" {
			continue
		}
		for _, in := range f.Code {
			if bytecode.Ops[in.Op].Pattern[3] == "f" && asks[in.Imm] || in.Op == bytecode.OpConst && values[uint64(in.Imm)] {
				return true, true
			}
		}
	}
	return true, false
}
