package cert

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/zeebo/xxh3"
)

// A certificate may have the graph itself besides: fingerprints of states, where each
// transition leads to, and which functions were executed for it. Nobody needs it to
// certify. It is for checking a program again that has changed a little (package
// reuse): what does not execute anything that has changed is as it was.
//
// It is a list of records in the order of the search. Each begins with a number:
//
//	0  a new state: its fingerprint, 16 bytes; a set; and the set of functions that
//	   it is in the middle of
//	1  a set of functions, which gets the next number from 1 on: how many, and each
//	2  the end: a set, and 1 if the program has looked at files of the host
//	n  a transition from state n-2: the step, the state that it leads to, and a set
//
// A set has what was executed since the record before, set 0 nothing. The steps of a
// state are asked for after its record.

// A Fingerprint is what a state of the graph is recognised by.
type Fingerprint [16]byte

// FingerprintOf returns that of the current state of a system. The buffer is used.
func FingerprintOf(sys lts.System, buf *[]byte) Fingerprint {
	*buf = sys.AppendKey((*buf)[:0])
	return xxh3.Hash128(*buf).Bytes()
}

// A grapher writes the graph.
type grapher struct {
	w    *Writer
	buf  []byte // what is not written yet
	key  []byte
	list []uint32
	sets map[string]uint64
	last lts.System

	bytes int64 // written
}

// graphPiece is how many bytes are packed together.
const graphPiece = 1 << 20

func (g *grapher) state(sys lts.System) {
	set := g.set(sys)
	g.list = sys.(lts.Tracer).Standing(g.list[:0])
	standing := g.setOf()
	g.buf = append(g.buf, 0)
	f := FingerprintOf(sys, &g.key)
	g.buf = append(g.buf, f[:]...)
	g.number(set)
	g.number(standing)
}

func (g *grapher) step(sys lts.System, from uint32, s lts.Step, to uint32) {
	set := g.set(sys)
	g.number(uint64(from) + 2)
	g.number(uint64(s))
	g.number(uint64(to))
	g.number(set)
	if len(g.buf) >= graphPiece {
		g.flush()
	}
}

func (g *grapher) number(x uint64) { g.buf = binary.AppendUvarint(g.buf, x) }

// set returns the number of the set of functions that were executed.
func (g *grapher) set(sys lts.System) uint64 {
	g.last = sys
	g.list = sys.(lts.Tracer).Traced(g.list[:0])
	return g.setOf()
}

// setOf returns the number of the set of functions in the list.
func (g *grapher) setOf() uint64 {
	slices.Sort(g.list)
	if len(g.list) == 0 {
		return 0
	}
	key := make([]byte, 0, 4*len(g.list))
	for _, x := range g.list {
		key = binary.LittleEndian.AppendUint32(key, x)
	}
	n, ok := g.sets[string(key)]
	if !ok {
		n = uint64(len(g.sets) + 1)
		g.sets[string(key)] = n
		g.number(1)
		g.number(uint64(len(g.list)))
		for _, x := range g.list {
			g.number(uint64(x))
		}
	}
	return n
}

func (g *grapher) flush() {
	g.w.section(secGraph, pack(g.buf))
	g.bytes += int64(len(g.buf))
	g.w.room = max(g.w.room, g.bytes)
	g.buf = g.buf[:0]
}

func (g *grapher) end() {
	set := g.set(g.last)
	g.number(2)
	g.number(set)
	outside, ok := g.last.(interface{ Outside() bool })
	g.number(uint64(boolInt(ok && outside.Outside())))
	g.flush()
}

// A GraphReader is told the graph.
type GraphReader interface {
	// Set is called for each set before it is used, from number 1 on.
	Set(number int, functions []uint32)
	// State is called for each state, from number 1 on.
	State(number uint32, f Fingerprint, set, standing int)
	// Step is called for each transition.
	Step(from uint32, s lts.Step, to uint32, set int)
	// End is called at the end.
	End(set int, outside bool)
}

// HasGraph reports whether the certificate has the graph.
func (c *Reader) HasGraph() bool { return len(c.graph) > 0 }

// Graph tells the graph.
func (c *Reader) Graph(r GraphReader) error {
	var buf []byte
	g, m := graphCutter{r: r}, measure{c: c, what: "graph"}
	for _, s := range c.graph {
		var err error
		if s, buf, err = readSection(c.r, c.size, s.offset, buf); err != nil {
			return err
		}
		piece, err := m.unpack(s.payload(buf), 2*graphPiece+1<<22)
		if err != nil {
			return errAt(s.offset, "graph: %v", err)
		}
		if err := g.all(piece); err != nil {
			return errAt(s.offset, "graph: %v", err)
		}
	}
	if !g.ended {
		return fmt.Errorf("the graph has no end")
	}
	if g.states != c.Counts.States || g.steps != c.Counts.Transitions {
		return fmt.Errorf("the graph has %d states and %d transitions, and the script %d and %d", g.states, g.steps, c.Counts.States, c.Counts.Transitions)
	}
	return nil
}

// A graphCutter cuts records. A piece has whole ones.
type graphCutter struct {
	r      GraphReader
	states uint32
	steps  uint64
	sets   uint64
	ended  bool
	list   []uint32
}

func (g *graphCutter) all(data []byte) error {
	c := cutter{data}
	for len(c.data) > 0 {
		if g.ended {
			return fmt.Errorf("something follows its end")
		}
		switch tag := c.number(); tag {
		case 0:
			if len(c.data) < 16 {
				return fmt.Errorf("a fingerprint is cut off")
			}
			f := Fingerprint(c.data[:16])
			c.data = c.data[16:]
			g.states++
			set := g.set(&c)
			g.r.State(g.states, f, int(set), int(g.set(&c)))
		case 1:
			g.list = g.list[:0]
			for n := c.number(); n > 0 && c.data != nil; n-- {
				g.list = append(g.list, uint32(c.number()))
			}
			g.sets++
			g.r.Set(int(g.sets), g.list)
		case 2:
			set := g.set(&c)
			g.r.End(int(set), c.number() != 0)
			g.ended = true
		default:
			step, to, set := c.number(), c.number(), g.set(&c)
			// A new state has its record after the transition to it.
			if c.data == nil || tag-2 > uint64(g.states) || to == 0 || to > uint64(g.states)+1 || step > 1<<32-1 {
				return fmt.Errorf("a transition is damaged")
			}
			g.steps++
			g.r.Step(uint32(tag-2), lts.Step(step), uint32(to), int(set))
		}
		if c.data == nil {
			return fmt.Errorf("a record is cut off")
		}
	}
	return nil
}

// set cuts the number of a set that is there.
func (g *graphCutter) set(c *cutter) uint64 {
	n := c.number()
	if n > g.sets {
		c.data = nil
		return 0
	}
	return n
}
