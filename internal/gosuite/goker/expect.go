package goker

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strconv"
)

// An expectation is what the test of the Go team says of a kernel.
type expectation struct {
	leaks []*regexp.Regexp
	flaky bool
}

// expectations reads the test of the Go team. Its list of kernels is an
// assignment to gokerTestCases, each entry a call of makeTest or makeFlakyTest
// with the name of the kernel and the regular expressions.
func expectations(file string) (map[string]expectation, error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var lit *ast.CompositeLit
	ast.Inspect(f, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) == 1 && isIdent(a.Lhs[0], "gokerTestCases") {
			lit, _ = a.Rhs[0].(*ast.CompositeLit)
		}
		return lit == nil
	})
	if lit == nil {
		return nil, fmt.Errorf("%s: no list gokerTestCases", file)
	}
	list := make(map[string]expectation)
	for _, e := range lit.Elts {
		name, x, err := expect(e)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", fset.Position(e.Pos()), err)
		}
		if _, ok := list[name]; ok {
			return nil, fmt.Errorf("%s: kernel %s is listed twice", fset.Position(e.Pos()), name)
		}
		list[name] = x
	}
	return list, nil
}

// expect reads one entry of the list.
func expect(e ast.Expr) (name string, x expectation, err error) {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return "", x, fmt.Errorf("entry is no call")
	}
	switch {
	case isIdent(call.Fun, "makeFlakyTest"):
		x.flaky = true
	case !isIdent(call.Fun, "makeTest"):
		return "", x, fmt.Errorf("entry is no call of makeTest or makeFlakyTest")
	}
	for i, arg := range call.Args {
		lit, ok := arg.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return "", x, fmt.Errorf("argument %d is no string", i+1)
		}
		s, err := strconv.Unquote(lit.Value)
		if err != nil {
			return "", x, err
		}
		if i == 0 {
			name = s
			continue
		}
		re, err := regexp.Compile(s)
		if err != nil {
			return "", x, err
		}
		x.leaks = append(x.leaks, re)
	}
	if len(x.leaks) == 0 {
		return "", x, fmt.Errorf("entry has no leaks")
	}
	return name, x, nil
}

// isIdent tells whether an expression is the identifier.
func isIdent(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}
