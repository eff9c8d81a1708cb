package vm

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

var ret = op(bytecode.OpRet, 0, 0, 0, 0)

// sender is func(ch, from, to): sends from, ..., to-1 and closes.
func (a *asm) sender(elem int) int {
	return a.fn("main.sender", 3,
		op(bytecode.OpJle, 0, 2, 1, 4),
		op(bytecode.OpSend, 0, 0, 1, int64(elem)),
		op(bytecode.OpAddi, 1, 1, 0, 1),
		op(bytecode.OpJmpback, 0, 0, 0, 0),
		op(bytecode.OpClose, 0, 0, 0, 0),
		ret)
}

// receiver code: notes everything received from the channel in register 8 until
// it is closed, then 9.
func receiveAll(elem int, at int) []bytecode.Instr {
	return code(
		op(bytecode.OpRecv, 1, 8, 1, int64(elem)),
		op(bytecode.OpJf, 0, 2, 0, int64(at+7)),
		note(1),
		op(bytecode.OpJmpback, 0, 0, 0, int64(at)),
		noteConst(9),
	)
}

func TestChannel(t *testing.T) {
	for _, capacity := range []int64{0, 1, 3, 10} {
		a := newAsm(t)
		elem, ch := a.typ(0), a.typ(make(chan int))
		sender := a.sender(elem)
		main := a.fn("main.main", 0, code(
			op(bytecode.OpConst, 0, 0, 0, capacity),
			op(bytecode.OpMakechan, 8, 0, 0, int64(ch)),
			op(bytecode.OpMov, 20, 8, 0, 0),
			op(bytecode.OpConst, 21, 0, 0, 1),
			op(bytecode.OpConst, 22, 0, 0, 6),
			op(bytecode.OpGo, 20, 0, 0, int64(sender)),
			receiveAll(elem, 6),
			ret,
		)...)
		log, e := a.run(main)
		if e.Kind != ExitMain {
			t.Fatalf("capacity %d: %s", capacity, e.Text)
		}
		wantLog(t, log, 123459)
	}
}

// Narrow elements must arrive extended, whichever way they take.
func TestNarrowElement(t *testing.T) {
	for _, capacity := range []int64{0, 2} {
		a := newAsm(t)
		elem, ch := a.typ(int8(0)), a.typ(make(chan int8))
		sender := a.sender(elem)
		main := a.fn("main.main", 0, code(
			op(bytecode.OpConst, 0, 0, 0, capacity),
			op(bytecode.OpMakechan, 8, 0, 0, int64(ch)),
			op(bytecode.OpMov, 20, 8, 0, 0),
			op(bytecode.OpConst, 21, 0, 0, -3),
			op(bytecode.OpConst, 22, 0, 0, 0),
			op(bytecode.OpGo, 20, 0, 0, int64(sender)),
			op(bytecode.OpConst, 5, 0, 0, 0),
			op(bytecode.OpRecv, 1, 8, 1, int64(elem)),
			op(bytecode.OpJf, 0, 2, 0, 11),
			op(bytecode.OpSub, 5, 5, 1, 0),
			op(bytecode.OpJmpback, 0, 0, 0, 7),
			note(5),
			ret,
		)...)
		log, e := a.run(main)
		if e.Kind != ExitMain {
			t.Fatal(e.Text)
		}
		wantLog(t, log, 6)
	}
}

func TestDeadlock(t *testing.T) {
	a := newAsm(t)
	elem, ch := a.typ(0), a.typ(make(chan int))
	blocked := a.fn("main.blocked", 1, op(bytecode.OpRecv, 1, 0, 0, int64(elem)), ret)
	main := a.fn("main.main", 0,
		op(bytecode.OpConst, 0, 0, 0, 0),
		op(bytecode.OpMakechan, 8, 0, 0, int64(ch)),
		op(bytecode.OpMov, 20, 8, 0, 0),
		op(bytecode.OpGo, 20, 0, 0, int64(blocked)),
		op(bytecode.OpConst, 8, 0, 0, 0),
		op(bytecode.OpSend, 0, 8, 0, int64(elem)),
		ret)
	_, e := a.run(main)
	if e.Kind != ExitFatal || e.Code != 2 {
		t.Errorf("kind %d code %d", e.Kind, e.Code)
	}
	wantText(t, e.Text, `fatal error: all goroutines are asleep - deadlock!

goroutine 1 [chan send (nil chan)]:
main.main()
	/src/main.go:6

goroutine 2 [chan receive]:
main.blocked(...)
	/src/main.go:1
created by main.main in goroutine 1
	/src/main.go:4
`)
}

// A select that can receive from two channels and send to a third.
func TestSelect(t *testing.T) {
	a := newAsm(t)
	elem, ch := a.typ(0), a.typ(make(chan int))
	sender := a.sender(elem)
	drain := a.fn("main.drain", 1,
		op(bytecode.OpRecv, 1, 0, 0, int64(elem)),
		op(bytecode.OpJmpback, 0, 0, 0, 0))
	sel := bytecode.Select{Blocking: true, RecvOk: 5, Index: 4, Cases: []bytecode.Case{
		{Chan: 8, Value: 6, Elem: elem},
		{Chan: 9, Value: 6, Elem: elem},
		{Send: true, Chan: 10, Value: 7, Elem: elem},
	}}
	main := a.fn("main.main", 0, code(
		op(bytecode.OpConst, 0, 0, 0, 0),
		op(bytecode.OpMakechan, 8, 0, 0, int64(ch)),
		op(bytecode.OpMakechan, 9, 0, 0, int64(ch)),
		op(bytecode.OpMakechan, 10, 0, 0, int64(ch)),
		op(bytecode.OpMov, 20, 8, 0, 0),
		op(bytecode.OpConst, 21, 0, 0, 1),
		op(bytecode.OpConst, 22, 0, 0, 4),
		op(bytecode.OpGo, 20, 0, 0, int64(sender)),
		op(bytecode.OpMov, 20, 9, 0, 0),
		op(bytecode.OpGo, 20, 0, 0, int64(sender)),
		op(bytecode.OpMov, 20, 10, 0, 0),
		op(bytecode.OpGo, 20, 0, 0, int64(drain)),
		op(bytecode.OpConst, 1, 0, 0, 0), // sum of what was received
		op(bytecode.OpConst, 2, 0, 0, 0), // sends
		op(bytecode.OpConst, 7, 0, 0, 0),
		op(bytecode.OpSelect, 0, 0, 0, 0), // 15
		op(bytecode.OpJeqi, 0, 4, 0, bytecode.Pack(2, 21)),
		op(bytecode.OpJf, 0, 5, 0, 23),
		op(bytecode.OpAdd, 1, 1, 6, 0),
		op(bytecode.OpJmpback, 0, 0, 0, 15),
		op(bytecode.OpNop, 0, 0, 0, 0),
		op(bytecode.OpAddi, 2, 2, 0, 1), // 21
		op(bytecode.OpJmpback, 0, 0, 0, 15),
		op(bytecode.OpConst, 3, 0, 0, 0), // 23: a channel was closed: forget it
		op(bytecode.OpJeqi, 0, 4, 0, bytecode.Pack(1, 27)),
		op(bytecode.OpMov, 8, 3, 0, 0),
		op(bytecode.OpJmp, 0, 0, 0, 28),
		op(bytecode.OpMov, 9, 3, 0, 0), // 27
		op(bytecode.OpAdd, 3, 8, 9, 0), // 28
		op(bytecode.OpJnei, 0, 3, 0, bytecode.Pack(0, 15)),
		op(bytecode.OpStg64, 0, 1, 0, logPtr),
		ret,
	)...)
	a.prog.Funcs[main].Selects = []bytecode.Select{sel}
	log, e := a.run(main)
	if e.Kind != ExitMain {
		t.Fatal(e.Text)
	}
	wantLog(t, log, 2*(1+2+3))
}

// Many goroutines blocked on one channel are woken in order, fast.
func TestManyWaiters(t *testing.T) {
	const n = 100_000
	a := newAsm(t)
	elem, ch := a.typ(0), a.typ(make(chan int))
	waiter := a.fn("main.waiter", 1, code(
		op(bytecode.OpRecv, 1, 0, 0, int64(elem)),
		op(bytecode.OpLdg64, 30, 0, 0, logPtr),
		op(bytecode.OpJne, 0, 30, 1, 5), // else out of order
		op(bytecode.OpAddi, 30, 30, 0, 1),
		op(bytecode.OpStg64, 0, 30, 0, logPtr),
		ret)...)
	main := a.fn("main.main", 0, code(
		op(bytecode.OpConst, 0, 0, 0, 0),
		op(bytecode.OpMakechan, 8, 0, 0, int64(ch)),
		op(bytecode.OpConst, 1, 0, 0, 0),
		op(bytecode.OpConst, 2, 0, 0, n),
		op(bytecode.OpMov, 20, 8, 0, 0), // 4
		op(bytecode.OpGo, 20, 0, 0, int64(waiter)),
		op(bytecode.OpAddi, 1, 1, 0, 1),
		op(bytecode.OpJltback, 0, 1, 2, 4),
		op(bytecode.OpConst, 1, 0, 0, 0),
		op(bytecode.OpSend, 0, 8, 1, int64(elem)), // 9
		op(bytecode.OpAddi, 1, 1, 0, 1),
		op(bytecode.OpJltback, 0, 1, 2, 9),
		op(bytecode.OpLdg64, 3, 0, 0, logPtr), // 12
		op(bytecode.OpJneback, 0, 3, 2, 12),
		ret)...)
	log, e := a.run(main)
	if e.Kind != ExitMain {
		t.Fatal(e.Text)
	}
	wantLog(t, log, n)
}

// Different seeds give different schedules, one seed always the same.
func TestSeed(t *testing.T) {
	logs := map[int]bool{}
	for seed := range uint64(20) {
		var logSeen int
		for range 2 {
			a := newAsm(t)
			elem, ch := a.typ(0), a.typ(make(chan int))
			one := a.fn("main.one", 2, op(bytecode.OpSend, 0, 0, 1, int64(elem)), ret)
			main := a.fn("main.main", 0, code(
				op(bytecode.OpConst, 0, 0, 0, 0),
				op(bytecode.OpMakechan, 8, 0, 0, int64(ch)),
				op(bytecode.OpMov, 20, 8, 0, 0),
				op(bytecode.OpConst, 21, 0, 0, 1),
				op(bytecode.OpGo, 20, 0, 0, int64(one)),
				op(bytecode.OpConst, 21, 0, 0, 2),
				op(bytecode.OpGo, 20, 0, 0, int64(one)),
				op(bytecode.OpConst, 21, 0, 0, 3),
				op(bytecode.OpGo, 20, 0, 0, int64(one)),
				op(bytecode.OpRecv, 1, 8, 0, int64(elem)), note(1),
				op(bytecode.OpRecv, 1, 8, 0, int64(elem)), note(1),
				op(bytecode.OpRecv, 1, 8, 0, int64(elem)), note(1),
				ret)...)
			m := a.machine(main, Options{Seed: seed})
			if e := m.Run(); e.Kind != ExitMain {
				t.Fatal(e.Text)
			}
			log := logOf(m)
			if logSeen != 0 && log != logSeen {
				t.Errorf("seed %d: %d and %d", seed, logSeen, log)
			}
			if logSeen = log; seed == 0 && log != 123 {
				t.Errorf("without seed: %d, want 123", log)
			}
		}
		logs[logSeen] = true
	}
	if len(logs) < 4 {
		t.Errorf("20 seeds gave %d schedules", len(logs))
	}
}
