package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/lts"
)

// A Program is compiled code that can be checked.
type Program struct {
	Identity string // equal programs have equal ones
	Files    []ProgramFile
	Code     func() *code // what certificates say of it, nil if it is several programs
	Strings  []byte       // the bytes of its constants
	// NewSystem starts the program. Positions in what it says are relative to
	// root, if they are below it.
	NewSystem func(p execute.Process, s execute.Settings, root string) (lts.System, error)
}

// Build returns the program of a source, or the test binary of a package.
func (Machine) Build(ctx context.Context, o BuildOptions) (*Program, error) {
	if !o.Test && len(o.Patterns) > 1 && !strings.HasSuffix(o.Patterns[0], ".go") {
		return buildGroup(ctx, o)
	}
	s := source(ctx, o.Source)
	s.Test, s.AccessPoints = o.Test, o.Access
	prog, err := execute.Build(s)
	if err != nil {
		return nil, err
	}
	return &Program{
		Identity: identity(prog),
		Files:    programFiles(prog),
		Code:     sync.OnceValue(func() *code { return codeOf(prog) }),
		Strings:  prog.Strings,
		NewSystem: func(p execute.Process, s execute.Settings, root string) (lts.System, error) {
			if o.Test {
				sys, err := execute.NewTestSystem(prog, p, s)
				if err != nil {
					return nil, err
				}
				return relativeTo(root, prog.Files[prog.Funcs[prog.Main].File], sys), nil
			}
			sys, err := execute.NewSystem(prog, p, s)
			if err != nil {
				return nil, err
			}
			return relativeTo(root, "", sys), nil
		},
	}, nil
}

// identity is a hash of what is executed. The folders that source files lie in
// are no part of it, so that a copy of a program is the same program.
func identity(prog *bytecode.Program) string {
	own := *prog
	own.Files = baseNames(prog.Files)
	sum := sha256.Sum256(bytecode.Encode(&own))
	return hex.EncodeToString(sum[:16])
}

// programFiles lists the files that functions come from.
func programFiles(prog *bytecode.Program) []ProgramFile {
	var files []ProgramFile
	seen := make([]bool, len(prog.Files))
	for i := range prog.Funcs {
		f := &prog.Funcs[i]
		if f.File < len(seen) && !seen[f.File] && f.Native == "" {
			seen[f.File] = true
			files = append(files, ProgramFile{prog.Files[f.File], f.Pkg})
		}
	}
	return files
}

// A goSystem is what a Go program and a test binary are both.
type goSystem interface {
	lts.System
	lts.Reducer
	lts.Checker
	lts.Finisher
	lts.Bounded
	lts.Actors
	lts.Namer
	lts.Describer
	lts.Preface
	lts.Waiters
	io.Closer
	Differences() []execute.Varying
	Found() *drive.Assumptions
	Covered(yield func(file string, line, col int, count int64))
}

// relativeTo makes the positions that a system tells relative to a folder. The
// file that the go command has made for a test binary lies in its cache, under a
// name that says nothing.
func relativeTo(root, made string, sys goSystem) lts.System {
	return &nearSystem{sys, strings.TrimSuffix(root, "/") + "/", made}
}

// A nearSystem is a system that tells positions relative to a folder.
type nearSystem struct {
	goSystem
	root string // with a slash at its end
	made string // the file that the go command has made, or ""
}

func (s *nearSystem) pos(p diag.Pos) diag.Pos {
	if p.File = strings.TrimPrefix(p.File, s.root); s.made != "" && p.File == s.made {
		p.File = "_testmain.go"
	}
	return p
}

func (s *nearSystem) text(t string) string { return strings.ReplaceAll(t, s.root, "") }

func (s *nearSystem) near(found []diag.Finding) {
	for i := range found {
		f := &found[i]
		f.Pos, f.Message = s.pos(f.Pos), s.text(f.Message)
	}
}

// CheckState appends what is wrong with the current state.
func (s *nearSystem) CheckState(dst []diag.Finding) []diag.Finding {
	n := len(dst)
	dst = s.goSystem.CheckState(dst)
	s.near(dst[n:])
	return dst
}

// CheckStep appends what was wrong with the step just taken.
func (s *nearSystem) CheckStep(dst []diag.Finding) []diag.Finding {
	n := len(dst)
	dst = s.goSystem.CheckStep(dst)
	s.near(dst[n:])
	return dst
}

// Describe takes a step and says what happened.
func (s *nearSystem) Describe(step lts.Step) lts.Event {
	e := s.goSystem.Describe(step)
	e.Pos, e.Action = s.pos(e.Pos), s.text(e.Action)
	return e
}

// Before tells what went between actors and others before the initial state.
func (s *nearSystem) Before() []lts.Event {
	list := slices.Clone(s.goSystem.Before())
	for i := range list {
		list[i].Pos = s.pos(list[i].Pos)
	}
	return list
}

// Observed appends what was observed in the step just taken.
func (s *nearSystem) Observed(dst []lts.Observation) []lts.Observation {
	o, ok := s.goSystem.(lts.Observed)
	if !ok {
		return dst
	}
	n := len(dst)
	dst = o.Observed(dst)
	for i := n; i < len(dst); i++ {
		dst[i].Pos = s.pos(dst[i].Pos)
	}
	return dst
}

// Waiting tells of the actors that have no step.
func (s *nearSystem) Waiting() []lts.Waiting {
	list := s.goSystem.Waiting()
	for i := range list {
		list[i].Pos, list[i].For = s.pos(list[i].Pos), s.text(list[i].For)
	}
	return list
}

// Differences tells which variables make states differ.
func (s *nearSystem) Differences() []execute.Varying {
	list := s.goSystem.Differences()
	for i := range list {
		list[i].Name = s.text(list[i].Name)
	}
	return list
}
