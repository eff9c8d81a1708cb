package vm

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// A mark before every slice: from each the program must end in the same way as
// often as it is run, and going back must give the state that was left. The
// program has goroutines that wait on channels, in a select, asleep and for a
// timer, so that all derived data are rebuilt.
func TestRewindEveryStep(t *testing.T) {
	for seed := range uint64(5) {
		a := newAsm(t)
		elem, ch := a.typ(0), a.typ(make(chan int))
		sleep := a.sleep()
		twice := a.fn("main.twice", 2, op(bytecode.OpSend, 0, 0, 1, int64(elem)), op(bytecode.OpSend, 0, 0, 1, int64(elem)), ret)
		newTimer, _, _ := a.timerNatives()
		send := a.sendTime()
		sleeper := a.fn("main.sleeper", 2, code(
			op(bytecode.OpMov, 20, 1, 0, 0), call(sleep),
			op(bytecode.OpSend, 0, 0, 1, int64(elem)), ret)...)
		main := a.fn("main.main", 0, code(
			op(bytecode.OpConst, 0, 0, 0, 1),
			op(bytecode.OpMakechan, 11, 0, 0, int64(ch)),
			op(bytecode.OpConst, 0, 0, 0, 0),
			op(bytecode.OpMakechan, 8, 0, 0, int64(ch)),
			op(bytecode.OpMakechan, 9, 0, 0, int64(ch)),
			op(bytecode.OpMov, 20, 11, 0, 0),
			op(bytecode.OpConst, 21, 0, 0, 10e9),
			op(bytecode.OpConst, 22, 0, 0, 10e9),
			op(bytecode.OpConst, 23, 0, 0, send),
			call(newTimer), op(bytecode.OpMov, 10, 20, 0, 0),
			op(bytecode.OpMov, 20, 8, 0, 0),
			op(bytecode.OpConst, 21, 0, 0, 1),
			op(bytecode.OpNop, 0, 0, 0, 0),
			op(bytecode.OpGo, 20, 0, 0, int64(twice)),
			op(bytecode.OpMov, 20, 9, 0, 0),
			op(bytecode.OpConst, 21, 0, 0, 35e9),
			op(bytecode.OpGo, 20, 0, 0, int64(sleeper)),
			op(bytecode.OpConst, 7, 0, 0, 0),
			op(bytecode.OpSelect, 0, 0, 0, 0), // 19
			op(bytecode.OpAddi, 4, 4, 0, 1),
			note(4), // which case, from 1
			op(bytecode.OpAddi, 7, 7, 0, 1),
			op(bytecode.OpJltiback, 0, 7, 0, bytecode.Pack(6, 19)),
			ret,
		)...)
		a.prog.Funcs[main].Selects = []bytecode.Select{{Blocking: true, RecvOk: 5, Index: 4, Cases: []bytecode.Case{
			{Chan: 8, Value: 6, Elem: elem},
			{Chan: 9, Value: 6, Elem: elem},
			{Chan: 11, Value: 6, Elem: elem},
		}}}
		m := a.machine(main, Options{Seed: seed})
		m.Start()
		want := 0
		for n := 0; m.exit == nil; n++ {
			k := m.Mark()
			key := m.Fingerprint()
			for range 2 {
				if e := m.Run(); e.Kind != ExitMain {
					t.Fatal(e.Text)
				}
				if want == 0 {
					want = logOf(m)
				}
				if got := logOf(m); got != want {
					t.Fatalf("seed %d, step %d: log is %d, want %d", seed, n, got, want)
				}
				m.Restore(k)
				if m.Fingerprint() != key {
					t.Fatalf("seed %d, step %d: another state after Restore", seed, n)
				}
			}
			m.step()
		}
		wantLog(t, logOf(m), want)
		if want != 113332 && seed == 0 {
			t.Errorf("cases %d, want 113332: both sends, ticks at 10, 20, 30 s, the sleeper at 35 s", want)
		}
	}
}
