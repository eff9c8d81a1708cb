package compile

import "github.com/heddle-mc/heddle/internal/bytecode"

// A move is one step of a parallel copy, in words of the frame.
type move struct {
	dst, src, words int32
	con             bool
	imm             int64
	done            bool
}

// copies writes a parallel copy as a sequence. A copy goes when no other one
// still has to read what it overwrites; if they wait for each other in a circle,
// one of them saves its source above the frame.
func (e *emitter) copies(list []pcopy) {
	moves := make([]move, 0, len(list))
	for i := range list {
		c := &list[i]
		m := move{dst: e.slot(c.dst.reg), words: c.dst.words, con: c.con, imm: c.imm}
		if !c.con {
			m.src = e.slot(c.src.reg)
			if m.src == m.dst {
				continue
			}
		}
		moves = append(moves, m)
	}
	used := int32(0)
	for left := len(moves); left > 0; {
		progress := false
		for i := range moves {
			m := &moves[i]
			if m.done || e.blocked(moves, i) {
				continue
			}
			if m.con {
				e.put(bytecode.Instr{Op: bytecode.OpConst, A: uint16(m.dst), Imm: m.imm})
			} else {
				e.move(m.dst, m.src, m.words)
			}
			m.done = true
			left--
			progress = true
		}
		if progress {
			continue
		}
		for i := range moves {
			if m := &moves[i]; !m.done && !m.con {
				spill := e.g.al.frame + used
				used += m.words
				e.move(spill, m.src, m.words)
				m.src = spill
				break
			}
		}
	}
	e.scratch = max(e.scratch, used)
}

// blocked says whether another copy still reads what copy i writes.
func (e *emitter) blocked(moves []move, i int) bool {
	m := &moves[i]
	for k := range moves {
		o := &moves[k]
		if k != i && !o.done && !o.con && o.src < m.dst+m.words && m.dst < o.src+o.words {
			return true
		}
	}
	return false
}
