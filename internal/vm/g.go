package vm

import (
	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// What a driver can see of a goroutine.

// Depth is how many frames a goroutine has, 0 if it has nothing left to execute.
func (g *G) Depth() int { return g.depth }

// Frames are its frames, the outermost first. They must not be changed.
func (g *G) Frames() []Frame { return g.frames[:g.depth] }

// Top is its innermost frame: that of the native before which it was stopped or in
// which it waits, or of the function whose instruction it is about to execute.
func (g *G) Top() *Frame { return &g.frames[g.depth-1] }

// Words are the registers of a frame, and what follows.
func (g *G) Words(fr *Frame) []uint64 { return g.stack[fr.base:] }

// Func is the number of a frame's function.
func (fr *Frame) Func() int32 { return fr.fn }

// PC is the instruction that is being executed; of a suspended frame, its call.
func (fr *Frame) PC() int32 { return fr.pc }

// Skip goes on behind the instruction.
func (fr *Frame) Skip() { fr.pc++ }

// System reports whether a goroutine runs the callback of a timer or something else
// that programs do not count.
func (g *G) System() bool { return g.system }

// Runnable, Waiting and Dead tell what a goroutine is doing. Status is the same as
// a number.
func (g *G) Runnable() bool { return g.status == gRunnable }

// Waiting reports whether it cannot go on until something else happens.
func (g *G) Waiting() bool { return g.status == gWaiting }

// Dead reports whether it has ended.
func (g *G) Dead() bool { return g.status == gDead }

// Status tells these apart.
func (g *G) Status() uint8 { return uint8(g.status) }

// Wait says why a goroutine waits, when it does.
func (g *G) Wait() *Wait { return &g.wait }

// Parked reports whether it is a native that waits or has waited.
func (w *Wait) Parked() bool { return w.parked != 0 }

// Woken reports whether the wait is over and the native that waited does not know yet.
func (w *Wait) Woken() bool { return w.woken }

// Completed reports whether another goroutine has done the channel operation before
// which g stands, or one of its cases.
func (g *G) Completed() bool { return g.chosen != 0 }

// HasCases reports whether g was stopped in a channel operation of a native.
func (g *G) HasCases() bool { return g.cases != nil }

// NoWait reports whether that operation need not wait.
func (g *G) NoWait() bool { return g.noWait }

// Panicking reports whether a panic, or a Goexit, is in progress.
func (g *G) Panicking() bool { return len(g.panics) > 0 }

// AtEnd is what those wait on who wait for the end of g, 0 for nobody.
func (g *G) AtEnd() mem.Ptr { return g.atEnd }

// Instr is the instruction before which g stands, nil if it stands before a native.
func (m *Machine) Instr(g *G) *bytecode.Instr {
	fr := &g.frames[g.depth-1]
	f := &m.funcs[fr.fn]
	if f.code == nil {
		return nil
	}
	return &f.f.Code[fr.pc]
}

// Result is the first word of what the function of an ended goroutine has returned.
func (g *G) Result() uint64 { return g.stack[0] }
