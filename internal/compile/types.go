package compile

import (
	"encoding/binary"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// A typeTable numbers the types of a program, one number for each distinct
// type, lays them out, and builds the images of those that exist at run time.
//
// Types are interned by structure: a type's key is its constructor and the
// numbers of its parts, so that equal keys mean identical types and no pair of
// types is ever compared. Every cycle of types goes through a declared type,
// whose key is its declaration and type arguments alone.
type typeTable struct {
	prog      *ssa.Program
	sizes     types.Sizes
	funcIndex func(*ssa.Function) int

	// keep says whether a method of a run-time type gets code. Nil keeps all.
	// A method that is not kept is asked for again by pending.
	keep func(m *types.Func) bool

	entries []*entry
	cache   map[types.Type]int // every type value seen
	keys    map[string]int     // interned by structure
	objects map[types.Object]int
	fresh   []int // entries that have no layout yet

	described  []int // run-time types, in the order of their descriptors
	describing bool
	descEnd    uint32 // where the next descriptor goes

	itabs    map[[2]int]uint32
	itabList []bytecode.Itab
	itabEnd  uint32

	localNumbers map[*types.Package]map[localType]int
	implicits    map[*types.TypeName][]types.Type // by type declared in an instance: the function's type arguments
}

// An entry is one type of the table.
type entry struct {
	bytecode.Type
	typ     types.Type // the first type value that had this number
	size    int64      // not saturated, unlike Size
	ptrEnd  int64      // bytes up to the end of the last pointer word
	ptrs    bool       // holds pointers
	laidOut bool
	methods []method // of a run-time type, parallel to Methods
}

// newTypeTable makes an empty table. funcIndex is called with each method of
// each run-time type that is kept; it enqueues the function for compilation and
// returns its number.
func newTypeTable(prog *ssa.Program, sizes types.Sizes, funcIndex func(*ssa.Function) int) *typeTable {
	return &typeTable{
		prog:         prog,
		sizes:        sizes,
		funcIndex:    funcIndex,
		cache:        make(map[types.Type]int),
		keys:         make(map[string]int),
		objects:      make(map[types.Object]int),
		descEnd:      firstDesc,
		itabs:        make(map[[2]int]uint32),
		localNumbers: make(map[*types.Package]map[localType]int),
		implicits:    make(map[*types.TypeName][]types.Type),
	}
}

// index is the number of a type. It registers the type, and those it is made
// of, when it is seen first. An untyped constant's type counts as its default
// type and untyped nil as unsafe.Pointer.
func (t *typeTable) index(typ types.Type) int {
	if i, ok := t.cache[typ]; ok {
		return i
	}
	i := t.intern(typ)
	for len(t.fresh) > 0 {
		n := len(t.fresh) - 1
		j := t.fresh[n]
		t.fresh = t.fresh[:n]
		t.layOut(j)
	}
	return i
}

// at is type number i. The pointer stays valid; Str, Name, PkgPath, Methods and
// IMethods are complete only after finish.
func (t *typeTable) at(i int) *bytecode.Type { return &t.entries[i].Type }

// of is the entry of a type.
func (t *typeTable) of(typ types.Type) *bytecode.Type { return t.at(t.index(typ)) }

// intern finds or makes the entry of a type, without its layout.
func (t *typeTable) intern(typ types.Type) int {
	if i, ok := t.cache[typ]; ok {
		return i
	}
	plain := types.Unalias(typ)
	if b, ok := plain.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
		plain = types.Default(b)
		if b.Kind() == types.UntypedNil {
			plain = types.Typ[types.UnsafePointer]
		}
	}
	key := string(t.key(make([]byte, 0, 64), plain))
	i, ok := t.keys[key]
	if !ok {
		i = len(t.entries)
		e := &entry{typ: plain}
		e.Elem, e.Key = -1, -1
		t.entries = append(t.entries, e)
		t.keys[key] = i
		t.cache[plain] = i
		t.fresh = append(t.fresh, i)
		t.fill(e)
	}
	t.cache[typ] = i
	return i
}

// Constructors in keys.
const (
	keyBasic = iota
	keyNamed
	keyPointer
	keySlice
	keyArray
	keyChan
	keyMap
	keyFunc
	keyStruct
	keyInterface
	keyTuple
	keyOther
)

// key appends the key of a type to b. It interns the type's parts.
func (t *typeTable) key(b []byte, typ types.Type) []byte {
	part := func(typ types.Type) { b = binary.AppendUvarint(b, uint64(t.intern(typ))) }
	number := func(n int) { b = binary.AppendUvarint(b, uint64(n)) }
	text := func(s string) {
		number(len(s))
		b = append(b, s...)
	}
	tuple := func(tup *types.Tuple) {
		number(tup.Len())
		for v := range tup.Variables() {
			part(v.Type())
		}
	}
	switch typ := typ.(type) {
	case *types.Basic:
		b = append(b, keyBasic, byte(typ.Kind()))
	case *types.Named:
		b = append(b, keyNamed)
		number(t.object(typ.Obj()))
		for arg := range typ.TypeArgs().Types() {
			part(arg)
		}
	case *types.Pointer:
		b = append(b, keyPointer)
		part(typ.Elem())
	case *types.Slice:
		b = append(b, keySlice)
		part(typ.Elem())
	case *types.Array:
		b = append(b, keyArray)
		part(typ.Elem())
		number(int(typ.Len()))
	case *types.Chan:
		b = append(b, keyChan, byte(typ.Dir()))
		part(typ.Elem())
	case *types.Map:
		b = append(b, keyMap)
		part(typ.Key())
		part(typ.Elem())
	case *types.Signature:
		b = append(b, keyFunc, flagByte(typ.Variadic()))
		tuple(typ.Params())
		tuple(typ.Results())
	case *types.Tuple:
		b = append(b, keyTuple)
		tuple(typ)
	case *types.Struct:
		b = append(b, keyStruct)
		for i := range typ.NumFields() {
			f := typ.Field(i)
			text(f.Name())
			text(privatePath(f))
			part(f.Type())
			b = append(b, flagByte(f.Embedded()))
			text(typ.Tag(i))
		}
	case *types.Interface:
		b = append(b, keyInterface)
		for _, m := range interfaceMethods(typ) {
			text(m.Name())
			text(privatePath(m))
			part(m.Type())
		}
	default: // a type parameter, a union, or one of go/ssa's own
		b = append(b, keyOther)
		if p, ok := typ.(*types.TypeParam); ok {
			number(t.object(p.Obj()))
		}
		b = append(b, typ.String()...)
	}
	return b
}

// object numbers declarations for keys.
func (t *typeTable) object(obj types.Object) int {
	n, ok := t.objects[obj]
	if !ok {
		n = len(t.objects)
		t.objects[obj] = n
	}
	return n
}

// pointerTo is the number of the pointer type to type i, -1 if it has none.
func (t *typeTable) pointerTo(i int) int {
	if j, ok := t.keys[string(binary.AppendUvarint([]byte{keyPointer}, uint64(i)))]; ok {
		return j
	}
	return -1
}

func flagByte(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// privatePath is the package path that is part of an unexported name, "" for an
// exported name.
func privatePath(obj types.Object) string {
	if obj.Exported() || obj.Pkg() == nil {
		return ""
	}
	return packagePath(obj.Pkg())
}

// compareMethods orders methods as gc does: exported ones first, then by name,
// then by package path. Itabs, interface types and method tables all have this
// order. It differs from go/types' own order of interface methods.
func compareMethods(a, b *types.Func) int {
	if a.Exported() != b.Exported() {
		if a.Exported() {
			return -1
		}
		return +1
	}
	if c := strings.Compare(a.Name(), b.Name()); c != 0 {
		return c
	}
	return strings.Compare(privatePath(a), privatePath(b))
}
