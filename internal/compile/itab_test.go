package compile

import (
	"encoding/binary"
	"go/types"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// TestItab checks the words of an itab whose interface has its methods in
// another order than go/types has them.
func TestItab(t *testing.T) {
	table, funcs := zooTable()
	pkg := loadZoo()
	both := pkg.Type("Zoo").Type().Underlying().(*types.Struct)
	var iface types.Type
	for f := range both.Fields() {
		if f.Name() == "Anon" {
			iface = f.Type().Underlying().(*types.Struct).Field(2).Type()
		}
	}
	recv := types.NewPointer(pkg.Type("Recv").Type())
	word := table.ifaceWord(iface, recv)
	if again := table.itab(iface, recv); again != word {
		t.Errorf("itab asked for twice: got %#x want %#x", again, word)
	}
	if got, want := table.ifaceWord(types.NewInterfaceType(nil, nil), recv), table.desc(recv); got != want {
		t.Errorf("word of an empty interface: got %#x want %#x", got, want)
	}
	var p bytecode.Program
	table.finish(&p)
	if len(p.Itabs) != 1 || len(p.ItabImage) != itabHead+16 {
		t.Fatalf("got %d itabs of %d bytes want 1 of %d", len(p.Itabs), len(p.ItabImage), itabHead+16)
	}
	names := make(map[int]string)
	for f, n := range funcs {
		names[n] = f.Name()
	}
	tab := p.ItabImage[p.Itabs[0].Off:]
	u64 := func(o int) uint64 { return binary.LittleEndian.Uint64(tab[o:]) }
	if got, want := u64(0), table.desc(iface); got != want {
		t.Errorf("interface: got %#x want %#x", got, want)
	}
	if got, want := u64(8), table.desc(recv); got != want {
		t.Errorf("type: got %#x want %#x", got, want)
	}
	if got, want := binary.LittleEndian.Uint32(tab[16:]), typeHash(table.index(recv)); got != want {
		t.Errorf("hash: got %d want %d", got, want)
	}
	for k, want := range []string{"Zeta", "beta"} {
		if got := names[bytecode.FuncOf(u64(itabHead+8*k))]; got != want {
			t.Errorf("method %d: got %q want %q", k, got, want)
		}
	}
	for m := range iface.Underlying().(*types.Interface).Methods() {
		want := map[string]int{"Zeta": 0, "beta": 1}[m.Name()]
		if got := table.methodNumber(iface, m); got != want {
			t.Errorf("number of %s: got %d want %d", m.Name(), got, want)
		}
	}
}

// TestMethodCode checks which functions take an interface's data word and which
// the value.
func TestMethodCode(t *testing.T) {
	table, funcs := zooTable()
	byNumber := func(n int) *ssa.Function {
		for f, k := range funcs {
			if k == n {
				return f
			}
		}
		return nil
	}
	for _, c := range []struct{ typ, method, ifn, tfn string }{
		{"Int", "String", "*zoo.Int", "zoo.Int"},        // boxed: through a pointer
		{"Direct", "Value", "zoo.Direct", "zoo.Direct"}, // pointer-shaped: the word is the value
		{"Fn", "Call", "zoo.Fn", "zoo.Fn"},
	} {
		typ := loadZoo().Type(c.typ).Type()
		table.desc(typ)
		for _, m := range table.of(typ).Methods {
			if m.Name != c.method {
				continue
			}
			recv := func(n int) string {
				return table.typeString(byNumber(n).Signature.Recv().Type(), reflectName)
			}
			if got := recv(m.Ifn); got != c.ifn {
				t.Errorf("%s.%s: Ifn takes %s want %s", c.typ, c.method, got, c.ifn)
			}
			if got := recv(m.Tfn); got != c.tfn {
				t.Errorf("%s.%s: Tfn takes %s want %s", c.typ, c.method, got, c.tfn)
			}
		}
	}
}

// TestPruning checks that methods get code when an interface call of their name
// and signature turns up, and that itabs have a word for those that never do.
func TestPruning(t *testing.T) {
	table, funcs := zooTable()
	use := newMethodUse(table)
	table.keep = use.keep
	pkg := loadZoo()
	recv := types.NewPointer(pkg.Type("Recv").Type())
	iface := pkg.Type("Iface").Type()
	table.itab(iface, recv)
	if len(funcs) != 0 || table.pending() {
		t.Errorf("before any call: got %d functions want 0", len(funcs))
	}
	m := iface.Underlying().(*types.Interface).Method(0)
	use.call(m)
	if !table.pending() || len(funcs) != 1 {
		t.Errorf("after a call of %v: got %d functions want 1", m, len(funcs))
	}
	if table.pending() {
		t.Error("pending twice for one call")
	}
	use.callByName("Alpha")
	table.pending()
	for _, m := range table.of(recv).Methods {
		want := m.Name == "M" || m.Name == "Alpha"
		if got := m.Ifn >= 0; got != want {
			t.Errorf("%s kept: got %v want %v", m.Name, got, want)
		}
	}
	var p bytecode.Program
	table.finish(&p)
	if got := binary.LittleEndian.Uint64(p.ItabImage[itabHead:]); bytecode.FuncOf(got) < 0 {
		t.Errorf("itab word of a kept method: got %#x", got)
	}
}
