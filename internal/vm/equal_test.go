package vm

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"unsafe"
)

type holes struct {
	A int8
	B int64
	_ int32
	C string
}
type pair struct {
	X any
	Y float64
}
type blank struct{ _, N int }

// comparisons are values of one type each, all pairs of which are compared.
func comparisons() [][]any {
	nan := math.NaN()
	negZero := math.Copysign(0, -1)
	x, y := new(int), new(int)
	var xs = []any{nil, 1, int64(1), "a", 1.0, nan, 0.0, negZero, [2]int{1, 2}, [2]int{1, 3}, x, y, struct{}{}, true,
		[]int{1}, holes{A: 1}, pair{X: 1}, [1]*int{x}, int8(-1), uint8(255), strings.Repeat("long", 99), 1000}
	var ifaces []any
	for _, v := range xs {
		ifaces = append(ifaces, pair{v, 1}, [2]any{v, 2})
	}
	return [][]any{
		{int8(1), int8(-1), int8(0)}, {uint16(1), uint16(65535)}, {int32(1), int32(-1)}, {true, false},
		{1, 2, -1}, {float32(0), float32(negZero), float32(nan), float32(1.5)}, {0.0, negZero, nan, 1.5, -1.5},
		{complex(0, 0), complex(negZero, 0), complex(1, nan), complex(1, 2), complex(2, 1)},
		{complex64(complex(0, 1)), complex64(complex(negZero, 1)), complex64(1)},
		{"", "a", "b", "ab", strings.Repeat("x", 100), strings.Repeat("x", 99) + "y"},
		{[3]int8{1, 2, 3}, [3]int8{1, 2, 4}}, {[2]string{"a", "b"}, [2]string{"ab", ""}},
		{[2]float64{0, 1}, [2]float64{negZero, 1}, [2]float64{nan, 1}},
		{holes{1, 2, 0, "x"}, holes{1, 2, 0, "y"}, holes{1, 3, 0, "x"}}, {blank{0, 1}, blank{0, 2}},
		{x, y}, {struct{}{}}, {[0]int{}}, ifaces,
	}
}

func TestEqualAndHashAsGo(t *testing.T) {
	groups := comparisons()
	var types []any
	for _, g := range groups {
		types = append(types, g...)
	}
	types = append(types, holes{}, []int{}, int64(0), float64(0), [2]int{}, [1]*int{}, uint8(0), int8(0))
	w := newWorld(t, Options{}, types...)
	for _, group := range groups {
		for _, a := range group {
			for _, b := range group {
				if reflect.TypeOf(a) != reflect.TypeOf(b) {
					continue
				}
				want, wantPanic := hostEqual(a, b)
				w.put(0, a)
				w.put(32, b)
				typ := w.m.rt.types[w.of(a)]
				pa, pb := unsafe.Pointer(&w.frame[0]), unsafe.Pointer(&w.frame[32])
				got, bad := w.m.equal(typ, pa, pb)
				if bad != nil {
					if msg := "runtime error: comparing uncomparable type " + bad.Str; msg != wantPanic {
						t.Errorf("%#v == %#v: got panic %q, want %q", a, b, msg, wantPanic)
					}
				} else if wantPanic != "" || got != want {
					t.Errorf("%#v == %#v: got %v, want %v %s", a, b, got, want, wantPanic)
				}
				ha, badA := w.m.hash(typ, pa)
				hb, _ := w.m.hash(typ, pb)
				if got && ha != hb {
					t.Errorf("%#v and %#v are equal and have hashes %x and %x", a, b, ha, hb)
				}
				if wantBad := hostHash(a); (badA != nil) != (wantBad != "") ||
					badA != nil && "runtime error: hash of unhashable type "+badA.Str != wantBad {
					t.Errorf("hash of %#v: got bad type %v, want %q", a, badA, wantBad)
				}
			}
		}
	}
}

func hostEqual(a, b any) (eq bool, msg string) {
	defer func() {
		if e := recover(); e != nil {
			msg = e.(error).Error()
		}
	}()
	return a == b, ""
}

func hostHash(a any) (msg string) {
	defer func() {
		if e := recover(); e != nil {
			msg = e.(error).Error()
		}
	}()
	_ = map[any]int{1: 1}[a] // an empty map has another error
	return ""
}

// TestHashSpreads holds the hash of words against the birthday bound, on the
// upper half, by which maps choose slots.
func TestHashSpreads(t *testing.T) {
	w := newWorld(t, Options{}, float64(0), [2]int{})
	floats, pairs := map[uint32]bool{}, map[uint32]bool{}
	const n = 10000
	for i := range n {
		w.put(0, float64(i))
		h, _ := w.m.hash(w.m.rt.types[w.of(0.0)], w.fp())
		floats[uint32(h>>32)] = true
		w.put(0, [2]int{i % 100, i / 100})
		h, _ = w.m.hash(w.m.rt.types[w.of([2]int{})], w.fp())
		pairs[uint32(h>>32)] = true
	}
	if len(floats) < n-5 || len(pairs) < n-5 {
		t.Errorf("%d values have %d and %d hashes", n, len(floats), len(pairs))
	}
}
