package iocache

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A path is what a program has done so far, without any cache: the requests of
// each history, and the connections. It is the model that a session is held
// against. It is copied for each mark.
type path struct {
	mode  Mode
	asked map[HistoryID][]Request
	conns []modelConn
}

type modelConn struct {
	peer  HistoryID
	name  Name
	read  int
	state state
}

func (m *path) clone() *path {
	c := &path{m.mode, maps.Clone(m.asked), slices.Clone(m.conns)}
	for id, list := range c.asked {
		c.asked[id] = slices.Clip(list)
	}
	return c
}

// digit is what a rule makes equal.
var digit = regexp.MustCompile(`[0-9]`)

// key describes the state in full. Writes are joined, unless a rule matches.
func (m *path) key() string {
	var lines []string
	for id, list := range m.asked {
		gone := !id.Whole
		for _, c := range m.conns {
			gone = gone && (c.peer != id || c.state == closed)
		}
		if gone || id.Whole && len(list) == 0 {
			continue // nothing can be heard of it any more, or yet
		}
		text := id.String()
		for i, r := range list {
			if digit.Match(r.Data) {
				r.Data = fmt.Appendf(nil, "<%s>", digit.ReplaceAllString(string(r.Data), "0"))
			}
			if i > 0 && r.Kind == Write && list[i-1].Kind == Write && list[i-1].Conn == r.Conn {
				text += string(r.Data)
				continue
			}
			text += fmt.Sprintf(" %v %v %s", r.Conn, r.Kind, r.Data)
		}
		lines = append(lines, text)
	}
	for _, c := range m.conns {
		lines = append(lines, fmt.Sprintf("%v %v %d %d %d", c.peer, c.name, c.name.Dir, c.read*int(1-c.state/closed), c.state))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// heard is what a peer has said on one connection.
type heard struct {
	data string
	end  ResponseKind
}

// fresh asks a new peer everything again and returns all it says, and the number
// of connections it has made.
func (m *path) fresh(id HistoryID) (map[Name]heard, int) {
	said, incoming := make(map[Name]heard), 0
	peer, err := newStage().Start(id)
	if err != nil {
		panic(err)
	}
	listen := func() {
		for {
			r, _ := peer.Poll()
			h := said[r.Conn]
			switch r.Kind {
			case Quiet:
				return
			case Incoming:
				incoming++
			case Data:
				h.data += string(r.Data)
			default:
				h.end = r.Kind
			}
			said[r.Conn] = h
		}
	}
	listen()
	for _, r := range m.asked[id] {
		peer.Do(r)
		listen()
	}
	return said, incoming
}

func (m *path) count(dir Dir, peer, creator string) int {
	n := 0
	for _, c := range m.conns {
		if c.peer.Peer == peer && c.name.Dir == dir && c.name.Creator == creator {
			n++
		}
	}
	return n
}

func (m *path) history(peer string, name Name) HistoryID {
	if m.mode == Process {
		return HistoryID{Peer: peer, Whole: true}
	}
	return HistoryID{Peer: peer, Conn: name}
}

func (m *path) ask(id HistoryID, r Request) {
	r.Data = bytes.Clone(r.Data)
	m.asked[id] = append(m.asked[id], r)
}

// A step is something that a program does. apply does it to a session, and
// expect to a model; both return what the program sees.
type step struct {
	what string
	conn Conn
	arg  string
	size int
}

func (st step) apply(s *Session) string {
	see := func(c Conn, data string, status Status, err error) string {
		why := ""
		if status == Broken && err == nil {
			why = s.Why(c)
		}
		return fmt.Sprint(data, " ", status, " ", why, " ", err)
	}
	switch st.what {
	case "connect":
		c, status, err := s.Connect("machine", st.arg)
		return fmt.Sprint(c, " ") + see(c, "", status, err)
	case "accept":
		can, _ := s.CanAccept("machine", st.arg)
		c, status, err := s.Accept("machine", st.arg)
		if can != status {
			return fmt.Sprintf("CanAccept returned %v, and Accept %v", can, status)
		}
		return fmt.Sprint(c, " ") + see(c, "", status, err)
	case "write":
		data := []byte(st.arg)
		status, err := s.Write(st.conn, data)
		clear(data) // it is ours again
		return see(st.conn, "", status, err)
	case "read":
		buf := make([]byte, st.size)
		n, status, err := s.Read(st.conn, buf)
		return see(st.conn, string(buf[:n]), status, err)
	case "shutdown":
		return see(st.conn, "", Ready, s.Shutdown(st.conn))
	case "reset":
		return see(st.conn, "", Ready, s.Reset(st.conn))
	}
	return see(st.conn, "", Ready, s.Close(st.conn))
}

func (st step) expect(m *path) string {
	see := func(data string, status Status, why string) string {
		return fmt.Sprint(data, " ", status, " ", why, " <nil>")
	}
	if st.what == "connect" {
		name := Name{Out, st.arg, m.count(Out, "machine", st.arg)}
		id := m.history("machine", name)
		m.ask(id, Request{Kind: Open, Conn: name})
		c := modelConn{peer: id, name: name}
		m.conns = append(m.conns, c)
		said, _ := m.fresh(id)
		if said[name].end == Refused {
			m.conns[len(m.conns)-1].state = closed
			return fmt.Sprint(len(m.conns)-1, " ") + see("", Broken, "connection refused")
		}
		return fmt.Sprint(len(m.conns)-1, " ") + see("", Ready, "")
	}
	if st.what == "accept" {
		creator := st.arg
		if m.mode == Process {
			creator = ""
		}
		name := Name{In, creator, m.count(In, "machine", creator)}
		id := m.history("machine", name)
		if _, n := m.fresh(id); m.mode == Process && n <= name.N {
			return "-1 " + see("", Waiting, "")
		}
		if m.asked[id] == nil {
			m.asked[id] = []Request{}
		}
		m.conns = append(m.conns, modelConn{peer: id, name: name})
		return fmt.Sprint(len(m.conns)-1, " ") + see("", Ready, "")
	}
	c := &m.conns[st.conn]
	said, _ := m.fresh(c.peer)
	h := said[c.name]
	failed := h.end == Failed
	switch st.what {
	case "write":
		if failed {
			return see("", Broken, "connection reset by peer")
		}
		m.ask(c.peer, Request{Kind: Write, Conn: c.name, Data: []byte(st.arg)})
		return see("", Ready, "")
	case "read":
		data := h.data[c.read:]
		data = data[:min(len(data), st.size)]
		c.read += len(data)
		switch {
		case len(h.data) > c.read-len(data):
			return see(data, Ready, "")
		case failed:
			return see("", Broken, "connection reset by peer")
		case h.end == EndOfFile:
			return see("", Ended, "")
		}
		return see("", Waiting, "")
	}
	kind, to := Close, closed
	switch st.what {
	case "shutdown":
		kind, to = Shutdown, shut
	case "reset":
		kind = Reset
	}
	if !failed {
		m.ask(c.peer, Request{Kind: kind, Conn: c.name})
	}
	c.state = to
	return see("", Ready, "")
}

// drawStep returns something that the program can do.
func drawStep(t *rapid.T, m *path, words []string) step {
	for {
		what := rapid.SampledFrom([]string{"connect", "accept", "write", "write", "write", "write", "write", "read", "read", "read", "shutdown", "close", "reset"}).Draw(t, "what")
		if what == "connect" && len(m.conns) > 1 && rapid.Bool().Draw(t, "not") {
			continue
		}
		switch what {
		case "connect":
			return step{what: what, arg: rapid.SampledFrom([]string{"a", "b", "x"}).Draw(t, "creator")}
		case "accept":
			return step{what: what, arg: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "creator")}
		}
		if len(m.conns) == 0 {
			continue
		}
		i := rapid.IntRange(0, len(m.conns)-1).Draw(t, "conn")
		switch st := m.conns[i].state; {
		case what == "write" && st == open:
			return step{what: what, conn: Conn(i), arg: rapid.SampledFrom(words).Draw(t, "data")}
		case what == "read" && st != closed:
			return step{what: what, conn: Conn(i), size: rapid.IntRange(1, 20).Draw(t, "size")}
		case what == "shutdown" && st == open, (what == "close" || what == "reset") && st != closed:
			return step{what: what, conn: Conn(i)}
		}
	}
}

// TestTransparent lets a program do things at random and backtrack. What it sees
// must be what it would see if it talked to new peers each time. Equal states
// have equal keys, and different ones different keys. What was recorded can
// serve as the peers of the same program.
func TestTransparent(t *testing.T) {
	for _, mode := range []Mode{Tree, Process} {
		t.Run(mode.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				live := rapid.IntRange(1, 3).Draw(t, "live")
				// Few words, so that paths meet and part often.
				words := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "\n", "a\n", "ab", "ab\n", "a\na\n", "b\na", "c", "q",
					"qa", "q\n", "aq", "r", "ar", "r\na", "ac", "ac\nc\n"}), 3, 3).Draw(t, "words")
				var rules Rules
				if rapid.Bool().Draw(t, "rules") {
					rules = Rules{{Requests: true, Pattern: digit, Replace: "0"}}
					words = append(words, "1", "2a", "3a\n", "0a\n")
				}
				st := newStage()
				cache := New(st, Options{Mode: mode, Live: live, Rules: rules})
				s, model := cache.NewSession(), &path{mode: mode, asked: map[HistoryID][]Request{}}
				keys, states := map[string]string{}, map[string]string{}
				type mark struct {
					m     Mark
					model *path
				}
				marks := []mark{{s.Save(), model.clone()}}
				var script []func(*Session) string
				var results []string
				for range rapid.IntRange(1, 60).Draw(t, "steps") {
					switch rapid.IntRange(0, 9).Draw(t, "do") {
					case 0:
						marks = append(marks, mark{s.Save(), model.clone()})
						continue
					case 1:
						i := rapid.IntRange(0, len(marks)-1).Draw(t, "mark")
						back := marks[i].m
						s.Restore(back)
						model = marks[i].model.clone()
						marks = marks[:i+1]
						script = append(script, func(s *Session) string { s.Restore(back); return "" })
						results = append(results, "")
						continue
					}
					step := drawStep(t, model, words)
					got, want := step.apply(s), step.expect(model)
					if got != want {
						t.Fatalf("%+v: got %q, want %q\n%s", step, got, want, cache.Text())
					}
					script, results = append(script, step.apply), append(results, got)
					key, state := string(s.AppendKey(nil)), model.key()
					if old, ok := keys[state]; ok && old != key {
						t.Fatalf("two keys of one state:\n%s", state)
					}
					if old, ok := states[key]; ok && old != state {
						t.Fatalf("one key of two states:\n%s\nand\n%s", old, state)
					}
					keys[state], states[key] = key, state
				}
				text := cache.Text()
				cache.Close()
				if st.running != 0 {
					t.Fatalf("got %d peers that were not stopped, want none", st.running)
				}
				rec, err := Parse("text", text)
				if err != nil {
					t.Fatalf("%v:\n%s", err, text)
				}
				if got := rec.Text(); got != text {
					t.Fatalf("read and written:\ngot\n%s\nwant\n%s", got, text)
				}
				again := New(NewReplay(rec, rules), Options{Mode: mode, Live: live, Rules: rules})
				s = again.NewSession()
				for i, f := range script {
					if got := f(s); got != results[i] {
						t.Fatalf("step %d with recorded peers: got %q, want %q\n%s", i, got, results[i], text)
					}
				}
				if got := again.Text(); got != text {
					t.Fatalf("recorded with recorded peers:\ngot\n%s\nwant\n%s", got, text)
				}
			})
		})
	}
}
