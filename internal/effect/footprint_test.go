package effect

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/mem"
)

func at(obj, off, size uint32) Token { return At(0, mem.MakePtr(mem.ObjID(obj), off), size) }

func reads(t ...Token) Footprint  { return Footprint{Reads: t} }
func writes(t ...Token) Footprint { return Footprint{Writes: t} }
func waits(t ...Token) Footprint  { return Footprint{Waits: t} }

func TestIndependent(t *testing.T) {
	all := Footprint{Everything: true}
	x, y, end := at(7, 0, 8), at(7, 8, 4), at(7, 0xffff_fff8, 8)
	near := FD(0, 3, "")
	for _, c := range []struct {
		what string
		a, b Footprint
		want bool
	}{
		{"two that do nothing", Footprint{}, Footprint{}, true},
		{"everything and nothing", all, Footprint{}, false},
		{"everything twice", all, all, false},
		{"two readers", reads(x), reads(x), true},
		{"a reader and a writer", reads(x), writes(x), false},
		{"two writers", writes(x), writes(x), false},
		{"one who waits and a writer", waits(x), writes(x), false},
		{"one who waits and a reader", waits(x), reads(x), true},
		{"two who wait", waits(x), waits(x), true},
		{"neighbouring words", writes(x), writes(y), true},
		{"words that overlap", writes(x), writes(at(7, 4, 8)), false},
		{"one word inside another", writes(x), reads(at(7, 3, 1)), false},
		{"a word and its object", writes(y), reads(at(7, 0, 0)), false},
		{"the last word of an object", writes(end), writes(x), true},
		{"words of two objects", writes(x), writes(at(8, 0, 8)), true},
		{"objects of one number in two heaps", writes(x), writes(At(1, x.Ptr, 8)), true},
		{"one descriptor", writes(near), reads(near), false},
		{"two descriptors", writes(near), writes(FD(0, 4, "")), true},
		{"numbers of two processes", writes(near), writes(FD(1, 3, "")), true},
		{"one number of two makers", writes(FD(0, 3, "1.1")), writes(FD(0, 3, "1.2")), true},
		{"a far end is the near end of another one", writes(Token{Kind: Descriptor, Number: 3, Far: true}), reads(near), false},
		{"a port for two processes", writes(Token{Kind: Port, Number: 80}), writes(Token{Kind: Port, Process: 1, Number: 80}), false},
		{"two ports", writes(Token{Kind: Port, Number: 80}), writes(Token{Kind: Port, Number: 81}), true},
		{"an observer for two processes", writes(Of(Observer, 0)), writes(Of(Observer, 1)), false},
		{"an observer and a process", writes(Of(Observer, 0)), writes(Of(Process, 0)), true},
		{"one clock", writes(Of(Clock, 0)), reads(Of(Clock, 0)), false},
		{"two clocks", writes(Of(Clock, 0)), writes(Of(Clock, 1)), true},
		{"who looks at one clock", reads(Of(Clock, 0)), reads(Of(Clock, 0)), true},
		{"a clock and memory", writes(Of(Clock, 0)), writes(x), true},
		{"a process and its memory", writes(Of(Process, 0)), reads(x), false},
		{"a process and its descriptor", reads(Of(Process, 0)), writes(near), false},
		{"a process and its clock", writes(Of(Process, 0)), reads(Of(Clock, 0)), false},
		{"a process and the memory of another one", writes(Of(Process, 1)), reads(x), true},
		{"a goroutine twice", writes(Token{Kind: Goroutine, Birth: "1.1"}), writes(Token{Kind: Goroutine, Birth: "1.1"}), false},
		{"two goroutines", writes(Token{Kind: Goroutine, Birth: "1.1"}), writes(Token{Kind: Goroutine, Birth: "1.2"}), true},
		{"the second of several tokens", writes(y, x), Footprint{Reads: []Token{near}, Waits: []Token{x}}, false},
	} {
		if got := Independent(c.a, c.b); got != c.want {
			t.Errorf("%s: got %v, want %v", c.what, got, c.want)
		}
		if got := Independent(c.b, c.a); got != c.want {
			t.Errorf("%s, the other way around: got %v, want %v", c.what, got, c.want)
		}
	}
}

func TestFootprintString(t *testing.T) {
	var f Footprint
	if got, want := f.String(), "nothing"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	f.Read(at(7, 8, 4))
	f.Write(FD(1, 3, ""))
	f.Wait(Token{Kind: Object, Ptr: mem.MakePtr(9, 0), Far: true})
	if got, want := f.String(), "reads object 7+0x8, 4 bytes; writes descriptor 3, in process 1; waits for object 9+0x0, far end"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	n := 0
	f.Each(func(Token) bool { n++; return n < 2 })
	if n != 2 {
		t.Errorf("got %d tokens before the end, want 2", n)
	}
	f.Reset()
	f.Add(&Footprint{Everything: true})
	if got, want := f.String(), "everything"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
