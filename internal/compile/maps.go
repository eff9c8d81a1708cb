package compile

import (
	"encoding/binary"
	"go/token"
	"math/bits"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// mapsOf walks a block backwards and notes which words of the frame are live at
// its safepoints.
func (e *emitter) mapsOf(b *block, ends []termPC) {
	g := e.g
	size := (int(g.al.frame) + 63) / 64
	if len(e.live) < size {
		e.live, e.ptrs = make([]uint64, size), make([]uint64, size)
	}
	for _, t := range ends {
		if t.to != nil {
			e.setLive(t.to.in)
			e.point(t.pc)
		}
	}
	e.setLive(b.out)
	for _, r := range [2]reg{b.term.b, b.term.c} {
		if r.ok() {
			e.use(ref{r, 1})
		}
	}
	for _, t := range ends {
		if t.to == nil {
			e.point(t.pc)
		}
	}
	lv := &g.lv
	for k := len(b.ins) - 1; k >= 0; k-- {
		i := &b.ins[k]
		if i.op == opEntry {
			break
		}
		if pc := e.pcs[k]; pc >= 0 && e.resumes(i) && !e.hasPoint(pc+1) {
			e.point(pc + 1)
		}
		lv.uses, lv.defs = i.refs(lv.uses[:0], lv.defs[:0])
		for _, d := range lv.defs {
			if !g.always(b, k, d.reg) {
				e.kill(d)
			}
		}
		var f bytecode.Flag
		if i.op < bytecode.NumOps {
			f = bytecode.Ops[i.op].Flags
		}
		pc := e.pcs[k]
		if pc >= 0 && f&bytecode.Call != 0 {
			e.point(pc)
		}
		for _, u := range lv.uses {
			e.use(u)
		}
		if pc >= 0 && (f&bytecode.Point != 0 && f&bytecode.Call == 0 || f&bytecode.Memory != 0 && g.c.opts.AccessPoints) {
			e.point(pc)
		}
	}
	if (b == g.entry || b == g.recover || b.target) && !e.hasPoint(b.pc) {
		e.point(b.pc)
	}
}

// hasPoint says whether the safepoint noted last is at pc.
func (e *emitter) hasPoint(pc int32) bool {
	for i := len(e.points) - 1; i >= 0 && i >= len(e.points)-3; i-- {
		if e.points[i].PC == pc {
			return true
		}
	}
	return false
}

// setLive makes the registers of a set of global words live, and no others.
func (e *emitter) setLive(set []uint64) {
	clear(e.live)
	clear(e.ptrs)
	g := e.g
	for w := range set {
		for rest := set[w]; rest != 0; rest &= rest - 1 {
			bit := int32(w*64 + bits.TrailingZeros64(rest))
			v := g.owner(bit)
			e.use(ref{reg{v + 1, bit - g.vregs[v].bit}, 1})
		}
	}
}

func (e *emitter) use(r ref) {
	v := &e.g.vregs[r.v-1]
	for w := r.w; w < r.w+r.words; w++ {
		s := v.slot + w
		e.live[s>>6] |= 1 << (s & 63)
		if v.ptr(w) {
			e.ptrs[s>>6] |= 1 << (s & 63)
		} else {
			e.ptrs[s>>6] &^= 1 << (s & 63)
		}
	}
}

func (e *emitter) kill(r ref) {
	v := &e.g.vregs[r.v-1]
	for w := r.w; w < r.w+r.words; w++ {
		s := v.slot + w
		e.live[s>>6] &^= 1 << (s & 63)
		e.ptrs[s>>6] &^= 1 << (s & 63)
	}
}

// point notes a safepoint with the current map.
func (e *emitter) point(pc int32) {
	e.key = e.key[:0]
	size := (int(e.g.al.frame) + 63) / 64
	for w := range size {
		e.key = binary.LittleEndian.AppendUint64(e.key, e.live[w])
		e.key = binary.LittleEndian.AppendUint64(e.key, e.ptrs[w])
	}
	m, ok := e.maps[string(e.key)]
	if !ok {
		m = int32(len(e.out.Maps))
		e.maps[string(e.key)] = m
		both := make([]uint64, 2*size)
		copy(both, e.live[:size])
		copy(both[size:], e.ptrs[:size])
		e.out.Maps = append(e.out.Maps, bytecode.Map{Live: both[:size:size], Ptrs: both[size:]})
	}
	e.points = append(e.points, bytecode.Safepoint{PC: pc, Map: m})
}

// line notes the source position of the next instruction.
func (e *emitter) line(pos token.Pos) {
	if !pos.IsValid() || pos == e.g.lastPos && len(e.out.Code) > 0 {
		return
	}
	e.g.lastPos = pos
	l, ok := e.g.c.line(pos)
	if !ok {
		return
	}
	l.PC = int32(len(e.out.Code))
	if n := len(e.out.Lines); n > 0 {
		last := &e.out.Lines[n-1]
		if last.File == l.File && last.Line == l.Line && last.Col == l.Col {
			return
		}
		if last.PC == l.PC {
			*last = l
			return
		}
	}
	e.out.Lines = append(e.out.Lines, l)
}
