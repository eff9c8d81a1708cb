package load

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestReadList: packages are connected by what their sources say, without cycles; a
// package that is there twice is the one without error, and who imports it has that.
func TestReadList(t *testing.T) {
	roots, err := readList([]byte(`
{"ImportPath": "unsafe", "Name": "unsafe", "Dir": "/go/src/unsafe", "DepOnly": true}
{"ImportPath": "vendor/x", "Name": "x", "Dir": "/go/src/vendor/x", "GoFiles": ["x.go"], "CgoFiles": ["c.go"], "SFiles": ["x.s"], "DepOnly": true}
{"ImportPath": "cmd/m", "Name": "main", "DepOnly": true, "Error": {"ImportStack": ["a", "b"], "Pos": "b.go:3:8", "Err": "import \"cmd/m\" is a program, not an importable package"}}
{"ImportPath": "b", "Name": "b", "DepOnly": true, "Imports": ["a", "cmd/m"], "Error": {"ImportStack": ["a", "b (test)", "a"], "Err": "import cycle not allowed\n"}}
{"ImportPath": "a [a.test]", "Name": "a", "Dir": "/a", "ForTest": "a", "Imports": ["unsafe", "vendor/x", "b", "none"], "ImportMap": {"x": "vendor/x"},
	"Module": {"Path": "a", "GoVersion": "1.26", "Main": true}, "EmbedFiles": ["e/1"], "EmbedPatterns": ["all:e"], "DefaultGODEBUG": "x=1"}
{"ImportPath": "a", "Name": "a", "Dir": "/a", "Imports": ["b"]}
{"ImportPath": "cmd/m", "Name": "main", "Dir": "/m"}
`))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range roots {
		names = append(names, p.ID)
	}
	if got := strings.Join(names, ", "); got != "a [a.test], a, cmd/m" {
		t.Fatalf("got packages %s", got)
	}
	a := roots[0]
	if a.PkgPath != "a" || a.ForTest != "a" || a.Module == nil || a.Module.GoVersion != "1.26" || !a.Module.Main || a.DefaultGODEBUG != "x=1" || !slices.Equal(a.EmbedFiles, []string{"/a/e/1"}) || !slices.Equal(a.EmbedPatterns, []string{"all:e"}) {
		t.Errorf("got %+v", a)
	}
	if got := slices.Sorted(maps.Keys(a.Imports)); !slices.Equal(got, []string{"b", "unsafe", "x"}) {
		t.Errorf("got imports %q of a", got)
	}
	if x := a.Imports["x"]; x.ID != "vendor/x" || !slices.Equal(x.GoFiles, []string{"/go/src/vendor/x/x.go", "/go/src/vendor/x/c.go"}) || !slices.Equal(x.OtherFiles, []string{"/go/src/vendor/x/x.s"}) {
		t.Errorf("got %+v for x", x)
	}
	b := a.Imports["b"]
	if got := b.Imports["a"]; got != roots[1] || len(got.Imports) != 0 {
		t.Errorf("got %+v for what b imports, want a without what leads back", got)
	}
	if len(b.Errors) != 2 || b.Errors[0].Err != "import cycle not allowed: import stack: [a b a]" || b.Errors[1].Pos != "b.go:3:8" {
		t.Errorf("got errors %+v of b", b.Errors)
	}
	if m := roots[2]; len(m.Errors) != 0 || m.Dir != "/m" || b.Imports["cmd/m"] != m {
		t.Errorf("got %+v for the program that b imports", m)
	}
	if _, err := readList([]byte(`{"ImportPath": 7}`)); err == nil {
		t.Error("nonsense was read")
	}
}
