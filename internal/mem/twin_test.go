package mem

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A twin is a heap made the naive way: Go maps and slices, copied whole where
// the heap logs. It holds the same pointers.
type twin struct {
	objs   map[ObjID]*twinObj
	roots  []Ptr
	serial int
}

type twinObj struct {
	serial int // tells two objects with one number apart
	kind   Kind
	shape  ShapeID
	data   []byte // Plain
	ptrs   []int  // Plain: offsets of pointers
	base   *twinObj

	seq     uint64 // Map
	entries []twinEntry

	cap    int // Chan
	queue  []uint64
	closed bool
	aux    Ptr

	m     Ptr // MapIter
	last  uint64
	limit uint64
}

type twinEntry struct{ seq, key, elem uint64 }

func (o *twinObj) clone() *twinObj {
	c := *o
	c.data = bytes.Clone(o.data)
	c.entries = slices.Clone(o.entries)
	c.queue = slices.Clone(o.queue)
	return &c
}

func (w *twin) clone() *twin {
	c := &twin{objs: map[ObjID]*twinObj{}, roots: slices.Clone(w.roots), serial: w.serial}
	for id, o := range w.objs {
		c.objs[id] = o.clone()
	}
	return c
}

func (w *twin) add(p Ptr, o *twinObj) {
	w.serial++
	o.serial = w.serial
	w.objs[p.Obj()] = o
}

// seal makes the current objects the base.
func (w *twin) seal() {
	for _, o := range w.objs {
		o.base = nil
		o.base = o.clone()
	}
}

// pointers calls f with every pointer of an object.
func (o *twinObj) pointers(f func(Ptr)) {
	for _, off := range o.ptrs {
		f(Ptr(binary.LittleEndian.Uint64(o.data[off:])))
	}
	for _, e := range o.entries {
		f(Ptr(e.elem))
	}
	for _, v := range o.queue {
		f(Ptr(v))
	}
	f(o.aux)
	f(o.m)
}

// changed reports whether a base object is not what it was.
func (o *twinObj) changed() bool {
	b := o.base
	return o.kind == MapIter || !bytes.Equal(o.data, b.data) || !slices.Equal(o.entries, b.entries) ||
		!slices.Equal(o.queue, b.queue) || o.closed != b.closed || o.aux != b.aux
}

// reachable finds what the roots, the boot objects and further objects reach.
func (w *twin) reachable(boot ObjID, further ...ObjID) map[ObjID]bool {
	seen := map[ObjID]bool{}
	var visit func(p Ptr)
	visit = func(p Ptr) {
		o := w.objs[p.Obj()]
		if o == nil || seen[p.Obj()] || o.kind == Plain && int(p.Off()) > len(o.data) {
			return
		}
		seen[p.Obj()] = true
		o.pointers(visit)
	}
	for _, p := range w.roots {
		visit(p)
	}
	for id := range boot {
		visit(MakePtr(id, 0))
	}
	for _, id := range further {
		visit(MakePtr(id, 0))
	}
	return seen
}

// key writes a canonical form of the twin's state, unlike that of Canon but, if
// both are right, equal for the same states.
func (w *twin) key() string {
	var b strings.Builder
	number := map[ObjID]int{}
	var found []ObjID
	ref := func(p Ptr) {
		id := p.Obj()
		switch o := w.objs[id]; {
		case o == nil:
			fmt.Fprintf(&b, " wild%d", p)
		case o.base != nil:
			fmt.Fprintf(&b, " base%d+%d", id, p.Off())
		default:
			if number[id] == 0 {
				found = append(found, id)
				number[id] = len(found)
			}
			fmt.Fprintf(&b, " #%d+%d", number[id], p.Off())
		}
	}
	object := func(o *twinObj) {
		fmt.Fprintf(&b, "shape %d", o.shape)
		switch o.kind {
		case Plain:
			data := bytes.Clone(o.data)
			for _, off := range o.ptrs {
				ref(Ptr(binary.LittleEndian.Uint64(data[off:])))
				clear(data[off : off+8])
			}
			fmt.Fprintf(&b, " %x", data)
		case Map:
			es := slices.SortedFunc(slices.Values(o.entries), func(a, b twinEntry) int { return int(a.key) - int(b.key) })
			for _, e := range es {
				fmt.Fprintf(&b, " %d:", e.key)
				ref(Ptr(e.elem))
			}
		case Chan:
			fmt.Fprint(&b, o.cap, o.closed)
			ref(o.aux)
			for _, v := range o.queue {
				ref(Ptr(v))
			}
		case MapIter:
			ref(o.m)
			if m := w.objs[o.m.Obj()]; m != nil {
				for _, e := range m.entries {
					if e.seq > o.last && e.seq <= o.limit {
						fmt.Fprint(&b, " ", e.key)
					}
				}
			}
		}
		b.WriteByte('\n')
	}
	for _, p := range w.roots {
		ref(p)
	}
	b.WriteByte('\n')
	for _, id := range slices.Sorted(maps.Keys(w.objs)) {
		if o := w.objs[id]; o.base != nil && o.changed() {
			fmt.Fprintf(&b, "base %d ", id)
			object(o)
		}
	}
	for i := 0; i < len(found); i++ {
		object(w.objs[found[i]])
	}
	return b.String()
}

// diff tells the first difference between the twin and the heap.
func (w *twin) diff(h *Heap) string {
	for _, id := range slices.Sorted(maps.Keys(w.objs)) {
		o, p := w.objs[id], MakePtr(id, 0)
		if !h.Exists(p) || h.Kind(p) != o.kind || h.Shape(id) != o.shape {
			return fmt.Sprintf("object %d: exists %v, kind %d, shape %d; want kind %d, shape %d",
				id, h.Exists(p), h.Kind(p), h.Shape(id), o.kind, o.shape)
		}
		if got, want := content(h, p), fmt.Sprint(o.data, o.entries, o.queue, o.closed, o.aux); got != want {
			return fmt.Sprintf("object %d:\ngot  %s\nwant %s", id, got, want)
		}
		if o.kind == Map {
			for _, e := range o.entries {
				if v, ok := get(h, p, e.key); !ok || v != e.elem {
					return fmt.Sprintf("map %d: key %d has %d, %v, want %d", id, e.key, v, ok, e.elem)
				}
			}
		}
	}
	return ""
}

// content prints an object of the heap as diff prints that of the twin.
func content(h *Heap, p Ptr) string {
	var c twinObj
	switch h.Kind(p) {
	case Plain:
		c.data, _ = h.Bytes(p, h.Size(p.Obj()))
	case Map:
		for seq, key, elem := h.MapNext(p, 0); seq != 0; seq, key, elem = h.MapNext(p, seq) {
			k, _ := h.Load64(key)
			v, _ := h.Load64(elem)
			c.entries = append(c.entries, twinEntry{seq, k, v})
		}
	case Chan:
		hd := h.chanOf(p)
		for i := range hd.len {
			v, _ := h.Load64(p + Ptr(hd.place(i)))
			c.queue = append(c.queue, v)
		}
		c.closed, c.aux = hd.closed != 0, hd.aux
	}
	return fmt.Sprint(c.data, c.entries, c.queue, c.closed, c.aux)
}
