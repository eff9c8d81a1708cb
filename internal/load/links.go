package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/diag"
)

// A link is a //go:linkname directive with two names.
type link struct {
	local  string // a function or variable of the package
	target string // a link symbol, for example "runtime.nanotime"
}

// A bare function has no Go body.
type bare struct {
	obj *types.Func
	pos token.Pos
}

// directives records the linknames, the functions without body and the
// embedded files of a type-checked package.
func (u *universe) directives(p *Package) {
	p.links = linknames(p.files)
	for _, f := range p.files {
		for _, decl := range f.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body == nil {
				if obj, ok := p.info.Defs[fn.Name].(*types.Func); ok {
					p.bare = append(p.bare, bare{obj, fn.Pos()})
				}
			}
		}
	}
	u.embeds(p)
}

// linknames returns the linknames with two names of files.
func linknames(files []*ast.File) []link {
	var list []link
	for _, f := range files {
		for _, group := range f.Comments {
			for _, c := range group.List {
				args, ok := strings.CutPrefix(c.Text, "//go:linkname ")
				if !ok {
					continue
				}
				if names := strings.Fields(args); len(names) == 2 {
					list = append(list, link{names[0], names[1]})
				}
			}
		}
	}
	return list
}

// Links tells which functions and variables of a program are one and the same
// to the linker. A function without Go body is implemented by the function
// that its own //go:linkname names, or by one whose //go:linkname names it.
type Links struct {
	pkgs    map[string]*Package      // by path
	symbols map[ssa.Member]string    // link symbols that differ from the name
	pushed  map[string]*ssa.Function // functions with a body, by the symbol they are pushed to
	vars    map[string]*ssa.Global   // variables pushed to a symbol
	bare    map[*ssa.Function]external
	fset    *token.FileSet
}

// external is what is known about a function without body.
type external struct {
	pos token.Pos
	pkg *Package
}

// link builds the table for the packages of a program, which are built.
func newLinks(prog *ssa.Program, pkgs []*Package) *Links {
	l := &Links{
		pkgs:    make(map[string]*Package),
		symbols: make(map[ssa.Member]string),
		pushed:  make(map[string]*ssa.Function),
		vars:    make(map[string]*ssa.Global),
		bare:    make(map[*ssa.Function]external),
		fset:    prog.Fset,
	}
	for _, p := range pkgs {
		l.pkgs[p.Path] = p
	}
	for _, p := range pkgs {
		for _, d := range p.links {
			switch m := p.member(d.local).(type) {
			case *ssa.Function:
				l.symbols[m] = d.target
				if len(m.Blocks) > 0 {
					l.pushed[d.target] = m
				}
			case *ssa.Global:
				l.symbols[m] = d.target
				l.vars[d.target] = m
			}
		}
		for _, b := range p.bare {
			if fn := prog.FuncValue(b.obj); fn != nil {
				l.bare[fn] = external{b.pos, p}
			}
		}
	}
	return l
}

// member returns the function, method or variable with a name as link symbols
// spell it: f, v, T.m or (*T).m.
func (p *Package) member(name string) ssa.Member {
	if p.SSA == nil {
		return nil
	}
	recv, method, ok := strings.Cut(name, ".")
	if !ok {
		return p.SSA.Members[name]
	}
	ptr := strings.HasPrefix(recv, "(*")
	if ptr {
		recv = strings.TrimSuffix(strings.TrimPrefix(recv, "(*"), ")")
	}
	tn, ok := p.Types.Scope().Lookup(recv).(*types.TypeName)
	if !ok {
		return nil
	}
	named, ok := tn.Type().(*types.Named)
	if !ok {
		return nil
	}
	for m := range named.Methods() {
		if _, isPtr := m.Signature().Recv().Type().(*types.Pointer); m.Name() == method && isPtr == ptr {
			if fn := p.SSA.Prog.FuncValue(m); fn != nil {
				return fn
			}
		}
	}
	return nil
}

// Symbol returns the link symbol of a declared function: the target of its
// //go:linkname, or its package path and name, as "path.f", "path.T.m" or
// "path.(*T).m". It is "" for function literals and wrappers.
func (l *Links) Symbol(fn *ssa.Function) string {
	if s, ok := l.symbols[fn]; ok {
		return s
	}
	return ownSymbol(fn)
}

// ownSymbol is the symbol of a declared function without linknames.
func ownSymbol(fn *ssa.Function) string {
	obj, ok := fn.Object().(*types.Func)
	if !ok || obj.Pkg() == nil {
		return ""
	}
	name := obj.Name()
	if recv := obj.Signature().Recv(); recv != nil {
		t := recv.Type()
		format := func(s string) string { return s }
		if ptr, ok := t.(*types.Pointer); ok {
			t = ptr.Elem()
			format = func(s string) string { return "(*" + s + ")" }
		}
		named, ok := t.(*types.Named)
		if !ok {
			return "" // a method of an interface type literal
		}
		name = format(named.Obj().Name()) + "." + name
	}
	return obj.Pkg().Path() + "." + name
}

// Lookup returns the declared function with the given symbol, or nil.
func (l *Links) Lookup(symbol string) *ssa.Function {
	fn, _ := l.find(symbol).(*ssa.Function)
	return fn
}

// find returns the function or variable declared under a symbol.
func (l *Links) find(symbol string) ssa.Member {
	// The path ends at the first dot after the last slash.
	slash := strings.LastIndexByte(symbol, '/')
	dot := strings.IndexByte(symbol[slash+1:], '.')
	if dot < 0 {
		return nil
	}
	dot += slash + 1
	if p := l.pkgs[symbol[:dot]]; p != nil {
		return p.member(symbol[dot+1:])
	}
	// A path such as gopkg.in/yaml.v3 has a dot in its last element.
	for path, p := range l.pkgs {
		if name, ok := strings.CutPrefix(symbol, path+"."); ok && strings.Contains(path[slash+1:], ".") {
			return p.member(name)
		}
	}
	return nil
}

// Func returns the function with a Go body that implements fn, which is fn
// itself if it has one, or nil if there is none in the program.
func (l *Links) Func(fn *ssa.Function) *ssa.Function {
	for range 4 { // a chain is never longer in practice; this bounds a cycle
		if len(fn.Blocks) > 0 {
			return fn
		}
		if impl := l.pushed[ownSymbol(fn)]; impl != nil {
			return impl
		}
		symbol, ok := l.symbols[fn]
		if !ok {
			return nil
		}
		if impl := l.pushed[symbol]; impl != nil {
			return impl
		}
		next := l.Lookup(symbol)
		if next == nil || next == fn {
			return nil
		}
		fn = next
	}
	return nil
}

// Var returns the variable that g shares its memory with: the one declared
// under the symbol that g's //go:linkname names, a variable that another
// package pushes to g's name, or g itself.
func (l *Links) Var(g *ssa.Global) *ssa.Global {
	if symbol, ok := l.symbols[g]; ok {
		if v, ok := l.find(symbol).(*ssa.Global); ok {
			return v
		}
		return l.vars[symbol] // one of those that name a symbol nobody declares
	}
	return g
}

// External says why a function without Go body is not supported. The caller
// has found no intrinsic for it.
func (l *Links) External(fn *ssa.Function) *diag.Error {
	ext := l.bare[fn]
	pos := position(l.fset.Position(ext.pos))
	symbol, linked := l.symbols[fn]
	switch {
	case linked && l.Lookup(symbol) == nil:
		return diag.Unsupportedf(pos, "function %s is linked to the unknown symbol %s", ownSymbol(fn), symbol)
	case ext.pkg != nil && !ext.pkg.Standard && !ext.pkg.asm && !linked:
		return diag.Sourcef(pos, "missing function body")
	}
	return diag.Unsupportedf(pos, "function %s has no Go body (assembly)", ownSymbol(fn))
}
