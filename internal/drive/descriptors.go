package drive

import (
	"strconv"
	"strings"

	"github.com/heddle-mc/heddle/internal/vm"
)

// A program that makes its own system calls keeps descriptors as numbers, and who
// knows a number cannot be seen in the heap. So it is assumed that calls on a number
// are made by those alone who were seen to make some, in any state of an earlier
// search. Whether a goroutine makes a call on a number depends on that goroutine
// alone, and calls that change what is behind a number depend on everything: so a
// search that is wrong about it finds that out (see assume.go). Where numbers depend on the order in
// which goroutines get them, a number is told by who got it, too.
//
// Users are told by their births, which belong to the state as soon as it is known that
// several goroutines make such calls. Who is not born yet is represented by
// those who will start it.

// A Use says that a goroutine makes calls on a number.
type Use struct {
	Process int    `json:"process,omitempty"`
	FD      int    `json:"fd"`
	Maker   string `json:"maker,omitempty"` // by whom what is behind it was made, if that matters
	Who     string `json:"who"`             // its birth
}

// someone is the use of a program of which no more is known than that several
// goroutines make calls on numbers.
var someone = Use{FD: -1}

// maxChildren is how many goroutines one may start whose birth belongs to the state
// because of numbers alone. If it starts more, that may be without end.
const maxChildren = 64

// maxUses is how many uses are worth to be told apart.
const maxUses = 400

// A Number is a descriptor of a process, and who made what is behind it if that
// matters.
type Number struct {
	Process, FD int
	Maker       string
}

// Lends reports whether it is taken for granted who makes calls on which numbers.
// What is wrong with the program is not judged by that, nor what is a stop.
func (m *Machine) Lends() bool {
	return m != nil && m.used != nil && !m.judging && !m.gating && (m.opts.Joined || !m.alone())
}

// lend makes the list of who uses which number.
func (m *Machine) lend() {
	a := m.opts.Assume
	if a == nil || a.Handed || len(a.Users) == 0 || !m.births {
		return
	}
	m.used = make(map[Number][]string)
	for u := range a.Users {
		n := Number{u.Process, u.FD, u.Maker}
		m.used[n] = append(m.used[n], u.Who)
	}
}

// Numbers reports whether it matters who makes calls on which numbers: there was
// somebody else besides main.
func (m *Machine) Numbers() bool {
	return m != nil && (m.opts.Joined || m.Counters().NextG > 2)
}

// Uses notes that g makes a call on a number, unless there was never anybody else.
// It does not matter whether others have ended: they may have been followed first
// because g was not known as a user.
func (m *Machine) Uses(c *vm.G, n Number) {
	if !m.Numbers() || m.opts.Assume == nil || m.opts.Assume.Handed {
		return
	}
	if !m.births {
		m.found.Refuted.use(someone)
		return
	}
	g := of(c)
	if g.System() || strings.HasPrefix(g.birth, "clock") {
		m.found.Refuted.Handed = true
		return
	}
	if u := (Use{n.Process, n.FD, n.Maker, g.birth}); !m.opts.Assume.Users[u] {
		m.found.Refuted.use(u)
	}
}

// UsesAny notes that a call may be about any number.
func (m *Machine) UsesAny() {
	if m.Numbers() {
		m.found.Refuted.Handed = true
	}
}

// HasUsers reports whether anybody is known to make calls on a number. What is a stop does not depend
// on what is known.
func (m *Machine) HasUsers(n Number) bool { return !m.gating && len(m.used[n]) > 0 }

// usersOf returns who may make calls on the numbers in a list. Those of a group are
// looked for by together.
func (m *Machine) usersOf(list []Abroad) (needs uint64) {
	for _, a := range list {
		if a.FD != 0 && !m.opts.Joined {
			needs |= m.reduction.users[a.number()]
		}
	}
	return needs
}

// findUsers finds out who may make calls on which numbers.
func (m *Machine) findUsers() {
	r := &m.reduction
	clear(r.users)
	if m.used == nil {
		return
	}
	if r.users == nil {
		r.users = make(map[Number]uint64)
	}
	for n, names := range m.used {
		who := uint64(0)
		for _, name := range names {
			who |= m.bornAs(name)
		}
		r.users[n] = who
	}
}

// bornAs returns the goroutine with a birth, and those who may still start it or
// one of its ancestors.
func (m *Machine) bornAs(birth string) (mask uint64) {
	for i, g := range m.gs {
		rest, ok := strings.CutPrefix(birth, g.birth)
		switch {
		case !ok:
		case rest == "":
			mask |= 1 << i
		case rest[0] == '.':
			next, _, _ := strings.Cut(rest[1:], ".")
			if n, err := strconv.ParseUint(next, 10, 32); err != nil || uint32(n) > g.births {
				mask |= 1 << i
			}
		}
	}
	return mask
}
