package certcheck

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// A story is what a search has seen.
type story struct {
	events []told
	start  cert.Choice // of the start
	reduce bool
	cert   []byte

	ids   map[string]uint32
	stack []string
}

type kind int

const (
	fresh kind = iota
	seen
	back
)

// A told is a transition or the way back.
type told struct {
	op     kind
	name   cert.Name
	state  uint32      // of seen
	choice cert.Choice // of the state that fresh leads to
}

func (s *story) clone() *story {
	return &story{events: slices.Clone(s.events), start: s.start, reduce: s.reduce}
}

// State and Step are those of an observer.
func (s *story) State(_ lts.System, digest []byte, _ int) {
	s.ids[string(digest)] = uint32(len(s.ids) + 1)
	s.stack = append(s.stack, string(digest))
}

// Follow is that of an observer, too.
func (s *story) Follow(sys lts.System, steps []lts.Step) {
	at := &s.start
	if n := len(s.events); n > 0 {
		at = &s.events[n-1].choice
	}
	switch n := len(sys.Enabled(nil)); {
	case n < 2:
		*at = cert.Either
	case n == len(steps):
		*at = cert.All
	}
}

func (s *story) Step(sys lts.System, from, to []byte, step lts.Step, l lts.Label) {
	for s.stack[len(s.stack)-1] != string(from) {
		s.stack = s.stack[:len(s.stack)-1]
		s.events = append(s.events, told{op: back})
	}
	e := told{op: seen, name: cert.MakeName(step, sys.(lts.Actors).Actor(step), cert.TextHash(cert.LabelText(sys, l))), state: s.ids[string(to)]}
	if e.state == 0 {
		e.op = fresh
	}
	s.events = append(s.events, e)
}

// bytes makes a certificate that is whole in every other respect. It reports
// false if the format itself cannot say such a thing.
func (s *story) bytes() ([]byte, bool) {
	var out bytes.Buffer
	w, _ := cert.NewWriter(&out, cert.Header{Kind: cert.Full, Reduce: s.reduce})
	w.Choose(s.start)
	for _, e := range s.events {
		var err error
		switch e.op {
		case fresh:
			err = w.Fresh(e.name)
			w.Choose(e.choice)
		case seen:
			err = w.Seen(e.name, e.state)
		case back:
			err = w.Back()
		}
		if err != nil {
			return nil, false
		}
	}
	if w.Close(nil) != nil {
		return nil, false
	}
	return out.Bytes(), true
}

// end returns the index of the event Back that ends the subtree of the event
// Fresh at i.
func (s *story) end(i int) int {
	depth := 0
	for ; i < len(s.events); i++ {
		switch s.events[i].op {
		case fresh:
			depth++
		case back:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(s.events) - 1
}

// A change is a way to tamper with an event. It reports false if it cannot be
// done there.
type change struct {
	name string
	do   func(s *story, i int, r *rand.Rand) bool
}

var changes = []change{
	{"another state", func(s *story, i int, r *rand.Rand) bool {
		if s.events[i].op != seen {
			return false
		}
		s.events[i].state = 1 + r.Uint32N(s.states(i))
		return true
	}},
	{"the state before", func(s *story, i int, _ *rand.Rand) bool {
		if s.events[i].op != seen || s.events[i].state == 1 {
			return false
		}
		s.events[i].state--
		return true
	}},
	{"seen becomes new", func(s *story, i int, _ *rand.Rand) bool {
		if s.events[i].op != seen {
			return false
		}
		s.shift(i, 1)
		s.events[i].op = fresh
		s.events = slices.Insert(s.events, i+1, told{op: back})
		return true
	}},
	{"new becomes seen", func(s *story, i int, r *rand.Rand) bool {
		if s.events[i].op != fresh {
			return false
		}
		to := s.cut(i+1, s.end(i)+1)
		s.shift(i, -1)
		s.events[i] = told{op: seen, name: s.events[i].name, state: 1 + r.Uint32N(to)}
		return true
	}},
	{"one is left out", func(s *story, i int, _ *rand.Rand) bool {
		if s.events[i].op != seen {
			return false
		}
		s.events = slices.Delete(s.events, i, i+1)
		return true
	}},
	{"a subtree is left out", func(s *story, i int, _ *rand.Rand) bool {
		if s.events[i].op != fresh {
			return false
		}
		s.cut(i, s.end(i)+1)
		return true
	}},
	{"back too early", func(s *story, i int, _ *rand.Rand) bool {
		if s.events[i].op != fresh || s.end(i) == i+1 {
			return false
		}
		s.cut(i+1, s.end(i))
		return true
	}},
	{"one is done twice", func(s *story, i int, _ *rand.Rand) bool {
		if s.events[i].op != seen {
			return false
		}
		s.events = slices.Insert(s.events, i, s.events[i])
		return true
	}},
	{"two change places", func(s *story, i int, _ *rand.Rand) bool {
		if i+1 >= len(s.events) || s.events[i].op != seen || s.events[i+1].op != seen {
			return false
		}
		s.events[i], s.events[i+1] = s.events[i+1], s.events[i]
		return true
	}},
	{"another name", func(s *story, i int, r *rand.Rand) bool {
		if s.events[i].op == back {
			return false
		}
		s.events[i].name += cert.Name(1 + r.IntN(1000))
		return true
	}},
	{"names change places", func(s *story, i int, r *rand.Rand) bool {
		j := r.IntN(len(s.events))
		if s.events[i].op == back || s.events[j].op == back || s.events[i].name == s.events[j].name {
			return false
		}
		s.events[i].name, s.events[j].name = s.events[j].name, s.events[i].name
		return true
	}},
	{"another choice", func(s *story, i int, _ *rand.Rand) bool {
		c := &s.events[i].choice
		if !s.reduce || s.events[i].op != fresh || *c == cert.Either {
			return false
		}
		*c = cert.All - *c // the other one
		return true
	}},
	{"nothing after", func(s *story, i int, _ *rand.Rand) bool {
		s.events = s.events[:i] // the writer goes back to the start
		return true
	}},
}

// states returns how many there are before an event.
func (s *story) states(i int) uint32 {
	n := uint32(1)
	for _, e := range s.events[:i] {
		if e.op == fresh {
			n++
		}
	}
	return n
}

// shift changes the numbers of states that are found after an event.
func (s *story) shift(i int, by int32) {
	from := s.states(i)
	for j := i; j < len(s.events); j++ {
		if e := &s.events[j]; e.op == seen && e.state > from {
			e.state += uint32(by)
		}
	}
}

// cut removes events with all that they have found, and returns how many states
// were found before.
func (s *story) cut(i, j int) uint32 {
	before, after := s.states(i), s.states(j)
	s.events = slices.Delete(s.events, i, j)
	for k := i; k < len(s.events); k++ {
		if e := &s.events[k]; e.op == seen && e.state > after {
			e.state -= after - before
		} else if e.op == seen && e.state > before {
			e.state = before // it is gone: some other one
		}
	}
	return before
}

// refuse examines a certificate and fails if one that is not the original is
// accepted. It returns why it was refused, or "" if it was not.
func refuse(t *testing.T, what string, m ltstest.Model, data []byte, original *story, o Options) Reason {
	c, err := cert.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return Reason(err.Error())
	}
	if c.Header.Kind != cert.Full || c.Header.Reduce != (original != nil && original.reduce) {
		return "other settings"
	}
	_, err = Check(c, maker(m), false, o)
	if _, ahead := Check(c, foreseeing(m), false, o); o.Workers < 2 && fmt.Sprint(ahead) != fmt.Sprint(err) || (ahead == nil) != (err == nil) {
		t.Errorf("%s: got %v by looking ahead, want %v", what, ahead, err)
	}
	var d *Deviation
	switch {
	case errors.As(err, &d):
		return d.Reason
	case err != nil:
		return Reason(err.Error())
	}
	if o := open(t, original.cert); c.Sums != o.Sums || c.Counts != o.Counts || !slices.Equal(unchosen(readAll(t, c)), unchosen(readAll(t, o))) {
		t.Errorf("%s: accepted, although it is another graph", what)
	}
	return ""
}

// unchosen returns events without choices: what is told of a state of which reduction
// keeps all steps makes no difference.
func unchosen(events []cert.Event) []cert.Event {
	for i := range events {
		events[i].Choice = 0
	}
	return events
}

// A victim is a system whose certificates are tampered with.
type victim struct {
	ltstest.Model
	reduce bool
}

var victims = map[string]victim{
	"jugs":         {withoutFaults(ltstest.Jugs()), false},
	"philosophers": {ltstest.Philosophers(4, true), false},
	"mutex":        {ltstest.Mutex(4, true), false},
	"grid":         {ltstest.Grid(3, 3), false},
	"reduced":      {halfReduced.Model(), true},
}

// halfReduced is a program of which reduction keeps all steps in some states and not in
// others: threads have some operations on a variable of their own, and then both use
// another one.
var halfReduced = ltstest.Program{
	{{Kind: ltstest.OpWrite, Object: 0, Value: 1}, {Kind: ltstest.OpWrite, Object: 2, Value: 1}, {Kind: ltstest.OpWrite, Object: 0, Value: 2}, {Kind: ltstest.OpWrite, Object: 2, Value: 0}},
	{{Kind: ltstest.OpWrite, Object: 1, Value: 1}, {Kind: ltstest.OpWrite, Object: 2, Value: 2}, {Kind: ltstest.OpWrite, Object: 1, Value: 2}, {Kind: ltstest.OpWrite, Object: 2, Value: 1}},
	{{Kind: ltstest.OpLock, Object: 0}, {Kind: ltstest.OpWrite, Object: 2, Value: 1}, {Kind: ltstest.OpUnlock, Object: 0}},
}

func withoutFaults(m ltstest.Model) ltstest.Model {
	m.Wrong = nil
	return m
}

// withoutShortcuts returns a certificate without short ways. Its digest is wrong then.
func withoutShortcuts(data []byte) []byte {
	for at := bytes.IndexByte(data, '\n') + 1; at < len(data); {
		length, n := binary.Uvarint(data[at+1:])
		end := at + 1 + n + int(length) + 4
		if data[at] == 'W' {
			return slices.Concat(data[:at], data[end:])
		}
		at = end
	}
	return data
}

// withCopy returns a certificate with the copy of the script of another one.
func withCopy(data, other []byte) []byte {
	var section []byte
	for at := bytes.IndexByte(other, '\n') + 1; at < len(other); {
		length, n := binary.Uvarint(other[at+1:])
		end := at + 1 + n + int(length) + 4
		if other[at] == 'C' {
			section = other[at:end]
		}
		at = end
	}
	for at := bytes.IndexByte(data, '\n') + 1; ; {
		length, n := binary.Uvarint(data[at+1:])
		end := at + 1 + n + int(length) + 4
		if data[at] == 'C' {
			return cert.Mend(slices.Concat(data[:at], section, data[end:]))
		}
		at = end
	}
}

func take(t testing.TB, v victim) *story {
	s := &story{ids: map[string]uint32{}, reduce: v.reduce}
	if _, err := explore.Run(maker(v.Model), explore.Options{All: true, Reduce: v.reduce, Observer: s}); err != nil {
		t.Fatal(err)
	}
	s.cert, _ = s.bytes()
	if data, _ := record(t, v.Model, cert.Full, v.reduce); !bytes.Equal(cert.Mend(withoutShortcuts(data)), s.cert) {
		t.Fatal("the story of a search is not the one that its certificate tells")
	}
	return s
}

// TestCrafted tampers with each event of small certificates in each way that
// there is. Everything else about the files is in order.
func TestCrafted(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(victims)) {
		v, r := victims[name], rand.New(rand.NewPCG(1, 2))
		m, original := v.Model, take(t, v)
		reasons := map[string]map[Reason]int{}
		done := 0
		for i := range original.events {
			if i%testlong.Or(2, 1) != 0 {
				continue
			}
			for _, ch := range changes {
				s := original.clone()
				if !ch.do(s, i, r) {
					continue
				}
				data, ok := s.bytes()
				if !ok {
					continue
				}
				if i%6 == 0 { // only the copy that parts are cut from is another one
					refuse(t, name+": copy: "+ch.name, m, withCopy(original.cert, data), original, Options{Workers: 2, Slice: 9})
				}
				for _, o := range []Options{{}, {Workers: 2, Slice: 9}} {
					reason := refuse(t, name+": "+ch.name, m, data, original, o)
					if reasons[ch.name] == nil {
						reasons[ch.name] = map[Reason]int{}
					}
					reasons[ch.name][reason]++
				}
				done++
			}
		}
		t.Logf("%s: %d", name, done)
		for _, want := range []struct {
			change string
			reason Reason
		}{
			{"one is left out", Omitted}, {"one is done twice", NoSuchStep}, {"another state", WrongState}, {"new becomes seen", FalseSeen},
			{"seen becomes new", FalseFresh}, {"back too early", FalseSeen}, {"nothing after", FalseSeen},
			{"another name", WrongName}, {"names change places", WrongName},
		} {
			if reasons[want.change][want.reason] == 0 {
				t.Errorf("%s: %s was never refused as %q, but as %v", name, want.change, want.reason, reasons[want.change])
			}
		}
		if done < 200 && !testing.Short() {
			t.Errorf("%s: %d mutations, want at least 200", name, done)
		}
	}
}

// TestFalseFresh: a script that follows the graph in all, but calls a state new a
// second time and does it all again, is refused.
func TestFalseFresh(t *testing.T) {
	m := ltstest.Grid(2, 1) // a diamond: 1 -0-> 2 -1-> 3, 1 -1-> 4 -0-> 3
	s := take(t, victim{m, false})
	i := slices.IndexFunc(s.events, func(e told) bool { return e.op == seen })
	s.events[i].op = fresh
	s.events = slices.Insert(s.events, i+1, told{op: back})
	data, _ := s.bytes()
	for _, o := range []Options{{}, {Workers: 2, Slice: 1}} {
		if got := refuse(t, "diamond", m, data, s, o); got != FalseFresh {
			t.Errorf("%d workers: got %q, want %q", o.Workers, got, FalseFresh)
		}
	}
}

// TestUnrolled: a script of a few bytes that goes round a loop a hundred thousand times,
// and calls each state new, is refused soon.
func TestUnrolled(t *testing.T) {
	const rounds = 100_000
	var out bytes.Buffer
	w, _ := cert.NewWriter(&out, cert.Header{Kind: cert.Full})
	for range rounds {
		if err := w.Fresh(0); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(nil); err != nil {
		t.Fatal(err)
	}
	taken := 0
	m := ltstest.Lasso(2, 3)
	take := m.Take
	m.Take = func(state []byte, s lts.Step) {
		taken++
		take(state, s)
	}
	if got := refuse(t, "loop", m, out.Bytes(), nil, Options{}); got != FalseFresh {
		t.Errorf("got %q, want %q", got, FalseFresh)
	}
	if taken > 30 {
		t.Errorf("refused after %d steps, want at most 30, with a file of %d bytes", taken, out.Len())
	}
}

// scriptOf returns where the bytes of the first chunk of a script are.
func scriptOf(data []byte) (from, to int) {
	at := bytes.IndexByte(data, '\n') + 1
	for {
		length, n := binary.Uvarint(data[at+1:])
		from, to = at+1+n, at+1+n+int(length)
		if data[at] == 'S' {
			return from, to
		}
		at = to + 4
	}
}

var damageSeed = flag.Uint64("damageseed", 4, "of the changes of TestRandomDamage")

// TestRandomDamage changes bytes at random, with sums and digest made right
// again, so that what is refused is refused for what it says.
func TestRandomDamage(t *testing.T) {
	rounds := testlong.Or(3000, 12000)
	if testing.Short() {
		rounds = 1200
	}
	accepted, late := 0, 0
	for _, name := range slices.Sorted(maps.Keys(victims)) {
		v, r := victims[name], rand.New(rand.NewPCG(3, *damageSeed))
		m, original := v.Model, take(t, v)
		data := original.cert
		from, to := scriptOf(data)
		for i := range rounds / len(victims) {
			bad := slices.Clone(data)
			for range 1 + r.IntN(3) {
				at := r.IntN(len(bad))
				if i%4 == 0 { // there is most to be said wrong
					at = min(from+r.IntN(to-from), len(bad)-1)
				}
				switch r.IntN(4) {
				case 0:
					bad[at] ^= 1 << r.IntN(8)
				case 1:
					bad[at] = byte(r.Uint32())
				case 2:
					bad = slices.Delete(bad, at, min(at+1+r.IntN(4), len(bad)))
				case 3:
					bad = slices.Insert(bad, at, byte(r.Uint32()))
				}
			}
			bad = cert.Mend(bad)
			switch reason := refuse(t, name, m, bad, original, Options{}); {
			case reason == "":
				accepted++
			case reason == NoSuchStep || reason == Omitted || reason == FalseSeen || reason == WrongName || reason == WrongState || reason == FalseFresh:
				late++
			}
		}
	}
	t.Logf("%d mutations: %d refused by the examination, %d accepted since they change nothing", rounds, late, accepted)
	if late < rounds/50 {
		t.Errorf("%d of %d mutations got as far as the examination: too few to tell", late, rounds)
	}
}
