package load

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"path/filepath"
	"sort"
	"strconv"
	"sync"

	"github.com/heddle-mc/heddle/internal/diag"
)

// A Session loads the standard library once and then many small main packages
// on top of it, all into one ssa.Program. It is how thousands of test programs
// run in one process.
//
// The methods of a Session may be called from several goroutines, but not
// while another goroutine works on SSA of the same session: go/ssa does not
// lock its table of packages.
type Session struct {
	mu   sync.Mutex
	u    *universe
	also []*Package
	n    int // programs added so far
}

// NewSession starts a session. The patterns of cfg name standard packages to
// load right away; others are loaded when a program imports them.
func NewSession(cfg Config) (s *Session, err error) {
	defer rescue("starting a session", &err)
	u := newUniverse(cfg)
	u.open = true
	also, err := u.ensure(append(append([]string{}, cfg.Also...), cfg.Patterns...))
	if err != nil {
		return nil, err
	}
	if err := u.checkVersion(); err != nil {
		return nil, err
	}
	if err := u.complete(closure(also)); err != nil {
		return nil, err
	}
	return &Session{u: u, also: also[:1+len(cfg.Also)]}, nil
}

// closure returns the packages and everything they import.
func closure(roots []*Package) map[*Package]bool {
	all := make(map[*Package]bool)
	for _, p := range initOrder(roots, nil) {
		all[p] = true
	}
	return all
}

// AddMain loads the files as one more main package. Its imports must be
// standard packages. The files' build constraints are not looked at, and the
// language version is the newest unless a constraint in the file lowers it.
func (s *Session) AddMain(files ...string) (prog *Program, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(files) == 0 {
		return nil, diag.Usagef("no files given")
	}
	defer rescue("loading "+files[0], &err)

	u := s.u
	s.n++
	p := &Package{
		ID:    fmt.Sprintf("%s#%d", files[0], s.n),
		Path:  "main",
		Dir:   filepath.Dir(files[0]),
		Types: types.NewPackage("main", "main"),
		meta:  meta{goFiles: files, byImport: make(map[string]*Package)},
	}
	if errs := u.parse([]*Package{p}); len(errs) > 0 {
		errs.Sort()
		return nil, errs
	}
	if err := s.resolve(p); err != nil {
		return nil, err
	}
	prog = u.program([]*Package{p}, s.also)
	needed := make(map[*Package]bool)
	for _, q := range prog.Packages {
		if q != p {
			needed[q] = true
		}
	}
	if err := u.complete(needed); err != nil {
		return nil, err
	}
	if err := s.finishMain(p); err != nil {
		return nil, err
	}
	if err := u.finish(prog); err != nil {
		return nil, err
	}
	return prog, nil
}

// Load is [Load] on the standard library of the session. All else is loaded anew, so the programs
// of a session may be of different modules. The library has to be the same one for all of them: the build tags, the overlay and
// the settings of the go command that it depends on are those of the session.
func (s *Session) Load(cfg Config) (*Program, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.u.overlayFor("") // there is a table now
	u := newUniverse(cfg)
	u.fset, u.prog, u.goroot, u.calls, u.open = s.u.fset, s.u.prog, s.u.goroot, s.u.calls, true
	u.overlay = maps.Clone(s.u.overlay)
	for id, p := range s.u.pkgs {
		if p.Standard && p.state != listed {
			u.pkgs[id] = p
		}
	}
	progs, err := u.load()
	if err != nil {
		return nil, err
	}
	for id, p := range u.pkgs {
		if p.Standard && id == p.Path && id != testdeps && s.u.pkgs[id] == nil { // testdeps is not the same in all programs
			s.u.pkgs[id] = p
		}
	}
	return only(cfg, progs)
}

// finishMain checks and builds the package that AddMain has parsed.
func (s *Session) finishMain(p *Package) error {
	errs := s.u.check([]*Package{p})
	if len(errs) == 0 {
		errs = s.u.refuse(p)
	}
	if len(errs) > 0 {
		errs.Sort()
		return errs
	}
	return s.u.build([]*Package{p})
}

// resolve finds the packages that the parsed package imports.
func (s *Session) resolve(p *Package) error {
	specs := make(map[string]*ast.ImportSpec)
	for _, f := range p.files {
		for _, imp := range f.Imports {
			if path, err := strconv.Unquote(imp.Path.Value); err == nil && specs[path] == nil {
				specs[path] = imp
			}
		}
	}
	var errs diag.List
	fail := func(path string, unsupported bool) {
		pos := position(s.u.fset.Position(specs[path].Pos()))
		if unsupported {
			errs = append(errs, diag.Unsupportedf(pos, `cgo (import "C")`))
		} else {
			errs = append(errs, diag.Sourcef(pos, "package %s is not in the standard library", path))
		}
	}
	var missing []string
	for path := range specs {
		switch {
		case path == "C":
			fail(path, true)
		case s.u.pkgs[path] == nil:
			missing = append(missing, path)
		}
	}
	sort.Strings(missing)
	if len(missing) > 0 && len(errs) == 0 {
		if _, err := s.u.list(missing, false); err != nil {
			return err
		}
	}
	for path := range specs {
		dep := s.u.pkgs[path]
		switch {
		case path == "C":
		case dep == nil || dep.from != nil && len(dep.from.Errors) > 0:
			delete(s.u.pkgs, path)
			fail(path, false)
		default:
			p.byImport[path] = dep
			p.Imports = append(p.Imports, dep)
		}
	}
	sort.Slice(p.Imports, func(i, j int) bool { return p.Imports[i].ID < p.Imports[j].ID })
	errs.Sort()
	return errs.Err()
}
