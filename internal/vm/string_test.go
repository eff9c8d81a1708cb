package vm

import (
	"testing"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

func memPtr(w uint64) mem.Ptr { return mem.Ptr(w) }

var testStrings = []string{
	"", "a", "hello, world", "héllo", "日本語", "\xff", "a\xc0\xafb", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe6\x97",
	"\xf0\x9f\x98", "😀x", "\x00", "�", string(make([]byte, 40)), "ab\u0301",
}

func TestStringConversions(t *testing.T) {
	w := newWorld(t, Options{})
	for _, s := range testStrings {
		w.put(0, s)
		w.do((*Machine).opStrrunes, bytecode.Instr{A: 2, B: 0})
		want := []rune(s)
		sink = want
		got := *(*slice)(unsafe.Pointer(&w.frame[2]))
		if int(got.len) != len(want) || got.ptr == 0 {
			t.Fatalf("[]rune(%q): got %d runes, want %d", s, got.len, len(want))
		}
		b := w.bytes(2, 4)
		for i, r := range want {
			if v := *(*rune)(unsafe.Pointer(&b[4*i])); v != r {
				t.Errorf("[]rune(%q)[%d] = %x, want %x", s, i, v, r)
			}
		}
		w.do((*Machine).opRunesstr, bytecode.Instr{A: 6, B: 2})
		if got := w.str(6); got != string(want) {
			t.Errorf("string([]rune(%q)) = %q, want %q", s, got, string(want))
		}
		w.do((*Machine).opStrbytes, bytecode.Instr{A: 2, B: 0})
		if got := w.bytes(2, 1); string(got) != s || w.frame[2] == 0 {
			t.Errorf("[]byte(%q) = %q", s, got)
		}
		w.do((*Machine).opBytesstr, bytecode.Instr{A: 6, B: 2})
		if got := w.str(6); got != s {
			t.Errorf("string([]byte(%q)) = %q", s, got)
		}
		w.frame[12] = 0
		copy(w.frame[10:12], w.frame[0:2])
		for i, r := range s {
			w.do((*Machine).opStrnext, bytecode.Instr{A: 20, B: 10})
			if w.frame[20] != 1 || int(w.frame[21]) != i || rune(w.frame[22]) != r {
				t.Errorf("range %q: got %v, want 1 %d %d", s, w.frame[20:23], i, r)
			}
		}
		w.do((*Machine).opStrnext, bytecode.Instr{A: 20, B: 10})
		if w.frame[20] != 0 {
			t.Errorf("range %q goes on at its end", s)
		}
	}
}

func TestRuneToString(t *testing.T) {
	w := newWorld(t, Options{})
	for _, v := range []int64{0, 'a', 0x7f, 0x80, 0x7ff, 0x800, 0xd800, 0xdfff, 0xfffd, 0xffff, 0x10000, 0x10ffff, 0x110000, -1, 1 << 32, 1<<32 + 'a'} {
		want := "�"
		if int64(rune(v)) == v {
			want = string(rune(v))
		}
		w.frame[0] = uint64(v)
		w.do((*Machine).opRunestr, bytecode.Instr{A: 2, B: 0})
		if got := w.str(2); got != want {
			t.Errorf("string(rune(%#x)) = %q, want %q", v, got, want)
		}
	}
}

func TestStringComparison(t *testing.T) {
	w := newWorld(t, Options{})
	for _, a := range testStrings {
		for _, b := range testStrings {
			w.put(0, a)
			w.put(2, b)
			pa, pb := unsafe.Pointer(&w.frame[0]), unsafe.Pointer(&w.frame[2])
			if got := w.m.strEqual(pa, pb); got != (a == b) {
				t.Errorf("%q == %q: got %v", a, b, got)
			}
			if got := w.m.strCompare(pa, pb); (got < 0) != (a < b) || (got > 0) != (a > b) {
				t.Errorf("%q compared with %q: got %d", a, b, got)
			}
			w.do((*Machine).opMinstr, bytecode.Instr{A: 4, B: 0, C: 2})
			w.do((*Machine).opMaxstr, bytecode.Instr{A: 6, B: 0, C: 2})
			if lo, hi := w.str(4), w.str(6); lo != min(a, b) || hi != max(a, b) {
				t.Errorf("min and max of %q and %q: got %q and %q", a, b, lo, hi)
			}
			w.do((*Machine).opConcat, bytecode.Instr{A: 4, B: 0, C: 2})
			if got := w.str(4); got != a+b {
				t.Errorf("%q + %q = %q", a, b, got)
			}
			w.put(4, a)
			w.do((*Machine).opConcatn, bytecode.Instr{A: 6, B: 0, Imm: 3})
			if got := w.str(6); got != a+b+a {
				t.Errorf("%q + %q + %q = %q", a, b, a, got)
			}
		}
	}
}
