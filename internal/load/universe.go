package load

import (
	"fmt"
	"go/token"
	"go/types"
	"runtime"
	"runtime/debug"
	"sort"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/evalorder"
)

// A universe is a growing set of packages that share a file set and an
// ssa.Program. A package enters it in four steps: listed (metadata), parsed,
// type-checked, built.
type universe struct {
	cfg     Config
	fset    *token.FileSet
	prog    *ssa.Program
	pkgs    map[string]*Package // by ID
	goroot  string
	overlay map[string][]byte // overlays below goroot, see overlayFor
	began   time.Time         // before the first file was read
	open    bool              // packages will be added, see Session
	roots   []*Package        // that the patterns name
	calls   map[string]token.Pos
	hollow  map[*token.File][]byte // sources of the files that are parsed without bodies
}

func newUniverse(cfg Config) *universe {
	fset := token.NewFileSet()
	return &universe{
		cfg:   cfg,
		began: time.Now(),
		fset:  fset,
		calls: make(map[string]token.Pos),
		prog:  ssa.NewProgram(fset, ssa.InstantiateGenerics),
		pkgs: map[string]*Package{"unsafe": {
			ID: "unsafe", Path: "unsafe", Types: types.Unsafe, Standard: true, meta: meta{state: checked},
		}},
	}
}

// ensure makes sure that the named standard packages are listed, and package
// runtime with them, and returns them.
func (u *universe) ensure(paths []string) ([]*Package, error) {
	paths = append([]string{"runtime"}, paths...)
	var missing []string
	for _, path := range paths {
		if u.pkgs[path] == nil {
			missing = append(missing, path)
		}
	}
	if len(missing) > 0 {
		if _, err := u.list(missing, false); err != nil {
			return nil, err
		}
	}
	pkgs := make([]*Package, len(paths))
	for i, path := range paths {
		if pkgs[i] = u.pkgs[path]; pkgs[i] == nil {
			return nil, diag.Usagef("package %s is not in the standard library of %s", path, u.goroot)
		}
	}
	return pkgs, nil
}

// complete parses, type-checks and builds the given packages, which must be
// closed under imports. It stops after the first step that finds errors.
func (u *universe) complete(needed map[*Package]bool) error {
	var fresh []*Package
	for p := range needed {
		if p.state == listed {
			fresh = append(fresh, p)
		}
	}
	sort.Slice(fresh, func(i, j int) bool { return fresh[i].ID < fresh[j].ID })

	var errs diag.List
	for _, p := range fresh {
		errs = append(errs, u.listErrors(p)...)
	}
	if len(errs) == 0 {
		errs = u.parse(fresh)
	}
	if len(errs) == 0 {
		errs = u.trim(fresh)
	}
	if len(errs) == 0 {
		errs = u.check(fresh)
	}
	if len(errs) == 0 {
		for _, p := range fresh {
			errs = append(errs, u.refuse(p)...)
		}
	}
	if len(errs) > 0 {
		u.forget(fresh)
		errs.Sort()
		return errs
	}
	return u.build(fresh)
}

// forget removes packages that did not complete, so that a session can go on.
func (u *universe) forget(pkgs []*Package) {
	for _, p := range pkgs {
		delete(u.pkgs, p.ID)
	}
}

// build creates and builds the SSA form of type-checked packages.
func (u *universe) build(fresh []*Package) error {
	if err := each(fresh, func(p *Package) error {
		evalorder.Apply(p.files, p.Types, p.info)
		return nil
	}); err != nil {
		return err
	}
	for _, p := range fresh {
		p.SSA = u.prog.CreatePackage(p.Types, p.files, p.info, p.Path != "main")
		p.SSA.SetDebugMode(u.cfg.Names && !p.Standard)
	}
	if p := u.pkgs["unsafe"]; p.SSA == nil {
		p.SSA = u.prog.CreatePackage(types.Unsafe, nil, nil, true)
	}
	// The largest package first: package runtime alone is a fifth of a small
	// program.
	bySize := append([]*Package{}, fresh...)
	sort.SliceStable(bySize, func(i, j int) bool { return bySize[i].size > bySize[j].size })
	if err := each(bySize, func(p *Package) error {
		p.SSA.Build()
		return nil
	}); err != nil {
		return err
	}
	for _, p := range fresh {
		p.state = built
		p.files, p.info = nil, nil
	}
	return nil
}

// each calls f for every package, in order, on all processors. It returns the
// first error, without waiting for the calls still running: after a panic of
// the SSA builder others may wait for what it did not finish.
func each(pkgs []*Package, f func(*Package) error) error {
	next := make(chan *Package, len(pkgs))
	for _, p := range pkgs {
		next <- p
	}
	close(next)
	workers := min(runtime.GOMAXPROCS(0), len(pkgs))
	result := make(chan error, workers)
	for range workers {
		go func() {
			var err error
			for p := range next {
				if err = guard(p, f); err != nil {
					break
				}
			}
			result <- err
		}()
	}
	for range workers {
		if err := <-result; err != nil {
			return err
		}
	}
	return nil
}

// guard calls f(p) and turns a panic into an error that names the package.
func guard(p *Package, f func(*Package) error) (err error) {
	defer rescue("loading "+p.ID, &err)
	return f(p)
}

// rescue, when deferred, turns a panic of the parser, the type checker or the
// SSA builder into an internal error.
func rescue(doing string, err *error) {
	r := recover()
	if r == nil {
		return
	}
	if bug, ok := r.(*diag.Error); ok && bug.Kind == diag.Bug {
		*err = bug
		return
	}
	text := strings.ReplaceAll(fmt.Sprint(r), "\n", "; ")
	bug := diag.Bugf("%s: %s", doing, text)
	bug.Err = fmt.Errorf("%s\n%s", text, debug.Stack())
	*err = bug
}
