package compile

import "github.com/heddle-mc/heddle/internal/bytecode"

// A goroutine may stop behind an instruction: when another one has completed its
// send, receive or select, or when an intrinsic yields. So what is live behind
// those instructions must be known too.

// resumes says whether a goroutine may stop behind an instruction.
func (e *emitter) resumes(i *ins) bool {
	switch i.op {
	case bytecode.OpSend, bytecode.OpRecv, bytecode.OpSelect, bytecode.OpCallc, bytecode.OpCalli:
		return true
	case bytecode.OpCall:
		fn := e.g.c.jobs[i.imm].fn
		return fn != nil && e.g.c.native(fn) != ""
	}
	return false
}

// pad separates a place where a goroutine may stop, at the end of the code so
// far, from a call that would follow: a call's register map is about what lives
// across it, which does not include its arguments.
func (e *emitter) pad(i *ins) {
	if e.resumeAt == int32(len(e.out.Code)) && i.op < bytecode.NumOps && bytecode.Ops[i.op].Flags&bytecode.Call != 0 {
		e.put(bytecode.Instr{Op: bytecode.OpNop})
	}
}
