package mem

import (
	"slices"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/room"
)

// A Mark is a point in the history of a heap to which it can be restored. The
// zero Mark is none.
type Mark uint64

// An undoLog holds what it takes to go back. Between two marks lies a window:
// the first write to an object in a window saves its old bytes, all of them or,
// if the object is large, the chunks that are about to be written. Without an
// open mark nothing is logged.
type undoLog struct {
	log       []record
	old       []byte // the saved bytes
	marks     []markPoint
	closed    int    // no object of a record before this one is in its window
	forgotten Mark   // marks up to this one are no longer on the stack
	epoch     uint32 // number of the window; never used twice
}

type markPoint struct {
	log, old          int
	epoch             uint32
	sinceGC, liveAtGC uint64
	held              uint64
}

// A record is one entry of the log.
type record struct {
	kind   recordKind
	cut    bool // logAlloc: the block was cut from the arena
	cutID  bool // logAlloc: the number is a new one
	id     ObjID
	flags  uint32 // flags before, without saved
	off, n uint32 // recSave: the bytes saved
	old    int    // recSave, recFree: where in undoLog.old
}

type recordKind uint8

const (
	recSave  recordKind = iota // bytes were about to be written
	recAlloc                   // an object was made
	recFree                    // an object was freed; its entry is saved
	recFlags                   // flags were changed
)

// Objects larger than chunkedSize are saved in chunks of chunkSize bytes. The
// number of the window in which a chunk was last saved lies behind the bytes.
const (
	chunkedSize = 4096
	chunkSize   = 512
)

// chunkTable returns where in its block a large object keeps its windows.
func chunkTable(size uint32) uint64 { return (uint64(size) + 3) &^ 3 }

func (h *Heap) chunkWindows(o *object) []uint32 {
	n := (uint64(o.size) + chunkSize - 1) / chunkSize
	return unsafe.Slice((*uint32)(h.at(o.addr+chunkTable(o.size))), n)
}

// save prepares an object for the writing of n bytes at off.
func (h *Heap) save(id ObjID, o *object, off, n uint32) {
	before := o.flags
	if before&(inBase|dirty) == inBase {
		h.soil(id, o)
	}
	if len(h.marks) == 0 {
		o.flags |= saved
		h.setLimits(o)
		return
	}
	if o.flags&chunked == 0 {
		h.logSave(id, o, before, 0, o.size)
		o.flags |= saved
		h.setLimits(o)
		return
	}
	if n == 0 {
		n = 1 // so that the change of flags is logged
		off = min(off, o.size-1)
	}
	windows := h.chunkWindows(o)
	for c := off / chunkSize; c <= (off+(n-1))/chunkSize; c++ {
		if windows[c] != h.epoch {
			windows[c] = h.epoch
			h.logSave(id, o, before, c*chunkSize, min(chunkSize, o.size-c*chunkSize))
			before = o.flags
		}
	}
}

func (h *Heap) logSave(id ObjID, o *object, flags, off, n uint32) {
	h.log, h.old = room.For(h.log, 1), room.For(h.old, int(n))
	h.log = append(h.log, record{kind: recSave, id: id, flags: flags &^ saved, off: off, n: n, old: len(h.old)})
	h.old = append(h.old, h.span(o.addr+uint64(off), uint64(n))...)
}

func (h *Heap) logAlloc(id ObjID, cut, cutID bool) {
	h.log = append(room.For(h.log, 1), record{kind: recAlloc, id: id, cut: cut, cutID: cutID})
}

// logFree saves an object entirely. The bytes of one that was born in this
// window are not needed: undo will undo its birth too.
func (h *Heap) logFree(id ObjID, o *object) {
	if o.flags&saved == 0 && o.epoch < h.marks[len(h.marks)-1].epoch {
		h.save(id, o, 0, o.size)
	}
	h.log, h.old = room.For(h.log, 1), room.For(h.old, int(objectSize))
	h.log = append(h.log, record{kind: recFree, id: id, old: len(h.old)})
	h.old = append(h.old, unsafe.Slice((*byte)(unsafe.Pointer(o)), objectSize)...)
}

func (h *Heap) logFlags(id ObjID, o *object) {
	h.log = append(room.For(h.log, 1), record{kind: recFlags, id: id, flags: o.flags &^ saved})
}

// Mark starts a new transition: what happens from now on can be undone by
// Restore. Marks form a stack. The first one costs a walk of the object table,
// any other as much as was written since the one before, also if that is gone.
func (h *Heap) Mark() Mark {
	if len(h.marks) > 0 {
		for _, r := range h.log[h.closed:] {
			h.objs[r.id].close()
		}
	} else {
		h.closeAll()
	}
	h.closed = len(h.log)
	h.nextWindow()
	h.marks = append(room.For(h.marks, 1), markPoint{len(h.log), len(h.old), h.epoch, h.sinceGC, h.liveAtGC, h.held})
	return h.forgotten + Mark(len(h.marks))
}

// Restore undoes every write, allocation and free since m was marked, also the
// state of the allocator: what happened after m can happen again with the same
// numbers. Marks later than m are gone, m itself stays open.
func (h *Heap) Restore(m Mark) {
	i := h.position(m)
	pt := &h.marks[i]
	for k := len(h.log) - 1; k >= pt.log; k-- {
		h.undo(&h.log[k])
	}
	h.log, h.old, h.marks = h.log[:pt.log], h.old[:pt.old], h.marks[:i+1]
	h.closed = pt.log
	h.sinceGC, h.liveAtGC, h.held = pt.sinceGC, pt.liveAtGC, pt.held
	h.nextWindow()
	h.marks[i].epoch = h.epoch // nextWindow may have renumbered
}

// Release takes m and all later marks off the stack and keeps what happened
// since. An earlier mark, if there is one, can still undo it.
func (h *Heap) Release(m Mark) {
	h.marks = h.marks[:h.position(m)]
	if len(h.marks) == 0 {
		h.log, h.old, h.closed = h.log[:0], h.old[:0], 0
	}
}

// Forget gives up all marks earlier than m, and the memory that the log spent
// on them. It costs as much as is kept.
func (h *Heap) Forget(m Mark) {
	i := h.position(m)
	pt := h.marks[i]
	h.log = slices.Delete(h.log, 0, pt.log)
	h.old = slices.Delete(h.old, 0, pt.old)
	for k := range h.log {
		h.log[k].old -= pt.old
	}
	h.marks = slices.Delete(h.marks, 0, i)
	for k := range h.marks {
		h.marks[k].log -= pt.log
		h.marks[k].old -= pt.old
	}
	h.closed = max(0, h.closed-pt.log)
	h.forgotten += Mark(i)
}

// Depth returns the number of open marks.
func (h *Heap) Depth() int { return len(h.marks) }

func (h *Heap) position(m Mark) int {
	if m <= h.forgotten || m > h.forgotten+Mark(len(h.marks)) {
		panic("mem: mark is not open")
	}
	return int(m - h.forgotten - 1)
}

func (h *Heap) undo(r *record) {
	o := &h.objs[r.id]
	switch r.kind {
	case recSave:
		copy(h.span(o.addr+uint64(r.off), uint64(r.n)), h.old[r.old:])
		h.undoFlags(r, o)
	case recFlags:
		h.undoFlags(r, o)
	case recAlloc:
		h.count--
		h.putBlock(o.addr, footprint(o.size), r.cut)
		*o = object{addr: uint64(h.freeID)}
		if r.cutID {
			*o = object{}
			h.ids.next--
		} else {
			h.freeID = r.id
		}
	case recFree:
		h.count++
		next := ObjID(o.addr)
		*o = *(*object)(unsafe.Pointer(&h.old[r.old]))
		if o.flags&numbered == 0 {
			h.freeID = next
		}
		h.retakeBlock(o.addr, footprint(o.size))
		if o.flags&inBase != 0 {
			h.baseCount++
		}
		h.setDirty(r.id, 0, o.flags)
		o.close()
	}
}

func (h *Heap) undoFlags(r *record, o *object) {
	h.setDirty(r.id, o.flags, r.flags)
	o.flags = r.flags
	h.setLimits(o)
}

// giveBack gives back the memory of the log.
func (l *undoLog) giveBack() {
	room.Free(l.log)
	room.Free(l.old)
	room.Free(l.marks)
	*l = undoLog{}
}

// close ends the window of an object: the next write saves it again.
func (o *object) close() {
	o.wlim = 0
	o.flags &^= saved
}

func (h *Heap) closeAll() {
	for id := range h.objs[:h.ids.next] {
		h.objs[id].close()
	}
}

// nextWindow numbers a new window. When the numbers are used up it starts
// again and forgets all births and saves, which is always safe.
func (h *Heap) nextWindow() {
	h.epoch++
	if h.epoch != 0 {
		return
	}
	for id := range h.objs[:h.ids.next] {
		o := &h.objs[id]
		o.epoch = 0
		if o.flags&chunked != 0 {
			clear(h.chunkWindows(o))
		}
	}
	for i := range h.marks {
		h.marks[i].epoch = 1
	}
	h.epoch = 1
}
