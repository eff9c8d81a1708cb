package load

import (
	"container/heap"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/diag"
)

// program returns the program with the given roots, before its packages are
// checked and built. The packages also count as imported by the roots.
func (u *universe) program(roots, also []*Package) *Program {
	also = variants(roots, also)
	prog := &Program{
		SSA:       u.prog,
		Fset:      u.fset,
		Sizes:     Sizes(),
		GOROOT:    u.goroot,
		Calls:     u.calls,
		GoVersion: goVersion(u.goroot),
		Packages:  initOrder(roots, also),
		roots:     roots,
	}
	return prog
}

// variants replaces packages by those that the roots already depend on under
// the same path: a test binary has its own variants of the packages that
// depend on the one under test.
func variants(roots, pkgs []*Package) []*Package {
	byPath := make(map[string]*Package)
	for _, p := range initOrder(roots, nil) {
		byPath[p.Path] = p
	}
	out := make([]*Package, len(pkgs))
	for i, p := range pkgs {
		if out[i] = byPath[p.Path]; out[i] == nil {
			out[i] = p
		}
	}
	return out
}

// finish fills in what is known only after the build, and refuses functions of
// the user's own packages that nobody implements.
func (u *universe) finish(prog *Program) error {
	for _, p := range prog.roots {
		prog.Initial = append(prog.Initial, p.SSA)
	}
	if p := prog.mainRoot(); p != nil {
		prog.Main = p.SSA
	}
	prog.Links = newLinks(u.prog, prog.Packages)
	prog.Inputs = u.inputs(prog)

	var errs diag.List
	for _, p := range prog.Packages {
		if p.Standard || !p.own() {
			continue // the compiler asks Links.External about what is reached
		}
		for _, b := range p.bare {
			if err := u.unimplemented(prog.Links, u.prog.FuncValue(b.obj)); err != nil {
				errs = append(errs, err)
			}
		}
	}
	errs.Sort()
	return errs.Err()
}

// mainRoot returns the main package among the roots if there is exactly one.
func (p *Program) mainRoot() *Package {
	var found *Package
	for _, root := range p.roots {
		if root.Types.Name() == "main" {
			if found != nil {
				return nil
			}
			found = root
		}
	}
	return found
}

// own reports whether the package belongs to the user's own modules, where
// everything is expected to work.
func (p *Package) own() bool {
	return p.from == nil || p.from.Module == nil || p.from.Module.Main
}

// unimplemented returns an error if fn has no body, here or elsewhere.
func (u *universe) unimplemented(l *Links, fn *ssa.Function) *diag.Error {
	if fn == nil || l.Func(fn) != nil {
		return nil
	}
	if u.cfg.Intrinsic != nil && (u.cfg.Intrinsic(l.Symbol(fn)) || u.cfg.Intrinsic(ownSymbol(fn))) {
		return nil
	}
	if target := l.Lookup(l.Symbol(fn)); target != nil && target != fn {
		return nil // a function of the standard library: the compiler knows whether it can
	}
	return l.External(fn)
}

// RequireMain returns the main package or says why there is none.
func (p *Program) RequireMain() (*ssa.Package, error) {
	if p.Main == nil {
		if len(p.Initial) == 1 {
			return nil, diag.Usagef("package %s is not a main package", p.Initial[0].Pkg.Path())
		}
		return nil, diag.Usagef("the patterns name %d packages: give one main package", len(p.Initial))
	}
	if p.Main.Func("main") == nil {
		root := p.mainRoot()
		if len(root.goFiles) == 0 {
			return nil, diag.Usagef("no non-test Go files in %s", root.Dir)
		}
		return nil, diag.Sourcef(diag.Pos{File: shorten(root.goFiles[0])}, "function main is undeclared in the main package")
	}
	return p.Main, nil
}

// Package returns the program's package with the given path, or nil.
func (p *Program) Package(path string) *Package { return p.Links.pkgs[path] }

// UnderTest returns the import path of the package that a test binary tests,
// or "" for other programs.
func (p *Program) UnderTest() string {
	if len(p.roots) == 1 && p.roots[0].generated() {
		return strings.TrimSuffix(p.roots[0].ID, ".test")
	}
	return ""
}

// initOrder returns the packages that the roots need in the order in which Go
// initialises them: package runtime and what it imports first; then, of the
// packages whose imports are initialised, always the one whose path is first
// in the alphabet.
func initOrder(roots, also []*Package) []*Package {
	needed := make(map[*Package]bool)
	var visit func(p *Package)
	visit = func(p *Package) {
		if !needed[p] {
			needed[p] = true
			for _, dep := range p.Imports {
				visit(dep)
			}
		}
	}
	var order []*Package
	for _, p := range also {
		if p.Path == "runtime" {
			visit(p)
			order = sortInit(needed, nil)
		}
	}
	for _, p := range slices.Concat(also, roots) {
		visit(p)
	}
	return sortInit(needed, order)
}

// sortInit appends the packages of needed that are not in order yet.
func sortInit(needed map[*Package]bool, order []*Package) []*Package {
	done := make(map[*Package]bool)
	for _, p := range order {
		done[p] = true
	}
	waits := make(map[*Package]int)
	users := make(map[*Package][]*Package)
	var ready byPath
	for p := range needed {
		if done[p] {
			continue
		}
		for _, dep := range p.Imports {
			if !done[dep] {
				waits[p]++
				users[dep] = append(users[dep], p)
			}
		}
		if waits[p] == 0 {
			ready = append(ready, p)
		}
	}
	heap.Init(&ready)
	for len(ready) > 0 {
		p := heap.Pop(&ready).(*Package)
		order = append(order, p)
		for _, user := range users[p] {
			if waits[user]--; waits[user] == 0 {
				heap.Push(&ready, user)
			}
		}
	}
	return order
}

// byPath is a heap of packages; the ID decides between variants of a package.
type byPath []*Package

func (h byPath) Len() int      { return len(h) }
func (h byPath) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h byPath) Less(i, j int) bool {
	if h[i].Path != h[j].Path {
		return h[i].Path < h[j].Path
	}
	return h[i].ID < h[j].ID
}
func (h *byPath) Push(x any) { *h = append(*h, x.(*Package)) }
func (h *byPath) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}
