package scout

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// A Call is an expression that listens or dials.
type Call struct {
	Where string // file:line
	Text  string // in one line
}

// verbs begin the names of functions that listen or dial.
var verbs = []string{"Listen", "Dial", "Serve"}

// Calls returns those in some files which listen or dial, by the names of what they call.
func Calls(files []string) (list []Call) {
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			continue // the compiler says what is wrong
		}
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || !verb(sel.Sel.Name) {
				return true
			}
			list = append(list, Call{fmt.Sprintf("%s:%d", filepath.Base(name), fset.Position(call.Pos()).Line), short(string(text[fset.Position(call.Pos()).Offset:fset.Position(call.End()).Offset]))})
			return true
		})
	}
	return list
}

func verb(name string) bool {
	for _, v := range verbs {
		if rest, ok := strings.CutPrefix(name, v); ok && (rest == "" || rest[0] >= 'A' && rest[0] <= 'Z') && rest != "HTTP" && rest != "Mux" {
			return true
		}
	}
	return false
}

// short writes an expression in one line.
func short(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > 80 {
		text = string(r[:79]) + "…"
	}
	return text
}
