package vm

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// pingPong sends n elements over a channel, unbuffered or not.
func pingPong(b *testing.B, capacity, n int64) {
	a := newAsm(b)
	elem, ch := a.typ(0), a.typ(make(chan int))
	sender := a.sender(elem)
	main := a.fn("main.main", 0,
		op(bytecode.OpConst, 0, 0, 0, capacity),
		op(bytecode.OpMakechan, 8, 0, 0, int64(ch)),
		op(bytecode.OpMov, 20, 8, 0, 0),
		op(bytecode.OpConst, 21, 0, 0, 0),
		op(bytecode.OpConst, 22, 0, 0, n),
		op(bytecode.OpGo, 20, 0, 0, int64(sender)),
		op(bytecode.OpRecv, 1, 8, 1, int64(elem)),
		op(bytecode.OpJt, 0, 2, 0, 6),
		ret)
	m := a.machine(main, Options{})
	b.ReportAllocs()
	b.ResetTimer()
	if e := m.Run(); e.Kind != ExitMain {
		b.Fatal(e.Text)
	}
}

func BenchmarkUnbuffered(b *testing.B) { pingPong(b, 0, int64(b.N)) }
func BenchmarkBuffered(b *testing.B)   { pingPong(b, 128, int64(b.N)) }
