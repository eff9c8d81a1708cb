package iocache

import "github.com/heddle-mc/heddle/internal/diag"

// A Mark is a state of a session that it can be restored to. Marks form a stack.
type Mark int

// A change is what is needed to undo one change of a session: the old value of
// the connection or talk with that index, or that the last one is to go.
type change struct {
	what  changeKind
	index int
	conn  conn
	talk  talk
}

type changeKind uint8

const (
	connAdded changeKind = iota
	connChanged
	talkAdded
	talkChanged
)

// Save marks the current state. It costs nothing.
func (s *Session) Save() Mark { return Mark(len(s.log)) }

// Restore goes back to where m was saved. Marks saved after m are gone; m itself
// stays. The cache keeps what it has learnt meanwhile.
func (s *Session) Restore(m Mark) {
	if s.moved && s.cache.watch != nil {
		s.cache.notePath(s)
	}
	s.restore(m)
}

func (s *Session) restore(m Mark) {
	if int(m) > len(s.log) {
		panic(diag.Bugf("restore of mark %d of %d", m, len(s.log)))
	}
	for i := len(s.log) - 1; i >= int(m); i-- {
		switch c := &s.log[i]; c.what {
		case connAdded:
			s.conns = s.conns[:len(s.conns)-1]
		case connChanged:
			s.conns[c.index] = c.conn
		case talkAdded:
			s.talks = s.talks[:len(s.talks)-1]
		case talkChanged:
			s.talks[c.index] = c.talk
		}
	}
	clear(s.log[m:])
	s.log = s.log[:m]
}

func (s *Session) add(c conn) Conn {
	s.log = append(s.log, change{what: connAdded})
	s.conns = append(s.conns, c)
	return Conn(len(s.conns) - 1)
}

func (s *Session) setConn(c Conn, f func(*conn)) {
	s.log = append(s.log, change{what: connChanged, index: int(c), conn: s.conns[c]})
	f(&s.conns[c])
}

func (s *Session) addTalk(t talk) int {
	s.log = append(s.log, change{what: talkAdded})
	s.talks = append(s.talks, t)
	return len(s.talks) - 1
}

func (s *Session) setTalk(i int, f func(*talk)) {
	s.log = append(s.log, change{what: talkChanged, index: i, talk: s.talks[i]})
	f(&s.talks[i])
}
