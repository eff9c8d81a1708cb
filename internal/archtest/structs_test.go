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

// TestStructsAreSmall: no struct has more than maxFields fields. An embedded one
// counts as one.
func TestStructsAreSmall(t *testing.T) {
	files := 0
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
				if got := n.Fields.NumFields(); got > maxFields {
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
	if files < 500 {
		t.Errorf("looked at %d files only", files)
	}
}
