package certcheck

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
)

// The result of a part can be examined in another process, so it has a form as
// bytes. Equal results have equal bytes: that is how a result is compared with what
// somebody else made of the same part.
//
//	number, states, transitions, depth     numbers, as varints
//	findings                               length and JSON
//	sums                                   4 of 4 bytes
//	states found, states on the way        each how many, then the number of each, less
//	                                       that of the one before, and 16 bytes
//	strangers                              how many, and of each 16 bytes, its factors (4
//	                                       bytes) and the number that its own is below

// A foundText is a finding as JSON.
type foundText struct {
	Kind    string   `json:"kind"`
	Message string   `json:"message"`
	Pos     diag.Pos `json:"pos"`
	Path    []byte   `json:"path"`
}

// Append appends a result as bytes.
func (r *PartResult) Append(dst []byte) []byte {
	for _, n := range []uint64{uint64(r.Number), uint64(r.Counts.States), r.Counts.Transitions, uint64(r.Counts.Depth)} {
		dst = binary.AppendUvarint(dst, n)
	}
	list := []foundText{}
	for _, f := range r.Findings {
		list = append(list, foundText{f.Kind, f.Message, f.Pos, f.Path.AppendBinary(nil)})
	}
	text, _ := json.Marshal(list) // texts and numbers can be written
	dst = binary.AppendUvarint(dst, uint64(len(text)))
	dst = append(dst, text...)
	for _, x := range []uint32{r.sums.Blocks, r.sums.Fresh, r.sums.Seen, r.sums.States} {
		dst = binary.LittleEndian.AppendUint32(dst, x)
	}
	for _, list := range [][]numbered{r.own, r.way} {
		dst = binary.AppendUvarint(dst, uint64(len(list)))
		last := uint32(0)
		for _, s := range list {
			dst = binary.AppendUvarint(dst, uint64(s.state-last))
			dst = s.print.append(dst)
			last = s.state
		}
	}
	dst = binary.AppendUvarint(dst, uint64(len(r.far)))
	for _, s := range r.far {
		dst = binary.LittleEndian.AppendUint32(s.print.append(dst), s.factors)
		dst = binary.AppendUvarint(dst, uint64(s.before))
	}
	return dst
}

func (f fingerprint) append(dst []byte) []byte {
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(dst, f.hi), f.lo)
}

// ReadPartResult reads what Append has written. No state has a higher number than
// states: whoever sent the bytes is not believed to be honest.
func ReadPartResult(data []byte, states uint32) (*PartResult, error) {
	damaged := func(what string) (*PartResult, error) {
		return nil, fmt.Errorf("the result of a part is damaged: %s", what)
	}
	var numbers [5]uint64
	for i := range numbers {
		n, size := binary.Uvarint(data)
		if size <= 0 {
			return damaged("its numbers")
		}
		numbers[i], data = n, data[size:]
	}
	if numbers[0] > math.MaxInt32 || numbers[1] > math.MaxUint32 || numbers[3] > math.MaxUint32 || numbers[4] > uint64(len(data)) {
		return damaged("its numbers")
	}
	r := &PartResult{Number: int(numbers[0]), Counts: cert.Counts{States: uint32(numbers[1]), Transitions: numbers[2], Depth: uint32(numbers[3])}}
	var list []foundText
	if err := json.Unmarshal(data[:numbers[4]], &list); err != nil || len(list) > maxFindings {
		return damaged("its findings")
	}
	for _, f := range list {
		path, rest, err := lts.CutPath(f.Path)
		if err != nil || len(rest) > 0 {
			return damaged("the way to a finding")
		}
		r.Findings = append(r.Findings, Found{diag.Finding{Kind: f.Kind, Message: f.Message, Pos: f.Pos}, path})
	}
	data = data[numbers[4]:]
	cut := resultCutter{data: data, states: uint64(states)}
	for _, x := range []*uint32{&r.sums.Blocks, &r.sums.Fresh, &r.sums.Seen, &r.sums.States} {
		*x = cut.word()
	}
	r.own, r.way, r.far = cut.list(), cut.list(), cut.strangers()
	if cut.bad || len(cut.data) > 0 {
		return damaged("its states")
	}
	return r, nil
}

// A resultCutter cuts what Append has written about states.
type resultCutter struct {
	data   []byte
	states uint64
	bad    bool
}

func (c *resultCutter) bytes(n int) []byte {
	if n > len(c.data) {
		c.bad = true
		return make([]byte, n)
	}
	b := c.data[:n]
	c.data = c.data[n:]
	return b
}

func (c *resultCutter) word() uint32 { return binary.LittleEndian.Uint32(c.bytes(4)) }

// number cuts a number of at most some size.
func (c *resultCutter) number(limit uint64) uint64 {
	x, n := binary.Uvarint(c.data)
	if n <= 0 || x > limit {
		c.bad = true
		return 0
	}
	c.data = c.data[n:]
	return x
}

func (c *resultCutter) print() fingerprint {
	b := c.bytes(16)
	f := fingerprint{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])}
	c.bad = c.bad || f == fingerprint{}
	return f
}

// list cuts states in the order of their numbers.
func (c *resultCutter) list() (list []numbered) {
	state := uint64(0)
	for n := c.number(uint64(len(c.data) / 17)); n > 0 && !c.bad; n-- {
		by := c.number(c.states - state)
		state += by
		c.bad = c.bad || by == 0
		list = append(list, numbered{c.print(), uint32(state)})
	}
	return list
}

func (c *resultCutter) strangers() (list []stranger) {
	for n := c.number(uint64(len(c.data) / 21)); n > 0 && !c.bad; n-- {
		list = append(list, stranger{c.print(), c.word(), uint32(c.number(c.states + 1))})
	}
	return list
}

// Accounts looks whether a result without findings tells of the states of a part, and
// of nothing else. Whoever gives fingerprints of all of them can be caught by those who
// come to the same states; who leaves some out could not.
func (r *PartResult) Accounts(p *cert.Part, trustful bool) error {
	want := PartResult{Number: p.Number}
	depth := p.Base + len(p.Way) - 1
	want.Counts.Depth = uint32(depth)
	first := p.Starts()
	if first {
		want.Counts.States++
	}
	note := func(list *[]numbered, state uint32) {
		if !trustful {
			*list = append(*list, numbered{state: state})
		}
	}
	for _, w := range p.Way {
		if first {
			note(&want.own, w.State)
		} else {
			note(&want.way, w.State)
		}
	}
	for s := p.Events(); ; {
		e, err := s.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if e.Op != cert.Fresh {
			depth--
			continue
		}
		depth++
		want.Counts.States++
		want.Counts.Transitions++
		want.Counts.Depth = max(want.Counts.Depth, uint32(max(depth, 0)))
		note(&want.own, e.State)
	}
	if r.Number != want.Number || r.Counts.States != want.Counts.States || r.Counts.Depth != want.Counts.Depth {
		return fmt.Errorf("it tells of %d states of part %d, which is not what part %d has: %d",
			r.Counts.States, r.Number, p.Number, want.Counts.States)
	}
	if r.Counts.Transitions < want.Counts.Transitions {
		return fmt.Errorf("it tells of %d transitions of part %d, which has at least %d", r.Counts.Transitions, p.Number, want.Counts.Transitions)
	}
	same := func(a, b numbered) bool { return a.state == b.state }
	if !slices.EqualFunc(r.own, want.own, same) || !slices.EqualFunc(r.way, want.way, same) {
		return fmt.Errorf("it has fingerprints of %d states and of %d on the way, which are not the %d and %d of part %d",
			len(r.own), len(r.way), len(want.own), len(want.way), p.Number)
	}
	return nil
}

// Knows reports whether a part has one of some states, or has it on its way.
func Knows(p *cert.Part, states []uint32) bool {
	for _, w := range p.Way {
		if slices.Contains(states, w.State) {
			return true
		}
	}
	for s := p.Events(); ; {
		e, err := s.Next()
		if err != nil {
			return false
		}
		if e.Op == cert.Fresh && slices.Contains(states, e.State) {
			return true
		}
	}
}
