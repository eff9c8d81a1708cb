package mem

import "unsafe"

// An Entry is the part of an object table entry that the fast path of an
// access needs. The bytes [off, off+n) of an object may be read at
// base+Addr+off if off+n < RLim, and written if off+n < WLim; otherwise
// [Heap.Read] and [Heap.Write] decide.
type Entry struct {
	Addr       uint64
	RLim, WLim uint32
	_          [16]byte
}

// EntryShift is the binary logarithm of the size of an Entry.
const EntryShift = 5

// Table returns the addresses of the object table, whose 1<<32 entries are all
// readable, and of the arena. Both stay the same for the life of the heap. They
// are for an interpreter that cannot have Read and Write inlined.
func (h *Heap) Table() (entries, base unsafe.Pointer) { return unsafe.Pointer(h.objs), h.base }

var _ = [1]struct{}{}[unsafe.Sizeof(Entry{})-unsafe.Sizeof(object{})]
var _ = [1]struct{}{}[unsafe.Sizeof(Entry{})-1<<EntryShift]
var _ = [1]struct{}{}[unsafe.Offsetof(Entry{}.RLim)-unsafe.Offsetof(object{}.rlim)]
var _ = [1]struct{}{}[unsafe.Offsetof(Entry{}.WLim)-unsafe.Offsetof(object{}.wlim)]
