package mem

import (
	"testing"
	"unsafe"
)

func TestChan(t *testing.T) {
	h := newHeap(t, 1)
	s := h.AddShape(Shape{Kind: Chan, ElemSize: 8})
	c := h.NewChan(s, 3)
	if !h.IsChan(c) || h.ChanCap(c) != 3 || h.ChanElemSize(c) != 8 || h.Write(c, 8) != nil {
		t.Fatal("not a channel of three words")
	}
	next, oldest := uint64(0), uint64(0)
	push := func() bool {
		v := next
		if !h.ChanPush(c, unsafe.Pointer(&v)) {
			return false
		}
		next++
		return true
	}
	pop := func() bool {
		var v uint64
		if !h.ChanPop(c, unsafe.Pointer(&v)) {
			return false
		}
		if v != oldest {
			t.Errorf("got %d, want %d", v, oldest)
		}
		oldest++
		return true
	}
	if pop() {
		t.Error("popped from an empty channel")
	}
	for range 7 {
		push()
		push()
		pop()
		pop()
	}
	pushed := 0
	for range 4 {
		if push() {
			pushed++
		}
	}
	if pushed != 3 || h.ChanLen(c) != 3 {
		t.Errorf("%d elements, want 3", h.ChanLen(c))
	}
	m := h.Mark()
	pop()
	h.ChanPop(c, nil)
	h.ChanClose(c)
	h.SetChanAux(c, c)
	if !h.ChanClosed(c) || h.ChanLen(c) != 1 || h.ChanAux(c) != c {
		t.Error("channel is not closed with one element")
	}
	h.Restore(m)
	oldest--
	if h.ChanClosed(c) || h.ChanLen(c) != 3 || h.ChanAux(c) != 0 || !pop() {
		t.Error("undo does not restore the channel")
	}
}

func TestChanNilAndEmpty(t *testing.T) {
	h := newHeap(t, 1)
	p := h.Alloc(0, 100)
	for _, bad := range []Ptr{0, p, 1 << 63} {
		if h.IsChan(bad) || h.ChanLen(bad)+h.ChanCap(bad) != 0 || h.ChanClosed(bad) || h.ChanPush(bad, nil) || h.ChanPop(bad, nil) {
			t.Errorf("%v passes for a channel", bad)
		}
		h.ChanClose(bad)
	}
	c := h.NewChan(h.AddShape(Shape{Kind: Chan}), 1<<31)
	if !h.ChanPush(c, nil) || h.ChanLen(c) != 1 || !h.ChanPop(c, nil) || h.ChanPop(c, nil) {
		t.Error("channel of empty elements")
	}
	if h.NewChan(h.AddShape(Shape{Kind: Chan, ElemSize: 16}), 1<<28) != 0 || h.NewChan(h.AddShape(Shape{Kind: Chan}), 1<<60) != 0 {
		t.Error("a channel larger than an object can be")
	}
}
