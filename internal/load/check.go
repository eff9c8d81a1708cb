package load

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/heddle-mc/heddle/internal/diag"
)

// A state says how far a package has come.
type state uint8

const (
	listed state = iota
	checked
	built
)

// meta is what the loader keeps about a package for itself.
type meta struct {
	state    state
	lang     string              // language version, for example "go1.21", or "" for the newest
	goFiles  []string            // absolute names
	asm      bool                // has assembly files
	from     *listing            // nil for packages of a session
	byImport map[string]*Package // by the path in the import declaration

	size    int  // bytes of source
	trimmed bool // bodies of functions were taken out, see trimmer
	files   []*ast.File
	info    *types.Info
	links   []link // its //go:linkname directives
	bare    []bare // its functions without body
}

// parse parses the files of the packages.
func (u *universe) parse(pkgs []*Package) diag.List {
	type job struct {
		p *Package
		i int
	}
	var jobs []job
	for _, p := range pkgs {
		p.files = make([]*ast.File, len(p.goFiles))
		for i := range p.goFiles {
			u.overlayFor(p.goFiles[i]) // builds the overlay table before it is shared
			jobs = append(jobs, job{p, i})
		}
	}
	var mu sync.Mutex
	var errs diag.List
	u.hollow = make(map[*token.File][]byte)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for n := int(next.Add(1)) - 1; n < len(jobs); n = int(next.Add(1)) - 1 {
				p, i := jobs[n].p, jobs[n].i
				f, err := u.parseFile(p.goFiles[i], u.trims(p))
				mu.Lock()
				if err != nil {
					errs = append(errs, u.syntaxErrors(p.goFiles[i], err)...)
				}
				if f != nil {
					p.files[i] = f.tree
					p.size += len(f.src)
				}
				if f != nil && f.hollow {
					u.hollow[u.fset.File(f.tree.FileStart)] = f.src
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return errs
}

// A parsed is a file that was parsed.
type parsed struct {
	tree   *ast.File
	src    []byte
	hollow bool // the tree has no bodies, see hollow
}

// parseFile parses one file, without bodies if so said. Comments are kept only if the file has directives
// that we look for: they are a third of the tree.
func (u *universe) parseFile(name string, hollows bool) (*parsed, error) {
	src, err := u.read(name)
	if err != nil {
		return nil, err
	}
	mode := parser.SkipObjectResolution
	for _, directive := range []string{"//go:linkname ", "//go:embed ", "//go:uintptr", "//go:noinline"} {
		if bytes.Contains(src, []byte(directive)) {
			mode |= parser.ParseComments
		}
	}
	if hollows {
		if blank := hollow(src); blank != nil {
			if f, err := parser.ParseFile(u.fset, name, blank, mode); err == nil {
				return &parsed{f, src, true}, nil
			}
		}
	}
	f, err := parser.ParseFile(u.fset, name, src, mode)
	return &parsed{f, src, false}, err
}

// syntaxErrors converts the errors of the parser.
func (u *universe) syntaxErrors(file string, err error) diag.List {
	var list scanner.ErrorList
	if errors.As(err, &list) {
		var errs diag.List
		for _, e := range list {
			errs = append(errs, diag.Sourcef(position(e.Pos), "%s", oneLine(e.Msg)))
		}
		return errs
	}
	var pathErr *os.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	return diag.List{diag.Sourcef(diag.Pos{File: shorten(file)}, "%v", err)}
}

// check type-checks the packages, each one after those it imports.
func (u *universe) check(pkgs []*Package) diag.List {
	// A package is ready when it waits for no other.
	waits := make(map[*Package]int)
	users := make(map[*Package][]*Package)
	for _, p := range pkgs {
		waits[p] = 0
		for _, dep := range p.Imports {
			if dep.state == listed {
				waits[p]++
				users[dep] = append(users[dep], p)
			}
		}
	}
	ready := make(chan *Package, len(pkgs))
	for _, p := range pkgs {
		if waits[p] == 0 {
			ready <- p
		}
	}
	var mu sync.Mutex
	var errs diag.List
	left := len(pkgs)
	if left == 0 {
		return nil
	}
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(pkgs)) {
		wg.Go(func() {
			for p := range ready {
				var found diag.List
				if err := guard(p, func(p *Package) error { found = u.checkOne(p); return nil }); err != nil {
					found = diag.List{err.(*diag.Error)}
				}
				mu.Lock()
				errs = append(errs, found...)
				p.state = checked
				for _, user := range users[p] {
					if waits[user]--; waits[user] == 0 {
						ready <- user
					}
				}
				if left--; left == 0 {
					close(ready)
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return errs
}

// maxErrors is how many errors of one package are kept, as in the compiler.
const maxErrors = 10

// checkOne type-checks one package whose imports have been checked.
func (u *universe) checkOne(p *Package) diag.List {
	var errs diag.List
	conf := &types.Config{
		GoVersion: p.lang,
		Sizes:     Sizes(),

		DisableUnusedImportCheck: p.trimmed,

		Importer: importer(func(path string) (*types.Package, error) {
			if path == "unsafe" {
				return types.Unsafe, nil
			}
			if dep := p.byImport[path]; dep != nil {
				return dep.Types, nil
			}
			return nil, fmt.Errorf("package %s was not found", path)
		}),
		Error: func(err error) {
			if len(errs) < maxErrors {
				errs = append(errs, u.typeError(err))
			}
		},
	}
	p.info = &types.Info{
		Types:        make(map[ast.Expr]types.TypeAndValue),
		Defs:         make(map[*ast.Ident]types.Object),
		Uses:         make(map[*ast.Ident]types.Object),
		Implicits:    make(map[ast.Node]types.Object),
		Instances:    make(map[*ast.Ident]types.Instance),
		Selections:   make(map[*ast.SelectorExpr]*types.Selection),
		FileVersions: make(map[*ast.File]string),
	}
	err := types.NewChecker(conf, u.fset, p.Types, p.info).Files(p.files)
	if err != nil && len(errs) == 0 {
		errs = append(errs, u.typeError(err))
	}
	if len(errs) > 0 {
		if cgo := u.cgoErrors(p); len(cgo) > 0 {
			return cgo // what is undefined is most likely defined there
		}
		if o := u.replaced(p); o != nil {
			errs.Sort()
			return diag.List{diag.Unsupportedf(errs[0].Pos, "needs what is in %s, which is replaced (%s)", o.name, o.reason)}
		}
		return errs
	}
	u.directives(p)
	return nil
}

// typeError converts an error of the type checker.
func (u *universe) typeError(err error) *diag.Error {
	var terr types.Error
	if errors.As(err, &terr) {
		return diag.Sourcef(position(u.fset.Position(terr.Pos)), "%s", oneLine(terr.Msg))
	}
	return diag.Usagef("%s", oneLine(err.Error()))
}

type importer func(path string) (*types.Package, error)

func (f importer) Import(path string) (*types.Package, error) { return f(path) }
