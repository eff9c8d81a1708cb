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
//	notes                                  runs of states that follow each other: how many
//	                                       states lie between, how long, 16 bytes each

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
	var run []fingerprint
	var first, next uint32 // of the run, and after the one before it
	flush := func() {
		if len(run) == 0 {
			return
		}
		dst = binary.AppendUvarint(dst, uint64(first-next))
		dst = binary.AppendUvarint(dst, uint64(len(run)))
		for _, f := range run {
			dst = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(dst, f.hi), f.lo)
		}
		next = first + uint32(len(run))
		run = run[:0]
	}
	r.notes.all(func(state uint32, f fingerprint) bool {
		if len(run) > 0 && state != first+uint32(len(run)) {
			flush()
		}
		if len(run) == 0 {
			first = state
		}
		run = append(run, f)
		return true
	})
	flush()
	return dst
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
	for state := uint64(0); len(data) > 0; {
		gap, n := binary.Uvarint(data)
		if n <= 0 {
			return damaged("its states")
		}
		count, m := binary.Uvarint(data[n:])
		if m <= 0 || gap > math.MaxUint32 || count == 0 || count > uint64(len(data[n+m:])/16) {
			return damaged("its states")
		}
		data = data[n+m:]
		if state += gap; state+count > uint64(states)+1 {
			return damaged("it tells of a state that is not there")
		}
		for range count {
			f := fingerprint{binary.LittleEndian.Uint64(data), binary.LittleEndian.Uint64(data[8:])}
			if f == (fingerprint{}) {
				return damaged("a state without fingerprint")
			}
			r.notes.set(uint32(state), f)
			state++
			data = data[16:]
		}
	}
	return r, nil
}

// Accounts looks whether a result without findings tells of all states and
// transitions of a part, and of nothing else. Whoever gives fingerprints of all of
// them can be caught by those who know the same states; who leaves some out could not.
func (r *PartResult) Accounts(p *cert.Part, trustful bool) error {
	want := PartResult{Number: p.Number}
	depth := len(p.Way) - 1
	want.Counts.Depth = uint32(depth)
	if len(p.Way) == 1 && p.Way[0].Done == 0 {
		want.Counts.States++
	}
	note := func(state uint32) {
		if !trustful {
			want.notes.set(state, fingerprint{1, 1})
		}
	}
	for _, w := range p.Way {
		note(w.State)
	}
	for s := p.Events(); ; {
		e, err := s.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		switch {
		case e.Op == cert.Fresh:
			depth++
			want.Counts.States++
			want.Counts.Transitions++
			want.Counts.Depth = max(want.Counts.Depth, uint32(max(depth, 0)))
			note(e.State)
		case e.Op == cert.Seen && !trustful:
			want.Counts.Transitions++
			note(e.State)
		case e.Op == cert.Back || e.Op == cert.Skip:
			depth--
		}
	}
	if r.Number != want.Number || r.Counts != want.Counts {
		return fmt.Errorf("it tells of %d states and %d transitions of part %d, which is not what part %d has: %d and %d",
			r.Counts.States, r.Counts.Transitions, r.Number, p.Number, want.Counts.States, want.Counts.Transitions)
	}
	if g, w := r.states(), want.states(); !slices.Equal(g, w) {
		return fmt.Errorf("it has fingerprints of %d states, which are not the %d of part %d", len(g), len(w), p.Number)
	}
	return nil
}

// states returns the numbers of the states that are noted, in their order.
func (r *PartResult) states() []uint32 {
	var list []uint32
	r.notes.all(func(state uint32, _ fingerprint) bool {
		list = append(list, state)
		return true
	})
	return list
}

// Knows reports whether a part has one of some states.
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
		if (e.Op == cert.Fresh || e.Op == cert.Seen) && slices.Contains(states, e.State) {
			return true
		}
	}
}
