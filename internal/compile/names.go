package compile

import (
	"cmp"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// A nameMode says how packages appear in a type's text.
type nameMode uint8

const (
	reflectName nameMode = iota // by package name, as reflect.Type.String does
	linkName                    // by escaped import path, as in type arguments: no two types share one
)

// typeString is the text of a type as gc writes it.
func (t *typeTable) typeString(typ types.Type, mode nameMode) string {
	var b strings.Builder
	t.writeType(&b, typ, mode)
	return b.String()
}

func (t *typeTable) writeType(b *strings.Builder, typ types.Type, mode nameMode) {
	switch typ := types.Unalias(typ).(type) {
	case *types.Basic:
		b.WriteString(basicName(typ))
	case *types.Named:
		if pkg := typ.Obj().Pkg(); pkg != nil {
			b.WriteString(qualifier(pkg, mode))
			b.WriteByte('.')
		}
		b.WriteString(t.declaredName(typ))
		if mode == linkName {
			b.WriteString(t.localSuffix(typ))
		}
	case *types.Pointer:
		b.WriteByte('*')
		t.writeType(b, typ.Elem(), mode)
	case *types.Slice:
		b.WriteString("[]")
		t.writeType(b, typ.Elem(), mode)
	case *types.Array:
		b.WriteByte('[')
		b.WriteString(strconv.FormatInt(typ.Len(), 10))
		b.WriteByte(']')
		t.writeType(b, typ.Elem(), mode)
	case *types.Chan:
		t.writeChan(b, typ, mode)
	case *types.Map:
		b.WriteString("map[")
		t.writeType(b, typ.Key(), mode)
		b.WriteByte(']')
		t.writeType(b, typ.Elem(), mode)
	case *types.Signature:
		b.WriteString("func")
		t.writeSignature(b, typ, mode)
	case *types.Struct:
		t.writeStruct(b, typ, mode)
	case *types.Interface:
		t.writeInterface(b, typ, mode)
	default:
		b.WriteString(typ.String())
	}
}

func (t *typeTable) writeChan(b *strings.Builder, typ *types.Chan, mode nameMode) {
	switch typ.Dir() {
	case types.RecvOnly:
		b.WriteString("<-chan ")
	case types.SendOnly:
		b.WriteString("chan<- ")
	default:
		b.WriteString("chan ")
		if inner, ok := types.Unalias(typ.Elem()).(*types.Chan); ok && inner.Dir() == types.RecvOnly {
			b.WriteByte('(')
			t.writeType(b, inner, mode)
			b.WriteByte(')')
			return
		}
	}
	t.writeType(b, typ.Elem(), mode)
}

func (t *typeTable) writeSignature(b *strings.Builder, sig *types.Signature, mode nameMode) {
	t.writeParams(b, sig.Params(), sig.Variadic(), mode)
	switch sig.Results().Len() {
	case 0:
	case 1:
		b.WriteByte(' ')
		t.writeType(b, sig.Results().At(0).Type(), mode)
	default:
		b.WriteByte(' ')
		t.writeParams(b, sig.Results(), false, mode)
	}
}

func (t *typeTable) writeParams(b *strings.Builder, params *types.Tuple, variadic bool, mode nameMode) {
	b.WriteByte('(')
	for i := range params.Len() {
		if i > 0 {
			b.WriteString(", ")
		}
		typ := params.At(i).Type()
		if s, ok := typ.Underlying().(*types.Slice); ok && variadic && i == params.Len()-1 {
			b.WriteString("...")
			typ = s.Elem()
		}
		t.writeType(b, typ, mode)
	}
	b.WriteByte(')')
}

func (t *typeTable) writeStruct(b *strings.Builder, typ *types.Struct, mode nameMode) {
	b.WriteString("struct {")
	for i := range typ.NumFields() {
		if i > 0 {
			b.WriteByte(';')
		}
		b.WriteByte(' ')
		f := typ.Field(i)
		switch {
		case !f.Embedded():
			t.writeIdent(b, f, mode, mode == linkName)
			b.WriteByte(' ')
		case mode == linkName && !t.namedAsType(f):
			t.writeIdent(b, f, mode, true)
			b.WriteString(" = ")
		}
		t.writeType(b, f.Type(), mode)
		if tag := typ.Tag(i); tag != "" {
			b.WriteByte(' ')
			b.WriteString(strconv.Quote(tag))
		}
	}
	if typ.NumFields() > 0 {
		b.WriteByte(' ')
	}
	b.WriteByte('}')
}

func (t *typeTable) writeInterface(b *strings.Builder, typ *types.Interface, mode nameMode) {
	b.WriteString("interface {")
	for i, m := range interfaceMethods(typ) {
		if i > 0 {
			b.WriteByte(';')
		}
		b.WriteByte(' ')
		t.writeIdent(b, m, mode, true)
		t.writeSignature(b, m.Signature(), mode)
	}
	if typ.NumMethods() > 0 {
		b.WriteByte(' ')
	}
	b.WriteByte('}')
}

// writeIdent writes the name of a field or method, with its package if it is
// unexported and qualify is set.
func (t *typeTable) writeIdent(b *strings.Builder, obj types.Object, mode nameMode, qualify bool) {
	if qualify && !obj.Exported() && obj.Pkg() != nil {
		b.WriteString(qualifier(obj.Pkg(), mode))
		b.WriteByte('.')
	}
	b.WriteString(obj.Name())
}

// namedAsType says whether an embedded field has the symbol of its type, so that
// the type's text says it all. Aliases, type arguments, declarations inside
// functions and predeclared types make a difference.
func (t *typeTable) namedAsType(f *types.Var) bool {
	typ := types.Unalias(f.Type())
	if p, ok := typ.(*types.Pointer); ok {
		typ = types.Unalias(p.Elem())
	}
	n, ok := typ.(*types.Named)
	return ok && n.Obj().Id() == f.Id() && n.TypeArgs().Len() == 0 && t.localSuffix(n) == "" && n.Obj().Pkg() != nil
}

// declaredName is a declared type's own name, with type arguments: those of the
// generic function that declares it come first.
func (t *typeTable) declaredName(typ *types.Named) string {
	implicit := t.implicits[typ.Obj()]
	args := slices.AppendSeq(slices.Clone(implicit), typ.TypeArgs().Types())
	if len(args) == 0 {
		return typ.Obj().Name()
	}
	var b strings.Builder
	b.WriteString(typ.Obj().Name())
	for i, arg := range args {
		switch {
		case i == 0:
			b.WriteByte('[')
		case i == len(implicit):
			b.WriteByte(';')
		default:
			b.WriteByte(',')
		}
		t.writeType(&b, arg, linkName)
	}
	b.WriteByte(']')
	return b.String()
}

// basicName is a predeclared type's name, without regard to byte and rune.
func basicName(typ *types.Basic) string {
	if typ.Kind() == types.UnsafePointer {
		return "unsafe.Pointer"
	}
	return types.Typ[typ.Kind()].Name()
}

// packagePath is a package's path as the linker knows it: every command is "main".
func packagePath(pkg *types.Package) string {
	if pkg.Name() == "main" {
		return "main"
	}
	return pkg.Path()
}

func qualifier(pkg *types.Package, mode nameMode) string {
	if mode == reflectName {
		return pkg.Name()
	}
	return escapePath(packagePath(pkg))
}

// escapePath escapes a path as cmd/internal/objabi.PathToPrefix does.
func escapePath(path string) string {
	slash := strings.LastIndexByte(path, '/')
	var b strings.Builder
	for i := range len(path) {
		c := path[i]
		if c <= ' ' || c == '.' && i > slash || c == '%' || c == '"' || c >= 0x7f {
			const hex = "0123456789abcdef"
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			c = hex[c&15]
		}
		b.WriteByte(c)
	}
	return b.String()
}

// A localType identifies the declaration of a type inside a function.
type localType struct {
	file   string
	offset int
}

// localSuffix distinguishes types that functions declare: gc numbers them
// within their package in source order. It is "" for types at package level.
func (t *typeTable) localSuffix(typ *types.Named) string {
	obj := typ.Obj()
	pkg := obj.Pkg()
	if pkg == nil || obj.Parent() == pkg.Scope() {
		return ""
	}
	numbers, ok := t.localNumbers[pkg]
	if !ok {
		numbers = t.numberLocals(pkg)
		t.localNumbers[pkg] = numbers
	}
	if n := numbers[t.declaredAt(obj)]; n > 0 {
		return "·" + strconv.Itoa(n)
	}
	return ""
}

func (t *typeTable) declaredAt(obj types.Object) localType {
	p := t.prog.Fset.PositionFor(obj.Pos(), false)
	return localType{p.Filename, p.Offset}
}

func (t *typeTable) numberLocals(pkg *types.Package) map[localType]int {
	var locals []localType
	var walk func(s *types.Scope)
	walk = func(s *types.Scope) {
		for _, name := range s.Names() {
			if obj, ok := s.Lookup(name).(*types.TypeName); ok && s != pkg.Scope() && !obj.IsAlias() {
				if _, ok := obj.Type().(*types.TypeParam); !ok {
					locals = append(locals, t.declaredAt(obj))
				}
			}
		}
		for c := range s.Children() {
			walk(c)
		}
	}
	walk(pkg.Scope())
	slices.SortFunc(locals, func(a, b localType) int {
		return cmp.Or(strings.Compare(a.file, b.file), cmp.Compare(a.offset, b.offset))
	})
	numbers := make(map[localType]int, len(locals))
	for i, l := range locals {
		numbers[l] = i + 1
	}
	return numbers
}
