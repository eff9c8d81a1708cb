package vm

import (
	"bytes"
	"reflect"
	"testing"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// sink keeps the host's slices on its heap.
var sink any

type bytes3 [3]byte
type bytes40 [40]byte
type mixed struct {
	P *int
	N int64
	S string
}

// growth tells how the host grows a slice by one element and by several.
func growth[T any](n, more int) (caps []int, zero any) {
	var s []T
	for range n {
		s = append(s, *new(T))
		caps = append(caps, cap(s))
	}
	for range 8 {
		s = append(s, make([]T, more)...)
		caps = append(caps, cap(s))
	}
	sink = s
	return caps, *new(T)
}

func testGrowth[T any](t *testing.T) {
	for _, n := range []int{1, 5, 100, 3000} {
		for _, more := range []int{1, 7, 300} {
			want, zero := growth[T](n, more)
			w := newWorld(t, Options{}, zero, []T(nil))
			elem := w.of(zero)
			words := int(w.m.rt.types[elem].Words)
			w.put(20, make([]T, more))
			for i, c := range want {
				if i < n {
					w.do((*Machine).opAppendf, bytecode.Instr{A: 0, B: 0, C: 8, Imm: bytecode.Pack(1, uint32(elem))})
				} else {
					w.do((*Machine).opAppend, bytecode.Instr{A: 0, B: 0, C: 20, Imm: int64(elem)})
				}
				if got := int(w.frame[2]); got != c {
					t.Fatalf("%T (%d words), append %d of %d then %d each: got capacity %d, want %d", zero, words, i, n, more, got, c)
				}
			}
		}
	}
}

func TestAppendGrowsAsGo(t *testing.T) {
	t.Run("byte", testGrowth[byte])
	t.Run("int16", testGrowth[int16])
	t.Run("int32", testGrowth[int32])
	t.Run("int", testGrowth[int])
	t.Run("ptr", testGrowth[*int])
	t.Run("string", testGrowth[string])
	t.Run("slice", testGrowth[[]byte])
	t.Run("3", testGrowth[bytes3])
	t.Run("40", testGrowth[bytes40])
	t.Run("mixed", testGrowth[mixed])
	t.Run("zero", testGrowth[struct{}])
}

func TestRoundUpSize(t *testing.T) {
	for n := 1; n < 70000; n += 1 + n/97 {
		b := append([]byte(nil), make([]byte, n)...)
		if got := roundUpSize(uint64(n), true); got != uint64(cap(b)) {
			t.Fatalf("roundUpSize(%d, noscan) = %d, want %d", n, got, cap(b))
		}
		p := append([]*int(nil), make([]*int, n)...)
		if got := roundUpSize(uint64(n)*8, false) / 8; got != uint64(cap(p)) {
			t.Fatalf("roundUpSize(%d*8, scan)/8 = %d, want %d", n, got, cap(p))
		}
	}
}

func TestAppendKeepsAliasing(t *testing.T) {
	w := newWorld(t, Options{})
	w.put(0, append(make([]byte, 0, 8), "abcd"...))
	copy(w.frame[3:6], w.frame[0:3]) // two slices, one array
	w.put(10, "x")
	w.do((*Machine).opAppendstr, bytecode.Instr{A: 0, B: 0, C: 10})
	w.put(10, "y")
	w.do((*Machine).opAppendstr, bytecode.Instr{A: 3, B: 3, C: 10})
	if got := string(w.bytes(0, 1)); got != "abcdy" {
		t.Errorf("first slice: got %q, want abcdy", got)
	}
	w.put(10, "0123456789")
	w.do((*Machine).opAppendstr, bytecode.Instr{A: 3, B: 3, C: 10})
	w.m.viewWriteString(w.frame[3], "AAAA")
	if got, want := string(w.bytes(0, 1))+string(w.bytes(3, 1)), "abcdyAAAAy0123456789"; got != want {
		t.Errorf("after growth: got %q, want %q", got, want)
	}
	// A slice appended to itself.
	w.put(0, []byte("abc"))
	w.do((*Machine).opAppend, bytecode.Instr{A: 0, B: 0, C: 0, Imm: int64(w.of(byte(0)))})
	w.do((*Machine).opAppend, bytecode.Instr{A: 0, B: 0, C: 0, Imm: int64(w.of(byte(0)))})
	if got := string(w.bytes(0, 1)); got != "abcabcabcabc" {
		t.Errorf("append to itself: got %q", got)
	}
}

func (m *Machine) viewWriteString(p uint64, s string) {
	b, _ := m.viewWrite(memPtr(p), uint64(len(s)))
	copy(b, s)
}

func TestCopyOverlaps(t *testing.T) {
	w := newWorld(t, Options{})
	for _, c := range []struct{ to, from, n int }{{0, 3, 5}, {3, 0, 5}, {1, 1, 4}, {8, 0, 0}} {
		want := []byte("0123456789")
		w.put(0, append([]byte(nil), want...))
		n := copy(want[c.to:c.to+c.n], want[c.from:])
		w.frame[10], w.frame[11] = w.frame[0]+uint64(c.to), uint64(c.n)
		w.frame[13], w.frame[14] = w.frame[0]+uint64(c.from), uint64(10-c.from)
		w.do((*Machine).opCopy, bytecode.Instr{A: 20, B: 10, C: 13, Imm: 1})
		if got := w.bytes(0, 1); !bytes.Equal(got, want) || int(w.frame[20]) != n {
			t.Errorf("%v: got %q and %d, want %q and %d", c, got, w.frame[20], want, n)
		}
	}
}

func TestSliceExpressions(t *testing.T) {
	const unset = -99
	host := append(make([]int, 0, 6), 1, 2, 3, 4)
	w := newWorld(t, Options{}, []int(nil))
	w.put(0, host)
	base := w.frame[0]
	for lo := -1; lo < 8; lo++ {
		for hi := -1; hi < 8; hi++ {
			for _, limit := range []int{unset, -1, 0, 3, 4, 6, 7} {
				var want []int
				failed := func() (failed bool) {
					defer func() { failed = recover() != nil }()
					if limit == unset {
						want = host[lo:hi]
					} else {
						want = host[lo:hi:limit]
					}
					return false
				}()
				flags := uint32(sliceLow | sliceHigh)
				if limit != unset {
					flags |= sliceMax
				}
				if failed {
					continue // what is raised is tested with the raising functions
				}
				w.frame[10], w.frame[11], w.frame[12] = uint64(lo), uint64(hi), uint64(limit)
				w.do((*Machine).opSlice, bytecode.Instr{A: 4, B: 0, C: 10, Imm: bytecode.Pack(flags, 8)})
				got := *(*slice)(unsafe.Pointer(&w.frame[4]))
				off := uintptr(reflect.ValueOf(want).Pointer()) - uintptr(reflect.ValueOf(host).Pointer())
				if got.ptr != memPtr(base+uint64(off)) || int(got.len) != len(want) || int(got.cap) != cap(want) {
					t.Errorf("s[%d:%d:%d]: got %v, want offset %d, len %d, cap %d", lo, hi, limit, got, off, len(want), cap(want))
				}
			}
		}
	}
}

func BenchmarkAppendInt(b *testing.B) {
	w := newWorld(b, Options{MemLimit: 1 << 36}, []int(nil))
	in := bytecode.Instr{A: 0, B: 0, C: 8, Imm: bytecode.Pack(1, uint32(w.of(0)))}
	w.put(0, make([]int, 0, 1<<16))
	for b.Loop() {
		if w.frame[1] == 1<<16 {
			w.frame[1] = 0
		}
		w.m.opAppendf(w.g, w.fp(), &in)
	}
}

func BenchmarkAppendGrow(b *testing.B) {
	w := newWorld(b, Options{MemLimit: 1 << 36}, []int(nil))
	in := bytecode.Instr{A: 0, B: 0, C: 8, Imm: bytecode.Pack(1, uint32(w.of(0)))}
	for b.Loop() {
		if w.frame[1] == 1024 {
			w.frame[0], w.frame[1], w.frame[2] = 0, 0, 0
			if w.m.Heap.ShouldCollect() {
				w.m.Heap.Collect(nil, nil)
			}
		}
		w.m.opAppendf(w.g, w.fp(), &in)
	}
}
