package execute

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// Code that cannot be reached from main is not compiled. A rule about such a function is not a mistake of whoever wrote the rule: the
// program may be one that forgets to call it. So the source is asked, and who has written the rule is told.

// uncalled returns the name of a function that a rule needs and that the program has, but never calls, "" if there is none.
func (r *ObserveRule) uncalled(prog *bytecode.Program) string {
	for _, name := range []string{r.Func, r.In} {
		if name == "" {
			continue
		}
		if _, err := functionsNamed(prog, name, r.Pos); err != nil && declares(prog, name) {
			return name
		}
	}
	return ""
}

// untyped has the action looked at without the types of its places, which nobody knows of a function that is not compiled.
func (r *ObserveRule) untyped() error {
	if r.Fits == nil {
		return nil
	}
	var holes []Hole
	for _, m := range hole.FindAllStringIndex(r.Action, -1) {
		holes = append(holes, Hole{At: m[0], End: m[1]})
	}
	return r.Fits(holes)
}

// declares reports whether the source of a package of the program declares a function. Function literals are parts of others.
func declares(prog *bytecode.Program, name string) bool {
	dot := strings.LastIndexByte(name, '/') + 1
	i := strings.IndexByte(name[dot:], '.')
	if i < 0 {
		return false
	}
	pkg, own := name[:dot+i], name[dot+i+1:]
	var dirs []string
	for i := range prog.Funcs {
		f := &prog.Funcs[i]
		if f.Wrapper || f.Native != "" || f.Pkg != pkg && f.Pkg[strings.LastIndexByte(f.Pkg, '/')+1:] != pkg || f.File >= len(prog.Files) {
			continue
		}
		if dir := filepath.Dir(prog.Files[f.File]); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return slices.ContainsFunc(dirs, func(dir string) bool { return declaresIn(dir, own) })
}

// declaresIn reports whether a file of a folder declares a function, named without its package.
func declaresIn(dir, name string) bool {
	files, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") || strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, file.Name()), nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		for _, d := range tree.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && declaredName(f) == name {
				return true
			}
		}
	}
	return false
}

// declaredName is the name of a function as stack traces have it, without its package.
func declaredName(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) != 1 {
		return f.Name.Name
	}
	typ, star := f.Recv.List[0].Type, false
	if s, ok := typ.(*ast.StarExpr); ok {
		typ, star = s.X, true
	}
	switch t := typ.(type) {
	case *ast.IndexExpr:
		typ = t.X
	case *ast.IndexListExpr:
		typ = t.X
	}
	id, ok := typ.(*ast.Ident)
	switch {
	case !ok:
		return ""
	case star:
		return "(*" + id.Name + ")." + f.Name.Name
	}
	return id.Name + "." + f.Name.Name
}
