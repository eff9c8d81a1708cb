package drive

import (
	"path"
	"strings"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/vm"
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

// OutsideLibrary reports whether a function that is not of the standard library may call a native. One that the compiler makes
// may be called by anybody.
func OutsideLibrary(prog *bytecode.Program, native string) bool {
	library := libraryFiles(prog)
	for i := range prog.Funcs {
		f := &prog.Funcs[i]
		if !f.Wrapper && f.File >= 0 && f.File < len(library) && library[f.File] {
			continue
		}
		for _, in := range f.Code {
			switch in.Op {
			case bytecode.OpCall, bytecode.OpGo, bytecode.OpDefer:
				if prog.Funcs[in.Imm].Native == native {
					return true
				}
			}
		}
	}
	return false
}

// calledByLibrary reports whether a native was called by a function of the standard library. What a go statement calls
// has no caller.
func (m *Machine) calledByLibrary(c *vm.NativeCall) bool {
	frames := c.G.Frames()
	for i := len(frames) - 1; i >= 0; i-- {
		if f := &m.funcs[frames[i].Func()]; !f.native && !f.f.Wrapper {
			return f.library
		}
	}
	return false
}
