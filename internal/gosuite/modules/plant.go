package main

import (
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

//go:embed plants.txt
var plants string

// tests are those of ours, for places that no test of the module itself uses
// from several goroutines.
//
//go:embed testdata/planted
var tests embed.FS

// kinds are what may be planted.
var kinds = []string{"race", "lock", "wake-up", "leak"}

// A plant is a fault that is put into a module on purpose.
type plant struct {
	module, pkg string // pkg is a pattern such as ./semaphore
	kind        string
	test        string // that is to find it
	ours        string // the file of the test, "" if it is the module's own
	edits       []edit
	missed      string // why it is not found, "" if it has to be
}

// An edit replaces text at one place of a function.
type edit struct {
	file, function string // a method is Type.Name
	old, new       string
	nth, of        int // the old text occurs so often in the function
}

// String tells where the edit is and what it does.
func (e *edit) String() string {
	nth := ""
	if e.of > 1 {
		nth = fmt.Sprintf(" (%d of %d)", e.nth, e.of)
	}
	if e.new == "" {
		return fmt.Sprintf("%s %s: no `%s`%s", e.file, e.function, e.old, nth)
	}
	return fmt.Sprintf("%s %s: `%s`%s is `%s`", e.file, e.function, e.old, nth, e.new)
}

var which = regexp.MustCompile(` \((\d+) of (\d+)\)$`)

// parsePlants reads the list of plants; its form is explained at its top.
func parsePlants(text string) (list []*plant, err error) {
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "" || line[0] == '#':
		case strings.HasPrefix(line, "\tmissed: ") && len(list) > 0:
			list[len(list)-1].missed = strings.TrimPrefix(line, "\tmissed: ")
		case line[0] == '\t':
			e, ok := parseEdit(line[1:])
			if !ok || len(list) == 0 {
				return nil, fmt.Errorf("plants.txt:%d: %q: want file function: old text [(n of m)] => new text, below a plant", n, line)
			}
			p := list[len(list)-1]
			p.edits = append(p.edits, e)
		default:
			f := strings.Fields(line)
			if len(f) < 4 || len(f) > 5 || !slices.Contains(kinds, f[2]) {
				return nil, fmt.Errorf("plants.txt:%d: %q: want module package kind test [file of ours], kind one of %v", n, line, kinds)
			}
			p := &plant{module: f[0], pkg: f[1], kind: f[2], test: f[3]}
			if len(f) == 5 {
				p.ours = f[4]
			}
			list = append(list, p)
		}
	}
	for _, p := range list {
		if len(p.edits) == 0 {
			return nil, fmt.Errorf("plants.txt: %s %s: nothing is changed", p.module, p.test)
		}
	}
	return list, nil
}

func parseEdit(s string) (e edit, ok bool) {
	place, change, ok := strings.Cut(s, ": ")
	if !ok {
		return e, false
	}
	if e.file, e.function, ok = strings.Cut(place, " "); !ok {
		return e, false
	}
	if e.old, ok = strings.CutSuffix(change, " =>"); !ok {
		if e.old, e.new, ok = strings.Cut(change, " => "); !ok {
			return e, false
		}
	}
	e.nth, e.of = 1, 1
	if m := which.FindStringSubmatch(e.old); m != nil {
		e.old = strings.TrimSuffix(e.old, m[0])
		e.nth, _ = strconv.Atoi(m[1])
		e.of, _ = strconv.Atoi(m[2])
	}
	return e, e.old != "" && 1 <= e.nth && e.nth <= e.of
}

// apply makes the edit in a file of Go and returns what it is then. There has to
// be one function of that name, and the old text has to occur in it as often as
// the edit says: a module of another version is not changed somewhere else.
func (e *edit) apply(source string) (string, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, e.file, source, 0)
	if err != nil {
		return "", err
	}
	var found []*ast.FuncDecl
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil && functionName(f) == e.function {
			found = append(found, f)
		}
	}
	if len(found) != 1 {
		return "", fmt.Errorf("%s: got %d functions %s, want 1", e.file, len(found), e.function)
	}
	begin, end := fset.Position(found[0].Body.Pos()).Offset, fset.Position(found[0].Body.End()).Offset
	parts := strings.Split(source[begin:end], e.old)
	if len(parts)-1 != e.of {
		return "", fmt.Errorf("%s: got %d times %q in %s, want %d", e.file, len(parts)-1, e.old, e.function, e.of)
	}
	body := strings.Join(parts[:e.nth], e.old) + e.new + strings.Join(parts[e.nth:], e.old)
	return source[:begin] + body + source[end:], nil
}

// functionName is the name of a function, with that of the type before it if it
// is a method.
func functionName(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return f.Name.Name
	}
	t := f.Recv.List[0].Type
	for {
		switch of := t.(type) {
		case *ast.StarExpr:
			t = of.X
		case *ast.IndexExpr:
			t = of.X
		case *ast.IndexListExpr:
			t = of.X
		case *ast.Ident:
			return of.Name + "." + f.Name.Name
		default:
			return "?." + f.Name.Name
		}
	}
}

// copyFor copies the module that is in a folder, with our test and, if faulty,
// with the fault. Whatever was there is removed.
func (p *plant) copyFor(to, from string, faulty bool) error {
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	if err := copyTree(to, from); err != nil {
		return err
	}
	if err := copyFile(filepath.Join(to, "go.mod"), filepath.Join(from, "go.mod")); err != nil {
		return err
	}
	if p.ours != "" {
		data, err := tests.ReadFile("testdata/planted/" + p.ours)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, p.pkg, "planted_test.go"), data, 0o666); err != nil {
			return err
		}
	}
	if !faulty {
		return nil
	}
	for _, e := range p.edits {
		name := filepath.Join(to, e.file)
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		text, err := e.apply(string(data))
		if err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}
