package goker

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// An edit replaces a part of a text. The newlines of the part stay.
type edit struct {
	pos, end token.Pos
	text     string
}

// A rewriter changes one kernel.
type rewriter struct {
	fset  *token.FileSet
	file  *ast.File
	src   []byte
	edits []edit
	gone  []ast.Node // what is removed; uses in it do not count
}

func (w *rewriter) remove(n ast.Node) { w.replace(n, "") }

func (w *rewriter) replace(n ast.Node, text string) {
	w.edits = append(w.edits, edit{n.Pos(), n.End(), text})
	w.gone = append(w.gone, n)
}

func (w *rewriter) errorf(n ast.Node, format string, args ...any) error {
	return fmt.Errorf("%s: %s", w.fset.Position(n.Pos()), fmt.Sprintf(format, args...))
}

// transform makes a program out of a kernel:
//
//   - the registration goes, main calls the kernel's function;
//   - the profile goes: its variable, and what the deferred function does that
//     yields or sleeps and writes it. The function itself stays, so that the
//     closures after it keep their numbers;
//   - the loop around the whole that repeats the bug executes once;
//   - loops inside are cut as the list cuts says, and what the list patches
//     says is changed;
//   - imports go that are not used any more.
func transform(file string, src []byte) (Kernel, error) {
	w := &rewriter{fset: token.NewFileSet(), src: src}
	f, err := parser.ParseFile(w.fset, file, src, parser.SkipObjectResolution)
	if err != nil {
		return Kernel{}, err
	}
	w.file = f
	entry, err := w.registration()
	if err != nil {
		return Kernel{}, err
	}
	if err := w.profile(entry); err != nil {
		return Kernel{}, err
	}
	if err := w.once(entry); err != nil {
		return Kernel{}, err
	}
	k := Kernel{Name: entry.Name.Name, File: file}
	for _, c := range cuts {
		if c.kernel == k.Name {
			if err := w.cut(c); err != nil {
				return Kernel{}, err
			}
			k.Notes = append(k.Notes, c.note())
		}
	}
	for _, p := range patches {
		if p.kernel == k.Name {
			if err := w.patch(p); err != nil {
				return Kernel{}, err
			}
			k.Notes = append(k.Notes, p.note())
		}
	}
	k.Random = w.uses("rand")
	if why, ok := remarks[k.Name]; ok {
		k.Notes = append(k.Notes, why)
	}
	w.imports()
	k.Source = append(w.apply(), fmt.Sprintf("\nfunc main() { %s() }\n", k.Name)...)
	return k, nil
}

// registration removes the function init and returns the function that it
// registers.
func (w *rewriter) registration() (*ast.FuncDecl, error) {
	name := ""
	for _, d := range w.file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || fn.Name.Name != "init" {
			continue
		}
		if len(fn.Body.List) != 1 {
			return nil, w.errorf(fn, "init does more than register the kernel")
		}
		st, _ := fn.Body.List[0].(*ast.ExprStmt)
		if st == nil {
			return nil, w.errorf(fn, "init does not register the kernel")
		}
		call, ok := st.X.(*ast.CallExpr)
		if !ok || !isIdent(call.Fun, "register") || len(call.Args) != 2 {
			return nil, w.errorf(fn, "init does not register the kernel")
		}
		id, ok := call.Args[1].(*ast.Ident)
		if !ok || name != "" {
			return nil, w.errorf(fn, "want one function to be registered")
		}
		name = id.Name
		w.remove(fn)
	}
	for _, d := range w.file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == name && name != "" {
			return fn, nil
		}
	}
	return nil, w.errorf(w.file, "no kernel is registered")
}

// profile removes what the kernel does with the profile.
func (w *rewriter) profile(entry *ast.FuncDecl) error {
	found := 0
	for _, st := range entry.Body.List {
		if !mentions(st, "prof") {
			continue
		}
		switch st := st.(type) {
		case *ast.AssignStmt: // prof := pprof.Lookup("goroutineleak")
			w.remove(st)
			found++
		case *ast.DeferStmt: // defer func() { sleep; prof.WriteTo(os.Stdout, 2) }()
			fn, ok := st.Call.Fun.(*ast.FuncLit)
			if !ok {
				return w.errorf(st, "deferred call of the profile is no function literal")
			}
			for _, st := range fn.Body.List {
				w.remove(st)
			}
			found++
		default:
			return w.errorf(st, "unexpected use of the profile")
		}
	}
	if found != 2 {
		return w.errorf(entry, "got %d uses of the profile, want 2", found)
	}
	return nil
}

// once makes a loop that is a statement of the kernel's function itself execute
// once. Such a loop starts the bug so often that one start meets the schedule
// that blocks.
func (w *rewriter) once(entry *ast.FuncDecl) error {
	for _, st := range entry.Body.List {
		loop, ok := st.(*ast.ForStmt)
		if !ok {
			continue
		}
		cond, ok := loop.Cond.(*ast.BinaryExpr)
		if !ok || cond.Op != token.LSS && cond.Op != token.LEQ {
			return w.errorf(loop, "loop around the kernel does not count up")
		}
		w.replace(cond, string(w.text(cond.X))+" < 1")
	}
	return nil
}

// cut changes a number of the kernel.
func (w *rewriter) cut(c cut) error {
	found := 0
	for _, d := range w.file.Decls {
		if declares(d, c.in) {
			ast.Inspect(d, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.INT && lit.Value == strconv.Itoa(c.from) && !w.isGone(lit) {
					w.replace(lit, strconv.Itoa(c.to))
					found++
				}
				return true
			})
		}
	}
	if found != 1 {
		return w.errorf(w.file, "got %d times %d in %s, want it once", found, c.from, c.in)
	}
	return nil
}

// patch changes a part of a function's text.
func (w *rewriter) patch(p patch) error {
	found := 0
	for _, d := range w.file.Decls {
		if !declares(d, p.in) {
			continue
		}
		text := w.text(d)
		found += bytes.Count(text, []byte(p.old))
		if i := bytes.Index(text, []byte(p.old)); i >= 0 {
			pos := d.Pos() + token.Pos(i)
			w.edits = append(w.edits, edit{pos, pos + token.Pos(len(p.old)), p.new})
		}
	}
	if found != 1 {
		return w.errorf(w.file, "got %d times %q in %s, want it once", found, p.old, p.in)
	}
	return nil
}

// declares tells whether a declaration is that of a function, method or constant.
func declares(d ast.Decl, name string) bool {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return d.Name.Name == name
	case *ast.GenDecl:
		for _, s := range d.Specs {
			if v, ok := s.(*ast.ValueSpec); ok && v.Names[0].Name == name {
				return true
			}
		}
	}
	return false
}

// imports removes the imports that nothing uses any more.
func (w *rewriter) imports() {
	for _, imp := range w.file.Imports {
		path, _ := strconv.Unquote(imp.Path.Value)
		if !w.uses(path[strings.LastIndexByte(path, '/')+1:]) {
			w.remove(imp)
		}
	}
}

// uses tells whether what is left of the kernel uses a package.
func (w *rewriter) uses(pkg string) bool {
	found := false
	ast.Inspect(w.file, func(n ast.Node) bool {
		if n == nil || slices.Contains(w.gone, n) {
			return false
		}
		if sel, ok := n.(*ast.SelectorExpr); ok && isIdent(sel.X, pkg) {
			found = true
		}
		return !found
	})
	return found
}

func (w *rewriter) isGone(n ast.Node) bool {
	return slices.ContainsFunc(w.gone, func(g ast.Node) bool { return g.Pos() <= n.Pos() && n.End() <= g.End() })
}

// mentions tells whether a node holds the identifier.
func mentions(n ast.Node, name string) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == name {
			found = true
		}
		return !found
	})
	return found
}

func (w *rewriter) text(n ast.Node) []byte {
	return w.src[w.fset.Position(n.Pos()).Offset:w.fset.Position(n.End()).Offset]
}

// apply returns the changed text.
func (w *rewriter) apply() []byte {
	slices.SortFunc(w.edits, func(a, b edit) int { return int(a.pos - b.pos) })
	var out []byte
	last := 0
	for _, e := range w.edits {
		pos, end := w.fset.Position(e.pos).Offset, w.fset.Position(e.end).Offset
		out = append(out, w.src[last:pos]...)
		out = append(out, e.text...)
		out = append(out, bytes.Repeat([]byte("\n"), bytes.Count(w.src[pos:end], []byte("\n")))...)
		last = end
	}
	return append(out, w.src[last:]...)
}
