package load

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
)

// A listing is what the go command says of a package. Packages that are compiled
// differently for a test are packages of their own, with "[path.test]" in their ID.
type listing struct {
	ID, PkgPath, Name, Dir string
	ForTest                string // the path of the package whose test it is compiled for, or ""

	// Files are absolute names.
	GoFiles, OtherFiles, IgnoredFiles []string
	TestFiles                         []string // if it was listed without its tests
	EmbedFiles                        []string
	EmbedPatterns                     []string // as in the source

	// DefaultGODEBUG is what a main package has for GODEBUG: it follows from the go
	// version of the module and from //go:debug lines.
	DefaultGODEBUG string

	Module  *listedModule
	Imports map[string]*listing // by what the source says
	Errors  []listedError
}

// A listedModule is the module of a package.
type listedModule struct {
	Path, Version, GoVersion string
	Main                     bool
	Replace                  *listedModule
}

// A listedError is what the go command says is wrong with a package.
type listedError struct {
	Pos, Err    string
	ImportStack []string
}

// A listedJSON is a package as go list prints it. The names are those of its fields.
type listedJSON struct {
	ImportPath, Name, Dir, ForTest string
	DepOnly                        bool // it was not asked for
	GoFiles, CgoFiles              []string
	IgnoredGoFiles                 []string
	IgnoredOtherFiles              []string
	listedOthers
	TestGoFiles, XTestGoFiles []string
	EmbedFiles, EmbedPatterns []string
	DefaultGODEBUG            string
	Module                    *listedModule
	Imports                   []string
	ImportMap                 map[string]string // what the source says, where it is not the ID
	Error                     *listedError
}

// The listedOthers are files that are not Go.
type listedOthers struct {
	CFiles, CXXFiles, MFiles, HFiles, FFiles, SFiles, SwigFiles, SwigCXXFiles, SysoFiles []string
}

const (
	listFields = "ImportPath,Name,Dir,ForTest,GoFiles,CgoFiles,IgnoredGoFiles,IgnoredOtherFiles," +
		"CFiles,CXXFiles,MFiles,HFiles,FFiles,SFiles,SwigFiles,SwigCXXFiles,SysoFiles,Error"
	listDepFields  = ",DepOnly,Imports,ImportMap,Module,DefaultGODEBUG,EmbedFiles,EmbedPatterns"
	listTestFields = ",TestGoFiles,XTestGoFiles"
)

// golist runs go list, which compiles nothing, and returns the packages that the
// patterns name, in its order: with all that they import if deps says so, and then with
// their tests too.
func (u *universe) golist(patterns []string, deps, tests bool) ([]*listing, error) {
	args := []string{"list", "-e", "-buildvcs=false", "-pgo=off", "-tags=" + strings.Join(u.cfg.tags(), ",")}
	if deps {
		args = append(args, "-deps", fmt.Sprintf("-test=%t", tests), "-json="+listFields+listDepFields)
	} else {
		args = append(args, "-find", "-json="+listFields+listTestFields) // it does not look at what they import
	}
	overlay, done, err := u.writeOverlay()
	if err != nil {
		return nil, diag.Usagef("%v", err)
	}
	defer done()
	args = append(append(append(args, overlay...), "--"), patterns...)
	out, err := u.runGo(args)
	if err == nil {
		var found []*listing
		if found, err = readList(out); err != nil {
			err = diag.Usagef("go list: %v", err)
		} else if len(found) > 0 {
			return found, nil
		} else {
			err = diag.Usagef("%s: no packages match", strings.Join(patterns, " "))
		}
	}
	// Files that import "C" are no files to the go command without cgo.
	if errs := u.cgoImports(patterns); len(errs) > 0 {
		return nil, errs
	}
	return nil, err
}

// writeOverlay writes the user's overlay where the go command finds it, and returns
// the flag for it.
func (u *universe) writeOverlay() (flags []string, done func(), err error) {
	if len(u.cfg.Overlay) == 0 {
		return nil, func() {}, nil
	}
	dir, err := os.MkdirTemp("", "heddle-overlay-")
	if err != nil {
		return nil, nil, err
	}
	done = func() { os.RemoveAll(dir) }
	var table struct{ Replace map[string]string }
	table.Replace = map[string]string{}
	for i, name := range slices.Sorted(maps.Keys(u.cfg.Overlay)) {
		file := filepath.Join(dir, fmt.Sprintf("%d-%s", i, filepath.Base(name)))
		if err := os.WriteFile(file, u.cfg.Overlay[name], 0o666); err != nil {
			done()
			return nil, nil, err
		}
		table.Replace[name] = file
	}
	data, _ := json.Marshal(table) // texts can be written
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, data, 0o666); err != nil {
		done()
		return nil, nil, err
	}
	return []string{"-overlay=" + file}, done, nil
}

// aboutPackage are parts of what the go command prints about a package that is not
// there, instead of putting it into the list as it should.
var aboutPackage = []string{"named files must", "no such directory", "no such file or directory", "outside available modules", "outside module root"}

// runGo runs the go command and returns its output. Problems of packages are in it.
func (u *universe) runGo(args []string) ([]byte, error) {
	ctx := u.cfg.Context
	if ctx == nil {
		ctx = context.Background()
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = u.cfg.dir(), append(u.cfg.environ(), "PWD="+u.cfg.dir()), &out, &errs
	err := cmd.Run()
	text := oneLine(errs.String())
	var exit *exec.ExitError
	switch {
	case err == nil:
		return out.Bytes(), nil
	case errors.Is(err, exec.ErrNotFound):
		return nil, diag.Usagef("the go command is not in PATH: it is needed to find packages")
	case !errors.As(err, &exit) || text == "":
		return nil, diag.Usagef("go list: %v", err)
	case slices.ContainsFunc(aboutPackage, func(part string) bool { return strings.Contains(text, part) }):
		return json.Marshal(listedJSON{ImportPath: "command-line-arguments", Error: &listedError{Err: text}})
	case out.Len() > 0 && strings.Contains(text, "no Go files in"):
		return out.Bytes(), nil
	}
	return nil, diag.Usagef("%s", text)
}

// readList reads what go list prints.
func readList(data []byte) (roots []*listing, err error) {
	pkgs, raw := map[string]*listing{}, map[string]*listedJSON{}
	var named []string                   // by the patterns
	blamed := map[string][]listedError{} // errors of an import that belong to the importer
	for dec := json.NewDecoder(bytes.NewReader(data)); ; {
		p := new(listedJSON)
		if err := dec.Decode(p); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		if !p.DepOnly && !slices.Contains(named, p.ImportPath) {
			named = append(named, p.ImportPath)
		}
		// A package that may not be imported is there twice: once with the error.
		if old := raw[p.ImportPath]; old != nil {
			if old.Error == nil {
				old, p = p, old
			}
			if e := old.Error; e != nil && len(e.ImportStack) > 0 {
				by := e.ImportStack[len(e.ImportStack)-1]
				blamed[by] = append(blamed[by], *e)
			}
		}
		raw[p.ImportPath], pkgs[p.ImportPath] = p, p.listing()
	}
	for id, errs := range blamed {
		if p := pkgs[id]; p != nil {
			p.Errors = append(p.Errors, errs...)
		}
	}
	link := linker{pkgs, raw, map[string]bool{}}
	for _, id := range named {
		link.imports(id)
		roots = append(roots, pkgs[id])
	}
	return roots, nil
}

// listing returns the package without its imports.
func (p *listedJSON) listing() *listing {
	l := &listing{
		ID: p.ImportPath, Name: p.Name, Dir: p.Dir, ForTest: p.ForTest, Module: p.Module, EmbedPatterns: p.EmbedPatterns, DefaultGODEBUG: p.DefaultGODEBUG,
		GoFiles:      within(p.Dir, p.GoFiles, p.CgoFiles),
		OtherFiles:   within(p.Dir, p.CFiles, p.CXXFiles, p.MFiles, p.HFiles, p.FFiles, p.SFiles, p.SwigFiles, p.SwigCXXFiles, p.SysoFiles),
		IgnoredFiles: within(p.Dir, p.IgnoredGoFiles, p.IgnoredOtherFiles),
		EmbedFiles:   within(p.Dir, p.EmbedFiles),
		TestFiles:    within(p.Dir, p.TestGoFiles, p.XTestGoFiles),
	}
	l.PkgPath, _, _ = strings.Cut(p.ImportPath, " ")
	if p.Error != nil {
		e := *p.Error
		e.Err = strings.TrimSpace(e.Err)
		if strings.HasPrefix(e.Err, "import cycle not allowed") && len(e.ImportStack) > 0 {
			stack := make([]string, len(e.ImportStack))
			for i, s := range e.ImportStack {
				stack[i] = strings.TrimSuffix(s, " (test)")
			}
			e.Err += fmt.Sprintf(": import stack: %v", stack)
		}
		l.Errors = []listedError{e}
	}
	return l
}

// within returns the names of files in a folder, those of all lists one after the other.
func within(dir string, lists ...[]string) (files []string) {
	for _, list := range lists {
		for _, name := range list {
			if !filepath.IsAbs(name) {
				name = filepath.Join(dir, name)
			}
			files = append(files, name)
		}
	}
	return files
}

// A linker connects packages with what they import.
type linker struct {
	pkgs map[string]*listing
	raw  map[string]*listedJSON
	open map[string]bool // those that imports is called for now
}

// imports connects a package. An import that leads back to it is left out: the go
// command has an error for it. So is one of a package that is not in the list.
func (k *linker) imports(id string) {
	p, raw := k.pkgs[id], k.raw[id]
	if p.Imports != nil {
		return
	}
	k.open[id], p.Imports = true, map[string]*listing{}
	defer delete(k.open, id)
	said := map[string]string{} // what the source says, by ID
	for path, dep := range raw.ImportMap {
		said[dep] = path
	}
	for _, dep := range raw.Imports {
		path, ok := said[dep]
		if !ok {
			path = dep
		}
		if q := k.pkgs[dep]; q != nil && !k.open[dep] {
			k.imports(dep)
			p.Imports[path] = q
		}
	}
}
