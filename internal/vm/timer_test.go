package vm

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// sleep is func(d): sleeps until the clock has moved by d.
func (a *asm) sleep() int {
	return a.native("time.Sleep", 1, 0, func(c *NativeCall) Outcome {
		if c.Resumed("sleep") {
			return Done
		}
		c.Park("sleep", 0, c.M.Now()+int64(c.Int(0)))
		return Again
	})
}

func TestSleep(t *testing.T) {
	a := newAsm(t)
	sleep := a.sleep()
	f := a.fn("main.f", 2, code(
		op(bytecode.OpMov, 20, 0, 0, 0), call(sleep),
		note(1),
		op(bytecode.OpMov, 20, 0, 0, 0), call(sleep),
		note(1), ret)...)
	start := func(d, digit int64) []bytecode.Instr {
		return code(
			op(bytecode.OpConst, 20, 0, 0, d),
			op(bytecode.OpConst, 21, 0, 0, digit),
			op(bytecode.OpGo, 20, 0, 0, int64(f)))
	}
	main := a.fn("main.main", 0, code(
		start(30e9, 1), start(20e9, 2), start(50e9, 3),
		op(bytecode.OpConst, 20, 0, 0, 70e9), call(sleep), noteConst(9), ret)...)
	log, e := a.run(main)
	if e.Kind != ExitMain {
		t.Fatal(e.Text)
	}
	wantLog(t, log, 212319) // at 20, 30, 40, 50, 60
}

// timerNatives: newTimer(ch, when, period, f) *timer, stop(timer) bool.
func (a *asm) timerNatives() (newTimer, stop, reset int) {
	newTimer = a.native("time.newTimer", 4, 1, func(c *NativeCall) Outcome {
		p := c.M.NewTimer(c.Ptr(0), true)
		c.M.SetTimer(p, c.M.Now()+int64(c.Int(1)), int64(c.Int(2)), c.Ptr(3), 0, c.Ptr(0), 0)
		c.SetPtr(0, p)
		return Done
	})
	stop = a.native("time.stopTimer", 1, 1, func(c *NativeCall) Outcome {
		c.SetBool(0, c.M.StopTimer(c.Ptr(0)))
		return Done
	})
	reset = a.native("time.resetTimer", 2, 1, func(c *NativeCall) Outcome {
		c.SetBool(0, c.M.ResetTimer(c.Ptr(0), c.M.Now()+int64(c.Int(1)), 0))
		return Done
	})
	return
}

// sendTime is the callback of channel timers: it sends the delay, without waiting.
func (a *asm) sendTime() int64 {
	elem := a.typ(0)
	f := a.fn("time.sendTime", 4, op(bytecode.OpSelect, 0, 0, 0, 0), ret)
	a.prog.Funcs[f].Selects = []bytecode.Select{{RecvOk: -1, Index: 5, Cases: []bytecode.Case{
		{Send: true, Chan: 1, Value: 3, Elem: elem},
	}}}
	return int64(bytecode.StaticPtr(bytecode.ObjFuncs, uint32(f)*8))
}

func TestChannelTimer(t *testing.T) {
	a := newAsm(t)
	elem, ch := a.typ(0), a.typ(make(chan int))
	sleep := a.sleep()
	newTimer, stop, reset := a.timerNatives()
	send := a.sendTime()
	main := a.fn("main.main", 0, code(
		op(bytecode.OpConst, 0, 0, 0, 1),
		op(bytecode.OpMakechan, 8, 0, 0, int64(ch)),
		op(bytecode.OpMov, 20, 8, 0, 0),
		op(bytecode.OpConst, 21, 0, 0, 10e9),
		op(bytecode.OpConst, 22, 0, 0, 0),
		op(bytecode.OpConst, 23, 0, 0, send),
		call(newTimer), op(bytecode.OpMov, 9, 20, 0, 0),
		// it fires when somebody waits
		op(bytecode.OpRecv, 1, 8, 0, int64(elem)), noteConst(1),
		// stopping it then finds nothing
		op(bytecode.OpMov, 20, 9, 0, 0), call(stop), note(20),
		// once more, and stop after its time, not received: nothing stale
		op(bytecode.OpMov, 20, 9, 0, 0), op(bytecode.OpConst, 21, 0, 0, 10e9), call(reset), note(20),
		op(bytecode.OpConst, 20, 0, 0, 20e9), call(sleep),
		op(bytecode.OpChanlen, 20, 8, 0, 0), note(20),
		op(bytecode.OpMov, 20, 9, 0, 0), call(stop), note(20),
		// once more: received late
		op(bytecode.OpMov, 20, 9, 0, 0), op(bytecode.OpConst, 21, 0, 0, 10e9), call(reset),
		op(bytecode.OpConst, 20, 0, 0, 20e9), call(sleep),
		op(bytecode.OpRecv, 1, 8, 0, int64(elem)),
		op(bytecode.OpConst, 2, 0, 0, 1e9),
		op(bytecode.OpDiv, 1, 1, 2, 0), // seconds late
		op(bytecode.OpStg64, 0, 1, 0, int64(bytecode.StaticPtr(bytecode.GlobalBase+1, 0))),
		// a stopped timer is no reason to wait: deadlock
		op(bytecode.OpRecv, 1, 8, 0, int64(elem)),
		ret)...)
	a.prog.Globals = append(a.prog.Globals, bytecode.Global{Name: "main.late", Type: elem})
	m := a.machine(main, Options{})
	e := m.Run()
	if e.Kind != ExitFatal {
		t.Errorf("ended with %+v, want a deadlock", e)
	}
	wantLog(t, logOf(m), 10001)
	if late, _ := m.Heap.Load64(mem.MakePtr(bytecode.GlobalBase+1, 0)); late != 10 {
		t.Errorf("received %d s late, want 10", late)
	}
}

func TestTicker(t *testing.T) {
	a := newAsm(t)
	elem, ch := a.typ(0), a.typ(make(chan int))
	newTimer, stop, _ := a.timerNatives()
	send := a.sendTime()
	tick := code(op(bytecode.OpRecv, 1, 8, 0, int64(elem)), noteConst(1))
	main := a.fn("main.main", 0, code(
		op(bytecode.OpConst, 0, 0, 0, 1),
		op(bytecode.OpMakechan, 8, 0, 0, int64(ch)),
		op(bytecode.OpMov, 20, 8, 0, 0),
		op(bytecode.OpConst, 21, 0, 0, 10e9),
		op(bytecode.OpConst, 22, 0, 0, 10e9),
		op(bytecode.OpConst, 23, 0, 0, send),
		call(newTimer), op(bytecode.OpMov, 9, 20, 0, 0),
		tick, tick, tick,
		op(bytecode.OpMov, 20, 9, 0, 0), call(stop), note(20),
		ret)...)
	m := a.machine(main, Options{})
	if e := m.Run(); e.Kind != ExitMain {
		t.Fatal(e.Text)
	}
	wantLog(t, logOf(m), 1111)
	if s := m.Now() / 1e9; s != 30 {
		t.Errorf("the clock is at %d s, want 30", s)
	}
}

// Wake wakes in order of arrival, and the clock wakes those who are tired of
// waiting.
func TestParkAndWake(t *testing.T) {
	a := newAsm(t)
	const key = mem.Ptr(bytecode.GlobalBase << 32)
	wait := a.native("main.wait", 1, 1, func(c *NativeCall) Outcome {
		if c.Resumed("semacquire") {
			c.SetBool(0, c.M.Now() >= 5e9)
			return Done
		}
		wake := int64(0)
		if c.Int(0) != 0 {
			wake = int64(c.Int(0))
		}
		c.Park("semacquire", key, wake)
		return Again
	})
	wake := a.native("main.wake", 1, 1, func(c *NativeCall) Outcome {
		c.SetInt(0, c.M.Wake(key, c.Int(0)))
		return Done
	})
	yielder := a.native("main.yield", 0, 0, func(c *NativeCall) Outcome { return Yield })
	f := a.fn("main.f", 2, code(
		op(bytecode.OpMov, 20, 0, 0, 0), call(wait), op(bytecode.OpMov, 2, 20, 0, 0), note(1), note(2), ret)...)
	start := func(d, digit int64) []bytecode.Instr {
		return code(op(bytecode.OpConst, 20, 0, 0, d), op(bytecode.OpConst, 21, 0, 0, digit), op(bytecode.OpGo, 20, 0, 0, int64(f)))
	}
	main := a.fn("main.main", 0, code(
		start(0, 1), start(0, 2), start(5e9, 3), start(0, 4), call(yielder),
		op(bytecode.OpConst, 20, 0, 0, 2), call(wake), note(20), call(yielder),
		op(bytecode.OpConst, 20, 0, 0, 6e9), call(wait), // the third, then main itself
		op(bytecode.OpConst, 20, 0, 0, -1), call(wake), note(20), call(yielder), ret)...)
	log, e := a.run(main)
	if e.Kind != ExitMain {
		t.Fatal(e.Text)
	}
	wantLog(t, log, 2_10_20_31_1_41)
}
