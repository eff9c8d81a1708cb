package execute

import (
	"fmt"
	"strconv"
	"strings"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// valueText writes a value of a type that lies at a host address, in its memory
// layout or in a register, as a person would.
func valueText(m *vm.Machine, t *bytecode.Type, p unsafe.Pointer, depth int) string {
	if t == nil || p == nil {
		return "?"
	}
	switch t.Kind {
	case bytecode.Bool:
		return strconv.FormatBool(*(*bool)(p))
	case bytecode.Int8:
		return strconv.FormatInt(int64(*(*int8)(p)), 10)
	case bytecode.Int16:
		return strconv.FormatInt(int64(*(*int16)(p)), 10)
	case bytecode.Int32:
		return strconv.FormatInt(int64(*(*int32)(p)), 10)
	case bytecode.Int, bytecode.Int64:
		return strconv.FormatInt(*(*int64)(p), 10)
	case bytecode.Uint8:
		return strconv.FormatUint(uint64(*(*uint8)(p)), 10)
	case bytecode.Uint16:
		return strconv.FormatUint(uint64(*(*uint16)(p)), 10)
	case bytecode.Uint32:
		return strconv.FormatUint(uint64(*(*uint32)(p)), 10)
	case bytecode.Uint, bytecode.Uint64, bytecode.Uintptr:
		return strconv.FormatUint(*(*uint64)(p), 10)
	case bytecode.Float32:
		return strconv.FormatFloat(float64(*(*float32)(p)), 'g', -1, 32)
	case bytecode.Float64:
		return strconv.FormatFloat(*(*float64)(p), 'g', -1, 64)
	case bytecode.String:
		w := (*[2]uint64)(p)
		return short(strconv.Quote(stringAt(m, mem.Ptr(w[0]), w[1])))
	case bytecode.Struct:
		return structText(m, t, p, depth)
	case bytecode.Array:
		return listText(m, m.Type(t.Elem), p, int(t.Len), depth)
	case bytecode.Slice:
		w := (*[3]uint64)(p)
		elem := m.Type(t.Elem)
		if depth > 0 && w[1] <= 8 {
			if at := m.Heap.Peek(mem.Ptr(w[0]), uint32(w[1])*elem.Size); at != nil {
				return listText(m, elem, at, int(w[1]), depth)
			}
		}
		return fmt.Sprintf("%s of %d", t.Str, w[1])
	case bytecode.Interface:
		w := (*[2]uint64)(p)
		if w[0] == 0 {
			return "nil"
		}
	case bytecode.MapKind:
		return fmt.Sprintf("%s of %d", t.Str, m.Heap.MapLen(*(*mem.Ptr)(p)))
	case bytecode.Chan:
		if ch := *(*mem.Ptr)(p); ch != 0 {
			return fmt.Sprintf("%s %d/%d", t.Str, m.Heap.ChanLen(ch), m.Heap.ChanCap(ch))
		}
		return "nil"
	}
	if t.Words == 1 && *(*uint64)(p) == 0 {
		return "nil"
	}
	if t.Kind == bytecode.Pointer && depth > 0 {
		elem := m.Type(t.Elem)
		if at := m.Heap.Peek(*(*mem.Ptr)(p), elem.Size); at != nil && elem.Size > 0 {
			return "&" + valueText(m, elem, at, depth-1)
		}
	}
	return t.Str
}

func structText(m *vm.Machine, t *bytecode.Type, p unsafe.Pointer, depth int) string {
	if t.PkgPath == "sync" || t.PkgPath == "internal/sync" {
		return lockText(t, p)
	}
	if depth <= 0 && len(t.Fields) > 0 {
		return t.Str + "{...}"
	}
	var parts []string
	for i := range t.Fields {
		f := &t.Fields[i]
		if f.Name != "_" {
			parts = append(parts, f.Name+": "+valueText(m, m.Type(f.Type), unsafe.Add(p, f.Off), depth-1))
		}
	}
	return short("{" + strings.Join(parts, ", ") + "}")
}

// lockText tells what matters of the types of package sync.
func lockText(t *bytecode.Type, p unsafe.Pointer) string {
	switch t.Name {
	case "Mutex":
		if *(*int32)(p) != 0 {
			return "locked"
		}
		return "unlocked"
	case "WaitGroup":
		return strconv.Itoa(int(*(*int32)(unsafe.Add(p, 4))))
	}
	return t.Str
}

func listText(m *vm.Machine, elem *bytecode.Type, p unsafe.Pointer, n, depth int) string {
	if n > 8 {
		return fmt.Sprintf("%d of %s", n, elem.Str)
	}
	var parts []string
	for i := range n {
		parts = append(parts, valueText(m, elem, unsafe.Add(p, uintptr(i)*uintptr(elem.Size)), depth-1))
	}
	return short("[" + strings.Join(parts, " ") + "]")
}

func stringAt(m *vm.Machine, p mem.Ptr, n uint64) string {
	if n == 0 || n > 1<<20 {
		return ""
	}
	at := m.Heap.Peek(p, uint32(n))
	if at == nil {
		return ""
	}
	return string(unsafe.Slice((*byte)(at), n))
}
