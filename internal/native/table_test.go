package native

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	golang "github.com/heddle-mc/heddle/internal/goroot"
)

func TestListIsSortedAndExplained(t *testing.T) {
	list := List()
	if len(list) == 0 || len(list) != len(Table()) {
		t.Fatalf("got %d intrinsics and %d natives, want as many", len(list), len(Table()))
	}
	for i, in := range list {
		if i > 0 && list[i-1].Name >= in.Name {
			t.Errorf("%s comes before %s", list[i-1].Name, in.Name)
		}
		if in.Note == "" || strings.Contains(in.Note, "\n") || in.Fn == nil {
			t.Errorf("%s: want a note of one line and a function", in.Name)
		}
	}
}

// TestIntrinsicsExist looks every intrinsic up in the standard library's source,
// so that the table does not outlive what it stands for: the function is there,
// and without a body if that is the reason given.
func TestIntrinsicsExist(t *testing.T) {
	shim, err := os.ReadFile(filepath.Join(golang.Dir(), "src/runtime/linkname_shim.go"))
	if err != nil {
		t.Fatal(err)
	}
	decls := make(map[string]map[string]bool) // by package: names, and whether one has no body
	for _, in := range List() {
		pkg, name := splitSymbol(in.Name)
		if _, ok := decls[pkg]; !ok {
			decls[pkg] = declarations(t, pkg)
		}
		if decls[pkg] == nil || pkg == "runtime" && !ast.IsExported(name) {
			continue // not in the standard library, or the target of linknames
		}
		bare, ok := decls[pkg][name]
		switch {
		case !ok && strings.Contains(string(shim), " "+in.Name+"\n"):
			// what package runtime still defines for linknames of others
		case !ok && in.Name == testMatch:
			// in the file with which package load replaces that of testdeps
		case !ok:
			t.Errorf("%s: package %s declares no %s", in.Name, pkg, name)
		case in.Why == NoBody && !bare:
			t.Errorf("%s: got a body, but the reason %q", in.Name, in.Why)
		}
	}
}

// splitSymbol splits "(*p.T).m" into p and (*T).m, and "p.f" into p and f.
func splitSymbol(s string) (pkg, name string) {
	inner, method, isMethod := strings.Cut(strings.TrimPrefix(s, "("), ")")
	star := ""
	if isMethod {
		if strings.HasPrefix(inner, "*") {
			star, inner = "*", inner[1:]
		}
	}
	dot := strings.LastIndexByte(inner, '.')
	pkg, name = inner[:dot], inner[dot+1:]
	if isMethod {
		name = "(" + star + name + ")" + method
	}
	return pkg, name
}

// declarations lists the functions of a package of the standard library that are
// declared for linux/amd64, nil if there is no such package.
func declarations(t *testing.T, pkg string) map[string]bool {
	dir := filepath.Join(golang.Dir(), "src", filepath.FromSlash(pkg))
	files, err := os.ReadDir(dir)
	if err != nil {
		if !os.IsNotExist(err) && err != fs.ErrNotExist {
			t.Fatal(err)
		}
		return nil
	}
	ctx := build.Default
	ctx.GOOS, ctx.GOARCH, ctx.CgoEnabled = "linux", "amd64", false
	ctx.BuildTags = []string{"purego", "math_big_pure_go", "netgo", "osusergo"}
	names := make(map[string]bool)
	for _, f := range files {
		if match, _ := ctx.MatchFile(dir, f.Name()); !match || filepath.Ext(f.Name()) != ".go" {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, f.Name()), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				name := declName(fn)
				names[name] = names[name] || fn.Body == nil
			}
		}
	}
	return names
}

// declName is the name of a function as splitSymbol has it.
func declName(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return fn.Name.Name
	}
	typ, star := fn.Recv.List[0].Type, ""
	if p, ok := typ.(*ast.StarExpr); ok {
		typ, star = p.X, "*"
	}
	if id, ok := typ.(*ast.Ident); ok {
		return "(" + star + id.Name + ")." + fn.Name.Name
	}
	return fn.Name.Name
}
