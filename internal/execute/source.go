package execute

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
)

// sources finds in the source of a program what stands at a place, so that steps
// can be told in the program's own words. A file that cannot be read or has
// changed only costs the words.
type sources struct{ files map[string]*sourceFile }

type sourceFile struct {
	fset   *token.FileSet
	tree   *ast.File
	around map[diag.Pos][]ast.Node // what at has found, since states tell of the same few places again and again
}

func (s *sources) file(name string) *sourceFile {
	if f, ok := s.files[name]; ok {
		return f
	}
	if s.files == nil {
		s.files = make(map[string]*sourceFile)
	}
	var f *sourceFile
	if text, err := os.ReadFile(name); err == nil {
		fset := token.NewFileSet()
		if tree, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution); err == nil {
			f = &sourceFile{fset, tree, make(map[diag.Pos][]ast.Node)}
		}
	}
	s.files[name] = f
	return f
}

// at returns the nodes around a place, the outermost first.
func (s *sources) at(pos diag.Pos) (f *sourceFile, nodes []ast.Node) {
	if f = s.file(pos.File); f == nil {
		return nil, nil
	}
	if nodes, ok := f.around[pos]; ok {
		return f, nodes
	}
	defer func() { f.around[pos] = nodes }()
	ast.Inspect(f.tree, func(n ast.Node) bool {
		if n == nil {
			return false
		}
		from, to := f.fset.Position(n.Pos()), f.fset.Position(n.End())
		if before(pos, from) || !before(pos, to) {
			return false
		}
		nodes = append(nodes, n)
		return true
	})
	return f, nodes
}

func before(p diag.Pos, q token.Position) bool {
	return p.Line < q.Line || p.Line == q.Line && p.Col < q.Column
}

// is reports whether a token stands at a place.
func (f *sourceFile) is(p token.Pos, pos diag.Pos) bool {
	q := f.fset.Position(p)
	return q.Line == pos.Line && q.Column == pos.Col
}

// call returns the call at a place: the function, or the operand and the method,
// and the text of all of it.
func (s *sources) call(pos diag.Pos) (operand, name, text string) {
	f, nodes := s.at(pos)
	for i := len(nodes) - 1; i >= 0; i-- {
		c, ok := nodes[i].(*ast.CallExpr)
		if !ok || !f.is(c.Lparen, pos) {
			continue
		}
		text = short(exprText(c))
		if sel, ok := c.Fun.(*ast.SelectorExpr); ok {
			return exprText(sel.X), sel.Sel.Name, text
		}
		return "", exprText(c.Fun), text
	}
	for i := len(nodes) - 1; i >= 0; i-- { // a deferred call is made at the end of its function
		if d, ok := nodes[i].(*ast.DeferStmt); ok {
			if sel, ok := d.Call.Fun.(*ast.SelectorExpr); ok {
				return exprText(sel.X), sel.Sel.Name, short(exprText(d.Call))
			}
			return "", "", short(exprText(d.Call))
		}
	}
	return "", "", ""
}

// builtin returns the text of the innermost call around a place, or of the first
// one on its line.
func (s *sources) builtin(pos diag.Pos) string {
	if _, _, text := s.call(pos); text != "" {
		return text
	}
	f, nodes := s.at(pos)
	for i := len(nodes) - 1; i >= 0; i-- {
		if c, ok := nodes[i].(*ast.CallExpr); ok {
			return short(exprText(c))
		}
	}
	text := ""
	if f != nil {
		ast.Inspect(f.tree, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok && text == "" && f.fset.Position(c.Pos()).Line == pos.Line {
				text = short(exprText(c))
			}
			return true
		})
	}
	return text
}

// channel returns the text of the channel of a send or receive at a place.
func (s *sources) channel(pos diag.Pos) string {
	f, nodes := s.at(pos)
	for i := len(nodes) - 1; i >= 0; i-- {
		switch n := nodes[i].(type) {
		case *ast.SendStmt:
			if f.is(n.Arrow, pos) {
				return exprText(n.Chan)
			}
		case *ast.UnaryExpr:
			if n.Op == token.ARROW && f.is(n.OpPos, pos) {
				return exprText(n.X)
			}
		case *ast.RangeStmt:
			if f.is(n.For, pos) || f.is(n.X.Pos(), pos) || f.is(n.TokPos, pos) || f.is(n.Range, pos) {
				return exprText(n.X)
			}
		}
	}
	return ""
}

// cases returns the texts of the channels of the select at a place, in the order
// of its cases, and their places.
func (s *sources) cases(pos diag.Pos) []string {
	f, nodes := s.at(pos)
	for i := len(nodes) - 1; i >= 0; i-- {
		sel, ok := nodes[i].(*ast.SelectStmt)
		if !ok || !f.is(sel.Select, pos) {
			continue
		}
		var texts []string
		for _, c := range sel.Body.List {
			switch comm := c.(*ast.CommClause).Comm.(type) {
			case *ast.SendStmt:
				texts = append(texts, exprText(comm.Chan))
			case *ast.ExprStmt:
				texts = append(texts, received(comm.X))
			case *ast.AssignStmt:
				texts = append(texts, received(comm.Rhs[0]))
			}
		}
		return texts
	}
	return nil
}

func received(x ast.Expr) string {
	if u, ok := ast.Unparen(x).(*ast.UnaryExpr); ok && u.Op == token.ARROW {
		return exprText(u.X)
	}
	return exprText(x)
}

// variable returns the text of what is assigned or read at a place.
func (s *sources) variable(pos diag.Pos) string {
	f, nodes := s.at(pos)
	for i := len(nodes) - 1; i >= 0; i-- {
		switch n := nodes[i].(type) {
		case *ast.AssignStmt:
			if len(n.Lhs) == 1 {
				return exprText(n.Lhs[0])
			}
			for _, x := range n.Lhs {
				if f.is(x.Pos(), pos) {
					return exprText(x)
				}
			}
			return ""
		case *ast.IncDecStmt:
			return exprText(n.X)
		case *ast.SelectorExpr:
			if f.is(n.Sel.Pos(), pos) || f.is(n.Pos(), pos) {
				return exprText(n)
			}
		case *ast.IndexExpr:
			return exprText(n)
		}
	}
	if len(nodes) > 0 {
		if id, ok := nodes[len(nodes)-1].(*ast.Ident); ok {
			return id.Name
		}
	}
	return ""
}

// accessed returns what is read or written at exactly this place, or "".
func (s *sources) accessed(pos diag.Pos) string {
	if x := s.accessedAt(pos); x != nil {
		return short(exprText(x))
	}
	return ""
}

// collection returns the map that is read or written at exactly this place, or "".
func (s *sources) collection(pos diag.Pos) string {
	if x, ok := s.accessedAt(pos).(*ast.IndexExpr); ok {
		return short(exprText(x.X))
	}
	return ""
}

func (s *sources) accessedAt(pos diag.Pos) ast.Expr {
	f, nodes := s.at(pos)
	for i := len(nodes) - 1; i >= 0; i-- {
		switch n := nodes[i].(type) {
		case *ast.IndexExpr:
			if f.is(n.Lbrack, pos) {
				return n
			}
		case *ast.SelectorExpr:
			if f.is(n.Sel.Pos(), pos) {
				return n
			}
		case *ast.StarExpr:
			if f.is(n.Star, pos) {
				return n
			}
		case *ast.Ident:
			if sel, ok := parent(nodes, i).(*ast.SelectorExpr); f.is(n.Pos(), pos) && !(ok && sel.Sel == n) {
				return n
			}
		}
	}
	return nil
}

// parent is the node around one of those around a place, or nil.
func parent(nodes []ast.Node, i int) ast.Node {
	if i == 0 {
		return nil
	}
	return nodes[i-1]
}

// exprText is an expression as the source has it, function literals and elements of others left out.
func exprText(x ast.Expr) string {
	text := types.ExprString(x)
	for {
		from := strings.Index(text, "(func(")
		to := strings.Index(text, " literal)")
		if from < 0 || to < from {
			return text
		}
		text = text[:from] + "func" + text[to+len(" literal)"):]
	}
}

// short makes a text one line of bearable length.
func short(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 60 {
		return string(r[:57]) + "..."
	}
	return s
}
