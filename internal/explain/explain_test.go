package explain

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestTopics: each has a sentence, advice if it is a finding or a reason, and lines that fit a terminal.
func TestTopics(t *testing.T) {
	seen := map[string]bool{}
	groups := map[string]int{}
	for _, x := range Topics() {
		if seen[x.Name] {
			t.Errorf("%s is there twice", x.Name)
		}
		seen[x.Name] = true
		groups[x.Group]++
		if x.Short == "" || strings.Contains(x.Short, "\n") {
			t.Errorf("%s: short text %q", x.Name, x.Short)
		}
		if x.Group != "Verdicts" && !strings.Contains(x.Text, "\nWhat to do:\n- ") {
			t.Errorf("%s: does not say what to do", x.Name)
		}
		for line := range strings.Lines(x.Text) {
			if n := len([]rune(line)); n > 86 {
				t.Errorf("%s: a line of %d characters: %s", x.Name, n, line)
			}
		}
	}
	if len(groups) != 3 || groups["Findings"] < 10 || groups["Verdicts"] != 4 {
		t.Errorf("groups: %v", groups)
	}
	if Lookup("race") == nil || Lookup("nosuch") != nil {
		t.Error("Lookup does not find what is there, or finds what is not")
	}
}

// TestEveryKind: all kinds of findings and reasons for what is left out that occur in the source have a topic.
func TestEveryKind(t *testing.T) {
	words := wordsInSource(t)
	for _, want := range []string{"deadlock", "race", "livelock", "difference", "nondeterminism", "time", "claimed", "peer"} {
		if words[want] == "" {
			t.Errorf("the word %q is not found in the source: does this test still look where it should?", want)
		}
	}
	for _, w := range slices.Sorted(maps.Keys(words)) {
		if Lookup(w) == nil {
			t.Errorf("%s: the word %q has no topic in topics.md", words[w], w)
		}
	}
	for _, x := range Topics() {
		if x.Group != "Verdicts" && words[x.Name] == "" {
			t.Errorf("topic %q: nobody says that", x.Name)
		}
	}
}

// wordsInSource returns the words of findings and of what is left, with where they stand: constants of the types
// Property and Reason of two packages, and what is written to a Kind or Reason where a Finding, Failure or Left is made.
func wordsInSource(t *testing.T) map[string]string {
	fset := token.NewFileSet()
	packages := map[string][]*ast.File{}
	for _, root := range []string{"../../internal", "../../cmd"} {
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || d.Name() == "gosuite" || d.Name() == "ltstest") {
				return filepath.SkipDir
			}
			if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
				return nil
			}
			f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			packages[filepath.Dir(name)] = append(packages[filepath.Dir(name)], f)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	words := map[string]string{}
	for dir, files := range packages {
		constants := map[string]string{}
		note := func(x ast.Expr) {
			word := ""
			switch x := x.(type) {
			case *ast.BasicLit:
				word, _ = strconv.Unquote(x.Value)
			case *ast.Ident:
				word = constants[x.Name]
			}
			if word != "" {
				words[word] = fset.Position(x.Pos()).String()
			}
		}
		for _, f := range files {
			for _, d := range f.Decls {
				d, ok := d.(*ast.GenDecl)
				if !ok || d.Tok != token.CONST {
					continue
				}
				for _, s := range d.Specs {
					s := s.(*ast.ValueSpec)
					for i, value := range s.Values {
						lit, ok := value.(*ast.BasicLit)
						if !ok || lit.Kind != token.STRING {
							continue
						}
						constants[s.Names[i].Name], _ = strconv.Unquote(lit.Value)
						switch typ, _ := s.Type.(*ast.Ident); {
						case typ == nil:
						case typ.Name == "Property" && strings.HasSuffix(dir, "internal/execute"), typ.Name == "Reason" && strings.HasSuffix(dir, "internal/explore"):
							note(value)
						}
					}
				}
			}
		}
		for _, f := range files {
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CompositeLit:
					name := typeName(n.Type)
					for _, e := range n.Elts {
						if list, ok := e.(*ast.CompositeLit); ok && list.Type == nil { // an element of []Finding{{…}}
							inner := *list
							inner.Type = elementType(n.Type)
							noteFields(&inner, typeName(inner.Type), note)
						}
					}
					noteFields(n, name, note)
				case *ast.AssignStmt: // left.Reason, left.Count = peerTrouble, 0
					for i, l := range n.Lhs {
						if s, ok := l.(*ast.SelectorExpr); ok && s.Sel.Name == "Reason" && len(n.Lhs) == len(n.Rhs) && typeName(s.X) == "left" {
							note(n.Rhs[i])
						}
					}
				}
				return true
			})
		}
	}
	return words
}

func noteFields(c *ast.CompositeLit, name string, note func(ast.Expr)) {
	field := map[string]string{"Finding": "Kind", "Failure": "Kind", "Left": "Reason"}[name]
	for _, e := range c.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok && field != "" && typeName(kv.Key) == field {
			note(kv.Value)
		}
	}
}

func elementType(x ast.Expr) ast.Expr {
	if a, ok := x.(*ast.ArrayType); ok {
		return a.Elt
	}
	return nil
}

// typeName returns the last part of a name, as Finding of diag.Finding.
func typeName(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return x.Sel.Name
	}
	return ""
}
