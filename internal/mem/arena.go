package mem

import (
	"math/bits"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/room"
)

// A region is a part of a reservation of addresses that is handed out from the bottom up, in
// units of some bytes.
type region struct {
	m         *room.Space
	unit      uint64
	next      uint64 // first unit not handed out
	top       uint64 // units from here on were never handed out and are zero
	committed uint64 // first byte that is not writable yet
	end       uint64
}

// commitStep is how much memory becomes writable at a time.
const commitStep = 4 << 20

// commit makes all units below limit writable. It reports false if the region
// or the host's memory is exhausted.
func (r *region) commit(limit uint64) bool {
	if limit > r.end {
		return false
	}
	need := limit * r.unit
	if need <= r.committed {
		return true
	}
	to := min((need+commitStep-1)&^(commitStep-1), r.end*r.unit)
	if r.m.Commit(r.committed, to) != nil {
		return false
	}
	r.committed = to
	return true
}

// bump hands out n units. Units below the former top may hold old bytes.
func (r *region) bump(n uint64) (start uint64, ok bool) {
	start = r.next
	if (start+n)*r.unit > r.committed && !r.commit(start+n) {
		return 0, false
	}
	r.next = start + n
	r.top = max(r.top, r.next)
	return start, true
}

// Blocks of up to smallBlock bytes come in multiples of blockAlign, larger ones
// in four sizes for each doubling.
const (
	blockAlign = 16
	smallBlock = 1024
	smallClass = smallBlock / blockAlign
	numClasses = smallClass + 24*4 + 1
)

// classOf returns the class of the blocks that hold n bytes and their size.
func classOf(n uint64) (class int, block uint64) {
	if n <= smallBlock {
		c := (n + blockAlign - 1) / blockAlign
		return int(c), c * blockAlign
	}
	e := bits.Len64(n-1) - 1 // 2^e < n <= 2^(e+1)
	low := uint64(1) << e
	step := low / 4
	k := (n - low + step - 1) / step
	return smallClass + (e-10)*4 + int(k), low + k*step
}

// at returns the host address of a byte of the arena.
func (h *Heap) at(addr uint64) unsafe.Pointer { return unsafe.Add(h.base, addr) }

// span returns n bytes of the arena as a slice.
func (h *Heap) span(addr, n uint64) []byte { return unsafe.Slice((*byte)(h.at(addr)), n) }

// takeBlock returns a zeroed block for n bytes and whether it is newly cut from
// the region. Free blocks are chained through their first word.
func (h *Heap) takeBlock(n uint64) (addr uint64, cut, ok bool) {
	class, block := classOf(n)
	if block == 0 {
		return 0, false, true
	}
	if block > h.limit || h.used() > h.limit-block {
		return 0, false, false
	}
	if addr = h.free[class]; addr != 0 {
		h.free[class] = *(*uint64)(h.at(addr))
		clear(h.span(addr, n))
	} else {
		top := h.data.top
		if addr, ok = h.data.bump(block); !ok {
			h.refused = true
			return 0, false, false
		}
		if addr < top {
			clear(h.span(addr, min(block, top-addr)))
		}
		cut = true
	}
	h.bytes += block
	h.sinceGC += block
	return addr, cut, true
}

// Fits reports whether the limit leaves room for an object of n bytes.
func (h *Heap) Fits(n uint64) bool {
	if n > MaxSize {
		return true // no collection makes room for it
	}
	_, block := classOf(footprint(uint32(n)))
	return block <= h.limit && h.used() <= h.limit-block
}

// used is how many bytes count against the limit.
func (h *Heap) used() uint64 { return h.bytes - min(h.held, h.bytes) }

// putBlock frees a block, or uncuts it, the inverse of takeBlock.
func (h *Heap) putBlock(addr, n uint64, uncut bool) {
	class, block := classOf(n)
	if block == 0 {
		return
	}
	if uncut {
		h.data.next -= block
	} else {
		*(*uint64)(h.at(addr)) = h.free[class]
		h.free[class] = addr
	}
	h.bytes -= block
}

// retakeBlock undoes the putBlock that freed addr; it must be the last one of
// its class that is not undone.
func (h *Heap) retakeBlock(addr, n uint64) {
	class, block := classOf(n)
	if block == 0 {
		return
	}
	if h.free[class] != addr {
		panic("mem: undo out of order")
	}
	h.free[class] = *(*uint64)(h.at(addr))
	h.bytes += block
}
