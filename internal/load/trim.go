package load

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
)

// Of the standard library a program compiles a small part: package runtime is five sixths of
// the source of a small program, and nearly nothing of it is compiled, since the machine
// has a runtime of its own. To type-check and build all of it takes more time than
// all the rest. So the bodies of functions are taken out before, but for those that
// may be executed.
//
// A trimmer finds them. It begins with all of the packages that are not trimmed and with
// what is executed in any case, and goes on with what is mentioned. Names are taken for whatever
// they may mean: a selected name for the methods with that name of all types that are
// mentioned. To leave too much costs time; a function without body that is called
// after all is refused where it is called, as is one in assembly.
type trimmer struct {
	intrinsic func(symbol string) bool
	needs     func(symbol string) []string // see Config
	open      bool                         // packages will be added
	reflects  bool                         // see reflect
	names     map[*Package]*names
	byPath    map[string]*names
	methods   map[selector][]method
	selected  map[selector]bool
	kept      map[*ast.FuncDecl]bool
	fill      func(*ast.FuncDecl) // parses a body that is blank, see hollow
	pushed    map[string]pushed   // functions with body, by the symbol they are pushed to
	linked    map[string]bool     // symbols that linknames name
}

// A selector is the name of a method. One that is not exported is selected in its own
// package alone.
type selector struct {
	of   *names // nil if it is exported
	name string
}

func selectorOf(n *names, name string) selector {
	if ast.IsExported(name) {
		n = nil
	}
	return selector{n, name}
}

// A names is what is declared in a package that is trimmed.
type names struct {
	p         *Package
	specs     map[string][]declared // functions, types, variables and constants
	methods   map[string][]method   // by the name of the type
	pulled    map[string]string     // symbols that stand for functions, by their names
	mentioned map[string]bool
}

// A declared is a declaration, and what its file calls the packages that it imports.
type declared struct {
	node    ast.Node
	imports imports
}

type imports map[string]*names // nil for one that is not trimmed

// A method is one of a type.
type method struct {
	declared
	fn *ast.FuncDecl
	of *names
	to string // the name of the type
}

// A pushed is a function that stands for a symbol of another package.
type pushed struct {
	of   *names
	name string
}

// trims reports whether bodies may be taken out of a package that is new: of package runtime, if the machine has
// one of its own, and of the rest of the standard library if it is known what the
// intrinsics call and that nobody else comes.
func (u *universe) trims(p *Package) bool {
	if !u.cfg.OwnRuntime || u.cfg.Intrinsic == nil {
		return false
	}
	library := p.Standard && p.ID == p.Path && !u.open && u.cfg.Needs != nil && !slices.Contains(u.roots, p)
	return library || p.ID == "runtime"
}

// trim takes bodies out of parsed packages, if package runtime is among them, and sees to it that the others are parsed.
func (u *universe) trim(fresh []*Package) (errs diag.List) {
	fill := func(fn *ast.FuncDecl) {
		body, err := u.fill(fn)
		if err != nil {
			errs = append(errs, u.syntaxErrors(u.fset.Position(fn.Pos()).Filename, err)...)
			return
		}
		fn.Body = body
	}
	defer func() { u.hollow = nil }()
	i := slices.IndexFunc(fresh, func(p *Package) bool { return p.ID == "runtime" })
	if i >= 0 {
		u.noteCalls(fresh[i])
		u.keepCalled(fresh, fill)
	}
	for _, p := range fresh {
		if !p.trimmed && u.trims(p) {
			for _, f := range p.files {
				for _, decl := range f.Decls {
					if fn, ok := decl.(*ast.FuncDecl); ok {
						fill(fn)
					}
				}
			}
		}
	}
	return errs
}

// keepCalled takes out the bodies of functions that no program executes.
func (u *universe) keepCalled(fresh []*Package, fill func(*ast.FuncDecl)) {
	t := &trimmer{
		intrinsic: u.cfg.Intrinsic, needs: u.cfg.Needs, open: u.open, fill: fill,
		names: map[*Package]*names{}, byPath: map[string]*names{}, methods: map[selector][]method{},
		selected: map[selector]bool{}, kept: map[*ast.FuncDecl]bool{}, pushed: map[string]pushed{},
		linked: map[string]bool{},
	}
	for _, p := range fresh {
		for _, l := range linknames(p.files) {
			t.linked[l.target], t.linked[p.Path+"."+l.local] = true, true
		}
	}
	spread := spreadPackages(fresh)
	for _, p := range fresh {
		if u.trims(p) && !spread[p] {
			n := &names{
				p: p, specs: map[string][]declared{}, methods: map[string][]method{},
				pulled: map[string]string{}, mentioned: map[string]bool{},
			}
			t.names[p], t.byPath[p.Path] = n, n
			p.trimmed = true
		}
	}
	if len(t.names) == 0 {
		return
	}
	for _, p := range fresh {
		if n := t.names[p]; n != nil {
			t.declare(n)
		}
	}
	for _, p := range fresh {
		if n := t.names[p]; n == nil {
			t.whole(p)
		} else {
			t.start(n)
		}
	}
	for p, n := range t.names {
		t.emptyTables(n)
		for _, f := range p.files {
			f.Decls = slices.DeleteFunc(f.Decls, func(decl ast.Decl) bool {
				fn, ok := decl.(*ast.FuncDecl)
				return ok && t.strip(n, fn)
			})
		}
	}
}

// spreadPackages returns the packages whose names are among those of a file that imports them.
func spreadPackages(fresh []*Package) map[*Package]bool {
	spread := map[*Package]bool{}
	for _, p := range fresh {
		for _, f := range p.files {
			for _, imp := range f.Imports {
				if imp.Name != nil && imp.Name.Name == "." {
					spread[p.imported(imp)] = true
				}
			}
		}
	}
	return spread
}

// imported returns the package of an import.
func (p *Package) imported(imp *ast.ImportSpec) *Package {
	path, err := strconv.Unquote(imp.Path.Value)
	if err != nil {
		return nil
	}
	return p.byImport[path]
}

// importsOf returns what a file calls the packages that it imports.
func (t *trimmer) importsOf(p *Package, f *ast.File) imports {
	list := imports{}
	for _, imp := range f.Imports {
		dep := p.imported(imp)
		if dep != nil && dep.Path == "reflect" {
			list["reflect"] = t.names[dep] // under whatever name: see asksForMethods
		}
		switch {
		case dep == nil:
		case imp.Name != nil:
			list[imp.Name.Name] = t.names[dep]
		default:
			list[dep.Types.Name()] = t.names[dep]
		}
	}
	return list
}

// declare enters what a package declares.
func (t *trimmer) declare(n *names) {
	for _, f := range n.p.files {
		imports := t.importsOf(n.p, f)
		add := func(name string, node ast.Node) { n.specs[name] = append(n.specs[name], declared{node, imports}) }
		for _, decl := range f.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if name, _ := receiver(decl); name != "" {
					m := method{declared{decl, imports}, decl, n, name}
					n.methods[name] = append(n.methods[name], m)
					s := selectorOf(n, decl.Name.Name)
					t.methods[s] = append(t.methods[s], m)
				} else {
					add(decl.Name.Name, decl)
				}
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						add(spec.Name.Name, spec)
					case *ast.ValueSpec:
						for _, id := range spec.Names {
							add(id.Name, spec)
						}
					}
				}
			}
		}
	}
	if n.p.Path == "runtime" {
		return // what it gives to others the machine has of its own
	}
	for _, l := range linknames(n.p.files) {
		hasBody := func(d declared) bool {
			fn, ok := d.node.(*ast.FuncDecl)
			return ok && fn.Body != nil
		}
		if slices.ContainsFunc(n.specs[l.local], hasBody) {
			t.pushed[l.target] = pushed{n, l.local}
		} else {
			n.pulled[l.local] = l.target
		}
	}
}

// start mentions what is executed of a package whoever selects it: its initialisers, unless the machine
// stands in for them, and what the machine itself calls.
func (t *trimmer) start(n *names) {
	if n.p.Path == "runtime" {
		for name, methods := range n.methods {
			if slices.ContainsFunc(methods, func(m method) bool { return m.fn.Name.Name == "Error" }) {
				t.mention(n, name) // the machine makes such values
			}
		}
	}
	for _, name := range []string{"Error", "String", "RuntimeError"} {
		t.choose(nil, name) // it prints such values
	}
	if t.open { // packages will be added that select whatever is exported
		for name := range n.specs {
			if ast.IsExported(name) {
				t.mention(n, name)
			}
		}
		return
	}
	if n.p.Path == "runtime" {
		return
	}
	for name, specs := range n.specs {
		for _, d := range specs {
			switch d.node.(type) {
			case *ast.FuncDecl:
				if name == "init" {
					t.mention(n, name)
				}
			case *ast.ValueSpec:
				if !t.isTable(n, d.node.(*ast.ValueSpec)) { // see tables.go
					t.walk(n, d.imports, d.node)
				}
			}
		}
	}
}

// whole mentions what a package that is not trimmed mentions.
func (t *trimmer) whole(p *Package) {
	for _, f := range p.files {
		t.walk(nil, t.importsOf(p, f), f)
		for _, decl := range f.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body == nil {
				t.implement(p, fn)
			}
		}
	}
	for _, l := range linknames(p.files) {
		t.symbol(l.target)
	}
}

// symbol mentions what has a link symbol: pkg.f, pkg.T.m or pkg.(*T).m.
func (t *trimmer) symbol(symbol string) {
	slash := strings.LastIndex(symbol, "/") + 1
	dot := strings.Index(symbol[slash:], ".")
	if dot < 0 {
		return
	}
	n := t.byPath[symbol[:slash+dot]]
	if n == nil || n.p.Path == "runtime" {
		return
	}
	name, m, isMethod := strings.Cut(symbol[slash+dot+1:], ".")
	t.mention(n, strings.Trim(name, "(*)"))
	if isMethod {
		t.choose(n, m)
	}
}

// mention keeps the function with a name, and what a type or a variable with that
// name needs.
func (t *trimmer) mention(n *names, name string) {
	if n == nil || n.mentioned[name] {
		return
	}
	n.mentioned[name] = true
	for _, d := range n.specs[name] {
		if fn, ok := d.node.(*ast.FuncDecl); ok {
			t.keep(n, d.imports, fn)
		} else {
			t.walk(n, d.imports, d.node)
		}
	}
	for _, m := range n.methods[name] {
		if t.calls(m) {
			t.keep(n, m.imports, m.fn)
		}
	}
}

// calls reports whether a method of a type that is mentioned may be called.
func (t *trimmer) calls(m method) bool {
	return t.selected[selectorOf(m.of, m.fn.Name.Name)] || m.fn.Name.IsExported() && (t.open || t.reflects)
}

// choose keeps the methods with a name of the types that are mentioned.
func (t *trimmer) choose(n *names, name string) {
	s := selectorOf(n, name)
	if t.selected[s] {
		return
	}
	t.selected[s] = true
	for _, m := range t.methods[s] {
		t.callIfMentioned(m)
	}
}

// asksForMethods reports whether a name that is selected may be a method of package reflect by which others get
// methods of a value. In the packages that have them such names mean something else, or it was one of them
// that was called. What ranges over methods has the name of too much else to be looked for where
// reflect is not imported.
func asksForMethods(n *names, imports imports, name string) bool {
	if n != nil && (n.p.Path == "reflect" || n.p.Path == "internal/reflectlite") {
		return false
	}
	_, imported := imports["reflect"]
	return name == "Method" || name == "MethodByName" || name == "Methods" && imported
}

// reflect keeps all exported methods of the types that are mentioned, since package reflect may be
// asked for them.
func (t *trimmer) reflect() {
	if t.reflects {
		return
	}
	t.reflects = true
	for _, list := range t.methods {
		for _, m := range list {
			t.callIfMentioned(m)
		}
	}
}

func (t *trimmer) callIfMentioned(m method) {
	if m.of.mentioned[m.to] && t.calls(m) {
		t.keep(m.of, m.imports, m.fn)
	}
}

// keep keeps the body of a function, and what it mentions.
func (t *trimmer) keep(n *names, imports imports, fn *ast.FuncDecl) {
	if t.kept[fn] {
		return
	}
	t.kept[fn] = true
	if symbol, ok := t.native(n, fn); ok {
		if t.needs != nil {
			for _, need := range t.needs(symbol) {
				t.symbol(need)
			}
		}
		return
	}
	if fn.Body == nil {
		t.symbol(n.pulled[fn.Name.Name])
		t.implement(n.p, fn)
	}
	t.fill(fn)
	t.walk(n, imports, fn)
}

// implement mentions what another package has pushed to the symbol of a function without body.
func (t *trimmer) implement(p *Package, fn *ast.FuncDecl) {
	if by, ok := t.pushed[p.Path+"."+fn.Name.Name]; ok {
		t.mention(by.of, by.name)
	}
}

// walk mentions the names in a part of a file.
func (t *trimmer) walk(n *names, imports imports, part ast.Node) {
	ast.Inspect(part, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.Ident:
			t.mention(n, node.Name)
		case *ast.SelectorExpr:
			t.choose(n, node.Sel.Name)
			if asksForMethods(n, imports, node.Sel.Name) {
				t.reflect()
			}
			if id, ok := node.X.(*ast.Ident); ok {
				t.mention(imports[id.Name], node.Sel.Name)
			}
			t.walk(n, imports, node.X)
			return false
		case *ast.Field: // its names declare something else
			t.walk(n, imports, node.Type)
			return false
		case *ast.FuncDecl: // so does its own
			if node.Recv != nil {
				t.walk(n, imports, node.Recv)
			}
			t.walk(n, imports, node.Type)
			if node.Body != nil {
				t.walk(n, imports, node.Body)
			}
			return false
		case *ast.KeyValueExpr: // a function is no key, but may be part of one
			if _, field := node.Key.(*ast.Ident); !field {
				t.walk(n, imports, node.Key)
			}
			t.walk(n, imports, node.Value)
			return false
		}
		return true
	})
}

// strip takes out a function's body unless it is kept. It returns true if all of the
// function has to go: there is no initialiser without body.
func (t *trimmer) strip(n *names, fn *ast.FuncDecl) bool {
	if fn.Body == nil {
		return false
	}
	if _, native := t.native(n, fn); native {
		fn.Body = noBody(fn.Body)
		return false
	}
	switch {
	case t.kept[fn]:
	case fn.Recv == nil && fn.Name.Name == "init":
		return true
	case fn.Type.TypeParams != nil: // nor a generic function
		fn.Body = noBody(fn.Body)
	default:
		fn.Body = nil
	}
	return false
}

// native says whether the machine implements a function itself, and its symbol.
func (t *trimmer) native(n *names, fn *ast.FuncDecl) (symbol string, ok bool) {
	name, star := receiver(fn)
	if name == "" {
		symbol = n.p.Path + "." + fn.Name.Name
	} else {
		symbol = "(" + star + n.p.Path + "." + name + ")." + fn.Name.Name
	}
	return symbol, t.intrinsic(symbol)
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
			body, err := u.fill(fn)
			if err != nil || body == nil {
				continue // who keeps it says so
			}
			ast.Inspect(body, func(n ast.Node) bool {
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
