// Package mem is the heap of the virtual machine: numbered byte objects with
// an undo log, a precise garbage collector and a canonical encoding.
//
// A pointer of the program under test is a [Ptr], an object number and a byte
// offset. The bytes of an object lie outside the Go heap, in one large
// reservation of address space, and never move while the object exists. What a
// byte means is known only as far as the object's [Shape] tells which words
// hold pointers; Go types, bytecode, goroutines and the scheduler are unknown
// here. Maps and channels are objects too, so that undo, collection and the
// canonical encoding have one mechanism each:
//
//	object table            arena
//	┌────────────────┐      ┌──────────────────────────────┐
//	│ addr ──────────┼────► │ bytes (and, if large, chunk  │
//	│ rlim wlim      │      │ epochs behind them)          │
//	│ size shape ... │      └──────────────────────────────┘
//	└────────────────┘
//	undo log: alloc 7 │ save 3 │ save 9 │ mark │ save 3 │ free 7 │ ...
//
// Every access is checked: [Heap.Read] and [Heap.Write] give an address or nil,
// for any 64-bit value whatsoever. The check is one comparison against rlim or
// wlim; wlim is zero until the old bytes are in the undo log, so that undo costs
// nothing at the second write.
//
// A Heap is not safe for concurrent use. It runs on 64-bit Linux.
package mem

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/room"
)

// MaxSize is the size in bytes of the largest possible object.
const MaxSize = 1<<32 - 16

const (
	arenaSize   = 64 << 30 // address space of the object bytes
	staticStart = 56 << 30 // the part of it that belongs to static objects
	maxObjects  = 1 << 30  // ordinary object numbers lie below; canonical words depend on it
	firstStatic = 1 << 31  // number of the first static object
)

// A Heap is a set of objects with an undo log. Make one with [New].
type Heap struct {
	objs *[1 << 32]object // the object table; every entry is readable, few are writable
	base unsafe.Pointer   // start of the arena

	space
	usage
	shapeTable
	staticObjects
	undoLog
	baseImage
	collector
	mapScratch []uint32

	// Access, if not nil, is called at every read and write of a tracked
	// object (see [Heap.SetTracked]) that is about to succeed.
	Access func(p Ptr, n uint32, write bool)
}

// A space is the host's memory behind a heap: what of it is taken, and what was
// given back and can be taken again.
type space struct {
	arena, table   *room.Space
	data, fixed    region // arena parts of ordinary and of static objects
	ids, staticIDs region // table parts, counted in entries
	free           [numClasses]uint64
	freeID         ObjID // head of the list of free object numbers
	bootLimit      ObjID
}

// A usage counts what is in the heap, and when it is to be collected.
type usage struct {
	bytes, limit      uint64 // of blocks in use, and the most that may be
	count             int    // ordinary objects
	made              uint64 // how many there ever were
	sinceGC, liveAtGC uint64
	refused           bool   // there was no room although the limit left some
	held              uint64 // bytes of garbage that is kept for marks, at the last collection
}

// A shapeTable has the shapes of all objects, each once.
type shapeTable struct {
	shapes  []shape
	shapeOf map[uint64]ShapeID
}

// The staticObjects are found by the names that were given to them.
type staticObjects struct {
	statics map[string]ObjID
	staticK []staticKey
}

// New makes an empty heap. Object numbers from 1 up to but not including
// bootLimit are reserved for [Heap.AllocAt]. It fails if the host refuses the
// address space.
func New(bootLimit ObjID) (*Heap, error) {
	if bootLimit >= maxObjects {
		return nil, fmt.Errorf("mem: boot limit %d: limit is %d", bootLimit, maxObjects-1)
	}
	// The tail makes sure that the start of any object plus any offset stays
	// inside, also where an interpreter adds before it compares.
	arena, err := room.Reserve(arenaSize+1<<32, false)
	if err != nil {
		return nil, fmt.Errorf("mem: reserve arena: %w", err)
	}
	table, err := room.Reserve(uint64(unsafe.Sizeof(*(*Heap)(nil).objs)), true)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("mem: reserve object table: %w", err), arena.Release())
	}
	bootLimit = max(bootLimit, 1)
	h := &Heap{
		objs: (*[1 << 32]object)(table.Base()),
		base: arena.Base(),
		space: space{
			arena:     arena,
			table:     table,
			data:      region{m: arena, unit: 1, next: blockAlign, top: blockAlign, end: staticStart},
			fixed:     region{m: arena, unit: 1, next: staticStart, top: staticStart, committed: staticStart, end: arenaSize},
			ids:       region{m: table, unit: objectSize, next: uint64(bootLimit), end: maxObjects},
			staticIDs: region{m: table, unit: objectSize, next: firstStatic, committed: firstStatic * objectSize, end: 1 << 32},
			bootLimit: bootLimit,
		},
		usage:         usage{limit: arenaSize},
		shapeTable:    shapeTable{shapeOf: map[uint64]ShapeID{}},
		staticObjects: staticObjects{statics: map[string]ObjID{}},
	}
	if !h.ids.commit(uint64(bootLimit)) {
		return nil, errors.Join(errors.New("mem: no memory for the object table"), h.Close())
	}
	h.initShapes()
	return h, nil
}

// Close returns the heap's memory to the host. No address that the heap gave
// out may be used afterwards, nor the heap itself.
func (h *Heap) Close() error {
	err := errors.Join(h.arena.Release(), h.table.Release())
	h.objs, h.base = nil, nil
	h.undoLog.giveBack()
	return err
}

// SetLimit bounds the bytes of all objects together, garbage included but for what
// a collection has found that is kept for open marks alone. [Heap.Alloc] fails rather than go beyond it.
func (h *Heap) SetLimit(bytes uint64) { h.limit = bytes }

// Refused reports whether an allocation ever failed although the limit left room for it: the host has no more memory, or
// garbage that is kept for open marks has taken all addresses. It is nothing that the program has done.
func (h *Heap) Refused() bool { return h.refused }

// InUse returns how many bytes the objects of the heap occupy, garbage
// included.
func (h *Heap) InUse() uint64 { return h.bytes }
