package check

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/lts"
)

// A Code is compiled code that can be checked.
type Code struct {
	Identity string // equal programs have equal ones
	Files    []File
	Bytecode *bytecode.Program // nil if it is several programs
	Promises bool              // it calls verify.Eventually or verify.Leads somewhere
	// NewSystem starts the program.
	NewSystem func(p execute.Process, s execute.Settings) (lts.System, error)
}

// A File is a source file of a program.
type File struct {
	Name string // absolute
	Pkg  string // import path; "main" for that of the main package
}

// Build returns the program of a source, or the test binary of a package. Several packages are
// several programs side by side.
func Build(src execute.Source) (*Code, error) {
	if !src.Test && len(src.Patterns) > 1 && !isFile(src.Patterns[0]) {
		return buildGroup(src)
	}
	prog, err := execute.Build(src)
	if err != nil {
		return nil, err
	}
	return Compiled(prog, src.Test), nil
}

// Compiled returns a program that was compiled before as code that can be checked. If test is set,
// it is the test binary of a package.
func Compiled(prog *bytecode.Program, test bool) *Code {
	return &Code{
		Identity: identity(prog),
		Files:    programFiles(prog),
		Bytecode: prog,
		Promises: promises(prog),
		NewSystem: func(p execute.Process, s execute.Settings) (lts.System, error) {
			if test {
				return asSystem(execute.NewTestSystem(prog, p, s))
			}
			return asSystem(execute.NewSystem(prog, p, s))
		},
	}
}

// asSystem returns a system, or nil with an error. There must be nothing around it: what it can do
// beyond the contract it shows by its methods.
func asSystem[S lts.System](sys S, err error) (lts.System, error) {
	if err != nil {
		return nil, err
	}
	return sys, nil
}

// identity is a hash of what is executed. The folders that source files lie in
// are no part of it, so that a copy of a program is the same program.
func identity(prog *bytecode.Program) string {
	own := *prog
	own.Files = BaseNames(prog.Files)
	sum := sha256.Sum256(bytecode.Encode(&own))
	return hex.EncodeToString(sum[:16])
}

// programFiles lists the files that functions come from.
func programFiles(prog *bytecode.Program) []File {
	var files []File
	seen := make([]bool, len(prog.Files))
	for i := range prog.Funcs {
		f := &prog.Funcs[i]
		if f.File < len(seen) && !seen[f.File] && f.Native == "" {
			seen[f.File] = true
			files = append(files, File{prog.Files[f.File], f.Pkg})
		}
	}
	return files
}

// BaseNames returns the last parts of names of files.
func BaseNames(files []string) []string {
	out := make([]string, len(files))
	for i, f := range files {
		out[i] = filepath.Base(f)
	}
	return out
}

// ProgramName is what os.Args[0] says.
func ProgramName(patterns []string) string {
	name := strings.TrimSuffix(filepath.Base(patterns[0]), ".go")
	if abs, err := filepath.Abs(patterns[0]); err == nil && (name == "." || name == "..") {
		name = filepath.Base(abs)
	}
	return name
}
