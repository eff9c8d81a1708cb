package compile

import (
	"encoding/binary"
	"go/types"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/diag"
)

const (
	itabHead = 24 // internal/abi.ITab up to Fun: Inter, Type, Hash and padding

	// prunedWord stands in an itab for a method that no call can reach. It is not
	// zero, since a first method of zero says that the interface is not implemented,
	// and it is no code word.
	prunedWord = 1
)

// itab is the static pointer to the itab for an interface type with methods and
// a concrete type that implements it. Both become run-time types.
func (t *typeTable) itab(iface, concrete types.Type) uint64 {
	i, c := t.index(iface), t.index(concrete)
	off, ok := t.itabs[[2]int{i, c}]
	if !ok {
		t.describe(i)
		t.describe(c)
		off = t.itabEnd
		t.itabEnd += itabHead + 8*uint32(len(t.entries[i].IMethods))
		t.itabs[[2]int{i, c}] = off
		t.itabList = append(t.itabList, bytecode.Itab{Iface: i, Type: c, Off: off})
	}
	return bytecode.StaticPtr(bytecode.ObjItabs, off)
}

// ifaceWord is the first word of an interface value of a static type that holds
// a value of a concrete type: a descriptor if the interface has no methods, an
// itab if it has.
func (t *typeTable) ifaceWord(iface, concrete types.Type) uint64 {
	if len(t.of(iface).IMethods) == 0 {
		return t.desc(concrete)
	}
	return t.itab(iface, concrete)
}

// itabImage writes all itabs.
func (t *typeTable) itabImage() []byte {
	image := make([]byte, t.itabEnd)
	put := binary.LittleEndian.PutUint64
	for _, tab := range t.itabList {
		iface, concrete := t.entries[tab.Iface], t.entries[tab.Type]
		b := image[tab.Off:]
		put(b[0:], descPtr(iface))
		put(b[8:], descPtr(concrete))
		binary.LittleEndian.PutUint32(b[16:], typeHash(tab.Type))
		k := 0
		for j, im := range iface.IMethods {
			for k < len(concrete.Methods) && !sameMethod(concrete.Methods[k], im) {
				k++
			}
			if k == len(concrete.Methods) {
				panic(diag.Bugf("itab: %v does not implement %v: no method %s", concrete.typ, iface.typ, im.Name))
			}
			word := uint64(prunedWord)
			if fn := concrete.Methods[k].Ifn; fn >= 0 {
				word = bytecode.CodeWord(fn)
			}
			put(b[itabHead+8*j:], word)
		}
	}
	return image
}

func sameMethod(m bytecode.Method, im bytecode.IMethod) bool {
	return m.Name == im.Name && m.PkgPath == im.PkgPath
}
