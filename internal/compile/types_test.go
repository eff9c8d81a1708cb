package compile

import (
	"go/types"
	"reflect"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/compile/testdata/zoo"
)

const zooPath = "github.com/heddle-mc/heddle/internal/compile/testdata/zoo"

var gcSizes = types.SizesFor("gc", "amd64")

// loadZoo loads package zoo from source, once. Nobody asks for the code of the packages
// that it imports.
var loadZoo = sync.OnceValue(func() *ssa.Package {
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax}, zooPath)
	if err != nil {
		panic(err)
	}
	_, roots := ssautil.AllPackages(pkgs, ssa.InstantiateGenerics)
	roots[0].Build()
	return roots[0]
})

// zooTable is a new table whose functions are numbered in the order of asking.
func zooTable() (*typeTable, map[*ssa.Function]int) {
	funcs := make(map[*ssa.Function]int)
	t := newTypeTable(loadZoo().Prog, gcSizes, func(f *ssa.Function) int {
		n, ok := funcs[f]
		if !ok {
			n = len(funcs)
			funcs[f] = n
		}
		return n
	})
	return t, funcs
}

// TestTypeImage walks the descriptors of the zoo and of what the native compiler
// made of the same source in step and compares every part.
func TestTypeImage(t *testing.T) {
	table, _ := zooTable()
	pkg := loadZoo()
	c := &comparison{t: t, table: table, prog: new(bytecode.Program), seen: make(map[reflect.Type]uint64), back: make(map[uint64]reflect.Type)}
	type root struct {
		native reflect.Type
		ptr    uint64
	}
	roots := []root{{reflect.TypeFor[zoo.Zoo](), table.desc(pkg.Type("Zoo").Type())}}
	a, b, p := zoo.Local()
	local := boxed(pkg.Func("Local"))
	inner := boxed(pkg.Func("Local").AnonFuncs[0])
	roots = append(roots,
		root{reflect.TypeOf(a), table.desc(local[0])},
		root{reflect.TypeOf(b), table.desc(inner[0])},
		root{reflect.TypeOf(p), table.desc(local[1])})
	table.finish(c.prog)
	for _, r := range roots {
		c.compare(r.native, r.ptr, r.native.String())
	}
	if len(c.seen) < 500 {
		t.Errorf("compared %d types, want at least 500", len(c.seen))
	}
	t.Logf("%d types, %d compared, image of %d bytes", len(table.entries), len(c.seen), len(c.prog.TypeImage))
}

// boxed lists the types that a function puts into interfaces.
func boxed(f *ssa.Function) []types.Type {
	var list []types.Type
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			if m, ok := i.(*ssa.MakeInterface); ok {
				list = append(list, m.X.Type())
			}
		}
	}
	return list
}

// TestLayout compares sizes with go/types' for every type expression of every
// package that the zoo imports, and the numbering with types.Identical.
func TestLayout(t *testing.T) {
	table, _ := zooTable()
	first := make(map[int]types.Type)
	for _, pkg := range loadZoo().Prog.AllPackages() {
		for _, m := range pkg.Members {
			typ := m.Type()
			if m, ok := m.(*ssa.Type); ok {
				if n, ok := m.Type().(*types.Named); ok && n.TypeParams().Len() > 0 {
					continue
				}
			}
			if g, ok := m.(*ssa.Global); ok {
				typ = g.Type().(*types.Pointer).Elem()
			}
			if _, ok := m.(*ssa.Type); !ok && m.Token().String() != "var" {
				continue
			}
			if u, ok := typ.Underlying().(*types.Interface); ok && !u.IsMethodSet() {
				continue // a constraint: no value has this type
			}
			for _, typ := range []types.Type{typ, typ.Underlying(), types.NewPointer(typ)} {
				i := table.index(typ)
				e := table.at(i)
				if got, want := int64(e.Size), gcSizes.Sizeof(typ); got != want {
					t.Errorf("size of %v: got %d want %d", typ, got, want)
				}
				if got, want := int64(e.Align), gcSizes.Alignof(typ); got != want {
					t.Errorf("alignment of %v: got %d want %d", typ, got, want)
				}
				if got, want := e.Flags&bytecode.FlagComparable != 0, types.Comparable(typ); got != want {
					t.Errorf("comparable %v: got %v want %v", typ, got, want)
				}
				if f, ok := first[i]; !ok {
					first[i] = typ
				} else if !types.Identical(f, typ) {
					t.Errorf("%v and %v share number %d", f, typ, i)
				}
			}
		}
	}
	list := table.entries
	for i := range list {
		for j := range i {
			if list[i].Kind == list[j].Kind && list[i].Size == list[j].Size && types.Identical(list[i].typ, list[j].typ) {
				t.Fatalf("%v has numbers %d and %d", list[i].typ, j, i)
			}
		}
	}
}

func TestRegisterForms(t *testing.T) {
	table, _ := zooTable()
	tuple := types.NewTuple(
		types.NewVar(0, nil, "", types.Typ[types.String]),
		types.NewVar(0, nil, "", types.Typ[types.Int8]),
		types.NewVar(0, nil, "", types.NewStruct(nil, nil)),
		types.NewVar(0, nil, "", types.NewPointer(types.Typ[types.Int])))
	for _, c := range []struct {
		typ   types.Type
		reg   bytecode.Reg
		words uint16
		ptrs  uint64
	}{
		{types.Typ[types.Bool], bytecode.RegU8, 1, 0},
		{types.Typ[types.Int32], bytecode.RegS32, 1, 0},
		{types.Typ[types.Float32], bytecode.RegU32, 1, 0},
		{types.Typ[types.Complex64], bytecode.Reg64, 1, 0},
		{types.Typ[types.Complex128], bytecode.RegCopy, 2, 0},
		{types.Typ[types.String], bytecode.RegCopy, 2, 1},
		{types.Typ[types.UntypedInt], bytecode.Reg64, 1, 0},
		{types.Typ[types.UntypedNil], bytecode.Reg64, 1, 1},
		{types.NewStruct(nil, nil), bytecode.RegNone, 0, 0},
		{types.NewArray(types.Typ[types.Int8], 9), bytecode.RegCopy, 2, 0},
		{types.NewArray(types.Typ[types.String], 2), bytecode.RegCopy, 4, 5},
		{tuple, bytecode.RegCopy, 4, 9},
		{types.NewArray(types.Typ[types.Int], 1<<20), bytecode.RegCopy, 0xffff, 0},
	} {
		e := table.of(c.typ)
		var ptrs uint64
		if len(e.Ptrs) > 0 {
			ptrs = e.Ptrs[0]
		}
		if e.Reg != c.reg || e.Words != c.words || ptrs != c.ptrs {
			t.Errorf("%v: got form %d, %d words, pointers %b want %d, %d, %b", c.typ, e.Reg, e.Words, ptrs, c.reg, c.words, c.ptrs)
		}
	}
	off := table.of(tuple).Fields[3].Off
	if off != 24 {
		t.Errorf("last component of %v: got offset %d want 24", tuple, off)
	}
}

// TestFixmeLocalOfGeneric pins a difference. Types that a generic function
// declares are distinct for each instance, as they must be, but their texts lack
// the function's type arguments: go/ssa does not say what they were.
func TestFixmeLocalOfGeneric(t *testing.T) {
	table, _ := zooTable()
	var found []int
	for _, b := range loadZoo().Func("Instances").Blocks {
		for _, i := range b.Instrs {
			if call, ok := i.(*ssa.Call); ok {
				typ := boxed(call.Call.StaticCallee())[0]
				table.desc(typ)
				found = append(found, table.index(typ))
			}
		}
	}
	var p bytecode.Program
	table.finish(&p)
	if len(found) != 2 || found[0] == found[1] {
		t.Fatalf("numbers of two local types: got %v want two different ones", found)
	}
	a, b := zoo.Instances()
	for k, native := range []string{reflect.TypeOf(a).String(), reflect.TypeOf(b).String()} {
		if got, want := p.Types[found[k]].Str, "zoo.Inner"; got != want || native == want {
			t.Errorf("text of a local type: got %q want %q, native %q", got, want, native)
		}
	}
}

// BenchmarkTypeTable describes the zoo, with all methods of all types.
func BenchmarkTypeTable(b *testing.B) {
	typ := loadZoo().Type("Zoo").Type()
	for b.Loop() {
		table, funcs := zooTable()
		table.desc(typ)
		table.finish(new(bytecode.Program))
		b.ReportMetric(float64(len(table.entries)), "types")
		b.ReportMetric(float64(len(funcs)), "funcs")
	}
}
