package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// maxFields is how many fields a struct may have. One that has more is several
// things.
const maxFields = 25

// tooLarge are the structs that have more and still have to be split.
var tooLarge = map[string]bool{
	"internal/certcheck.walker":   true,
	"internal/compile.gen":        true,
	"internal/compile.compiler":   true,
	"internal/kernel.socket":      true,
	"internal/mcrl2/data.Engine":  true,
	"internal/mcrl2/state.System": true,
	"internal/mem.Heap":           true,
}

// TestStructsAreSmall: no struct has more than maxFields fields. An embedded one
// counts as one.
func TestStructsAreSmall(t *testing.T) {
	files, found := 0, map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || path != root && strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go"):
			return nil
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files++
		dir, _ := filepath.Rel(root, filepath.Dir(path))
		name := ""
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				name = filepath.ToSlash(dir) + "." + n.Name.Name
			case *ast.StructType:
				got := n.Fields.NumFields()
				if got <= maxFields {
					break
				}
				if found[name] = true; !tooLarge[name] {
					t.Errorf("%s: %s has %d fields, want at most %d", fset.Position(n.Pos()), name, got, maxFields)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range tooLarge {
		if !found[name] {
			t.Errorf("%s is small enough now: take it off the list", name)
		}
	}
	if files < 500 {
		t.Errorf("looked at %d files only", files)
	}
}
