package load

import (
	"go/ast"
	"go/token"
	"slices"
)

// Package runtime is five sixths of the source of a small program, and nearly
// nothing of it is compiled, since the machine has a runtime of its own. To
// type-check and build all of it takes more time than all the rest. So the bodies of
// its functions are taken out before, but for those that may be executed.
//
// A trimmer finds them. It begins with what other packages select and with the types
// of errors, and goes on with what is mentioned. Names are taken for whatever they
// may mean: a selected name for the methods with that name of all types that are
// mentioned. To leave too much costs time; a function without body that is called
// after all is refused where it is called, as is one in assembly.
type trimmer struct {
	p         *Package
	intrinsic func(symbol string) bool
	funcs     map[string]*ast.FuncDecl
	methods   map[string][]*ast.FuncDecl // by the name of the type
	called    map[string][]*ast.FuncDecl // methods by their own name
	specs     map[string][]ast.Node      // types, variables and constants
	mentioned map[string]bool
	selected  map[string]bool
	kept      map[*ast.FuncDecl]bool
}

// trim takes bodies out of package runtime, if it is among the parsed packages.
func (u *universe) trim(fresh []*Package) {
	i := slices.IndexFunc(fresh, func(p *Package) bool { return p.ID == "runtime" })
	if i < 0 {
		return
	}
	p := fresh[i]
	u.noteCalls(p)
	if !u.cfg.OwnRuntime || u.cfg.Intrinsic == nil {
		return
	}
	t := newTrimmer(p, u.cfg.Intrinsic)
	if u.open { // packages will be added that select whatever is exported
		t.exported()
	}
	for _, user := range fresh {
		if user == p {
			continue
		}
		for _, f := range user.files {
			if !t.start(f) {
				return
			}
		}
	}
	p.trimmed = true
	for name, methods := range t.methods {
		if slices.ContainsFunc(methods, func(m *ast.FuncDecl) bool { return m.Name.Name == "Error" }) {
			t.mention(name) // the machine makes such values
		}
	}
	for _, f := range p.files {
		f.Decls = slices.DeleteFunc(f.Decls, func(decl ast.Decl) bool {
			fn, ok := decl.(*ast.FuncDecl)
			return ok && t.strip(fn)
		})
	}
}

// strip takes out a function's body unless it is kept. It returns true if all of the
// function has to go: there is no initialiser without body, and no generic function.
func (t *trimmer) strip(fn *ast.FuncDecl) bool {
	switch {
	case fn.Body == nil || t.kept[fn]:
	case t.native(fn):
		fn.Body = noBody(fn.Body)
	case fn.Type.TypeParams != nil || fn.Recv == nil && fn.Name.Name == "init":
		return true
	default:
		fn.Body = nil
	}
	return false
}

// newTrimmer returns a trimmer to which nothing is mentioned.
func newTrimmer(p *Package, intrinsic func(symbol string) bool) *trimmer {
	t := &trimmer{
		p: p, intrinsic: intrinsic,
		funcs: map[string]*ast.FuncDecl{}, methods: map[string][]*ast.FuncDecl{}, called: map[string][]*ast.FuncDecl{},
		specs: map[string][]ast.Node{}, mentioned: map[string]bool{}, selected: map[string]bool{}, kept: map[*ast.FuncDecl]bool{},
	}
	for _, f := range p.files {
		for _, decl := range f.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if name, _ := receiver(decl); name != "" {
					t.methods[name] = append(t.methods[name], decl)
					t.called[decl.Name.Name] = append(t.called[decl.Name.Name], decl)
				} else if decl.Name.Name != "init" {
					t.funcs[decl.Name.Name] = decl
				}
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						t.specs[spec.Name.Name] = append(t.specs[spec.Name.Name], spec)
					case *ast.ValueSpec:
						for _, id := range spec.Names {
							t.specs[id.Name] = append(t.specs[id.Name], spec)
						}
					}
				}
			}
		}
	}
	return t
}

// exported mentions all that another package can select.
func (t *trimmer) exported() {
	for name := range t.funcs {
		if ast.IsExported(name) {
			t.mention(name)
		}
	}
	for name := range t.specs {
		if ast.IsExported(name) {
			t.mention(name)
		}
	}
}

// start mentions what a file of another package selects. It returns false if names
// of package runtime are among the file's own.
func (t *trimmer) start(f *ast.File) bool {
	for _, imp := range f.Imports {
		if imp.Path.Value != `"runtime"` {
			continue
		}
		local := "runtime"
		if imp.Name != nil {
			local = imp.Name.Name
		}
		if local == "." {
			return false
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if id, ok := sel.X.(*ast.Ident); ok && id.Name == local {
					t.mention(sel.Sel.Name)
				}
			}
			return true
		})
	}
	return true
}

// mention keeps the function with a name, and what a type or a variable with that
// name needs.
func (t *trimmer) mention(name string) {
	if t.mentioned[name] {
		return
	}
	t.mentioned[name] = true
	if fn := t.funcs[name]; fn != nil {
		t.keep(fn)
	}
	for _, spec := range t.specs[name] {
		t.walk(spec)
	}
	for _, m := range t.methods[name] {
		if m.Name.IsExported() || t.selected[m.Name.Name] {
			t.keep(m)
		}
	}
}

// choose keeps the methods with a name of the types that are mentioned.
func (t *trimmer) choose(name string) {
	if t.selected[name] {
		return
	}
	t.selected[name] = true
	for _, m := range t.called[name] {
		if of, _ := receiver(m); t.mentioned[of] {
			t.keep(m)
		}
	}
}

// keep keeps the body of a function, and what it mentions.
func (t *trimmer) keep(fn *ast.FuncDecl) {
	if t.kept[fn] || t.native(fn) {
		return
	}
	t.kept[fn] = true
	t.walk(fn)
}

// walk mentions the names in a part of a file.
func (t *trimmer) walk(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			t.mention(n.Name)
		case *ast.SelectorExpr:
			t.choose(n.Sel.Name)
			t.walk(n.X)
			return false
		case *ast.InterfaceType:
			for _, method := range n.Methods.List {
				for _, id := range method.Names {
					t.choose(id.Name)
				}
			}
		case *ast.Field: // its names declare something else
			t.walk(n.Type)
			return false
		case *ast.FuncDecl: // so does its own
			if n.Recv != nil {
				t.walk(n.Recv)
			}
			t.walk(n.Type)
			if n.Body != nil {
				t.walk(n.Body)
			}
			return false
		case *ast.KeyValueExpr: // a function is no key, but may be part of one
			if _, field := n.Key.(*ast.Ident); !field {
				t.walk(n.Key)
			}
			t.walk(n.Value)
			return false
		}
		return true
	})
}

// native says whether the machine implements a function itself.
func (t *trimmer) native(fn *ast.FuncDecl) bool {
	name, star := receiver(fn)
	if name == "" {
		return t.intrinsic(t.p.Path + "." + fn.Name.Name)
	}
	return t.intrinsic("(" + star + t.p.Path + "." + name + ")." + fn.Name.Name)
}

// receiver returns the name of the type of which a function is a method, "" if it is
// none, and a star if it has a pointer.
func receiver(fn *ast.FuncDecl) (name, star string) {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return "", ""
	}
	typ := ast.Unparen(fn.Recv.List[0].Type)
	if ptr, ok := typ.(*ast.StarExpr); ok {
		typ, star = ptr.X, "*"
	}
	switch generic := typ.(type) {
	case *ast.IndexExpr:
		typ = generic.X
	case *ast.IndexListExpr:
		typ = generic.X
	}
	if id, ok := typ.(*ast.Ident); ok {
		return id.Name, star
	}
	return "", ""
}

// noBody is what takes the place of a body that is never compiled: it is valid
// whatever the results are.
func noBody(old *ast.BlockStmt) *ast.BlockStmt {
	text := &ast.BasicLit{ValuePos: old.Lbrace, Kind: token.STRING, Value: `"an intrinsic has no body"`}
	call := &ast.CallExpr{Fun: &ast.Ident{NamePos: old.Lbrace, Name: "panic"}, Lparen: old.Lbrace, Args: []ast.Expr{text}, Rparen: old.Lbrace}
	return &ast.BlockStmt{Lbrace: old.Lbrace, List: []ast.Stmt{&ast.ExprStmt{X: call}}, Rbrace: old.Rbrace}
}

// noteCalls notes where functions of package runtime call fn, which is their name
// for what the program has given them: main, or a deferred function.
func (u *universe) noteCalls(p *Package) {
	for _, f := range p.files {
		for _, decl := range f.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Recv != nil || fn.Name.Name != "main" && fn.Name.Name != "gopanic" {
				continue
			}
			ast.Inspect(fn, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok && len(call.Args) == 0 {
					if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "fn" {
						u.calls[fn.Name.Name] = call.Lparen
					}
				}
				return true
			})
		}
	}
}
