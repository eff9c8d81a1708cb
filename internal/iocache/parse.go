package iocache

import (
	"slices"
	"strconv"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
)

// Parse reads the text form of a recording. The file's name is for errors only.
func Parse(file, text string) (rec *Recording, err error) {
	p := &parser{file: file, lines: strings.Split(strings.TrimSuffix(text, "\n"), "\n")}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case syntaxError:
			rec, err = nil, r.err
		default:
			panic(r)
		}
	}()
	return p.recording(), nil
}

// A parser reads lines. Errors are panics with a syntaxError.
type parser struct {
	file  string
	lines []string
	at    int // index of the current line
	h     *history
	// states are those of the connections where the current line is.
	states []lineState
}

type syntaxError struct{ err error }

func (p *parser) fail(format string, args ...any) {
	panic(syntaxError{diag.Sourcef(diag.Pos{File: p.file, Line: p.at + 1}, format, args...)})
}

func (p *parser) recording() *Recording {
	name, ok := strings.CutPrefix(p.lines[0], "iocache ")
	modes, err := ParseModes(name)
	if !ok || err != nil {
		p.fail("got %q, want iocache and a mode", p.lines[0])
	}
	rec := newRecording(modes)
	for p.at = 1; p.at < len(p.lines); {
		line, ok := strings.CutPrefix(p.lines[p.at], "history ")
		if !ok {
			p.fail("got %q, want history", p.lines[p.at])
		}
		id := p.historyID(line)
		if id.Whole != modes.TakesTogether(id.Peer) {
			p.fail("history %v in a recording of mode %v", id, modes)
		}
		if rec.histories[id] != nil {
			p.fail("history %v is there twice", id)
		}
		p.h, p.states = newHistory(id), nil
		rec.histories[id] = p.h
		p.at++
		if !p.h.root.polled {
			p.responses("", p.h.root)
		}
		p.kids("", p.h.root)
		if modes.Mode == Linear && !id.Whole && p.h.branches() {
			p.fail("history %v has branches, but the mode is linear", id)
		}
	}
	return rec
}

// branches reports whether there is more than one path.
func (h *history) branches() bool {
	n := h.root
	for len(n.kids) == 1 {
		n = n.kids[0]
	}
	return len(n.kids) > 0
}

// historyID reads: PEER process, PEER connect NAME, PEER accept NAME.
func (p *parser) historyID(line string) HistoryID {
	peer, rest := p.word(line)
	kind, name, _ := strings.Cut(rest, " ")
	id := HistoryID{Peer: peer}
	switch {
	case kind == "process" && name == "":
		id.Whole = true
	case kind == "connect" || kind == "accept":
		var left string
		if id.Conn, left = p.name(name); left != "" {
			p.fail("got %q after the name of a connection", left)
		}
		if kind == "accept" {
			id.Conn.Dir = In
		} else if id.Conn.Dir == In {
			p.fail("got %q, want CREATOR#N", name)
		}
	default:
		p.fail("got %q, want process, connect or accept", rest)
	}
	return id
}

// word reads a bare or quoted name, and a blank if there is one.
func (p *parser) word(s string) (word, rest string) {
	if !strings.HasPrefix(s, `"`) {
		end := strings.IndexAny(s, " #")
		if end < 0 {
			end = len(s)
		}
		word, rest = s[:end], s[end:]
		if word == "" || quoteName(word) != word {
			p.fail("got %q, want a name", s)
		}
	} else {
		word, rest = p.unquote(s)
	}
	return word, strings.TrimPrefix(rest, " ")
}

// unquote reads a quoted string.
func (p *parser) unquote(s string) (text, rest string) {
	q, err := strconv.QuotedPrefix(s)
	if err != nil || q[0] != '"' {
		p.fail("got %q, want a quoted string", s)
	}
	text, err = strconv.Unquote(q)
	if err != nil {
		p.fail("got %q, want a quoted string", s)
	}
	return text, s[len(q):]
}

// name reads CREATOR#N or @N, and a blank if there is one.
func (p *parser) name(s string) (Name, string) {
	name, rest := Name{}, ""
	if tail, ok := strings.CutPrefix(s, "@"); ok {
		name.Dir, rest = In, tail
	} else {
		name.Creator, rest = p.word(s)
		tail, ok := strings.CutPrefix(rest, "#")
		if !ok {
			p.fail("got %q, want CREATOR#N or @N", s)
		}
		rest = tail
	}
	digits, rest, _ := strings.Cut(rest, " ")
	n, err := strconv.ParseUint(digits, 10, 31)
	if err != nil || strconv.FormatUint(n, 10) != digits {
		p.fail("got %q, want a number", digits)
	}
	name.N = int(n)
	return name, rest
}

// next returns the rest of the current line if it begins like this.
func (p *parser) next(prefix string) (string, bool) {
	if p.at >= len(p.lines) {
		return "", false
	}
	return strings.CutPrefix(p.lines[p.at], prefix)
}

// kids reads what follows n: exchanges in a row, then branches.
func (p *parser) kids(indent string, n *node) {
	for {
		line, ok := p.next(indent + "> ")
		if !ok {
			break
		}
		n = p.exchange(indent, n, line)
	}
	branches, states := 0, p.states
	for p.at < len(p.lines) && p.lines[p.at] == indent+"branch" {
		p.at++
		branches++
		p.states = slices.Clone(states)
		line, ok := p.next(indent + "  > ")
		if !ok {
			p.fail("an empty branch")
		}
		p.kids(indent+"  ", p.exchange(indent+"  ", n, line))
	}
	if branches == 1 {
		p.at--
		p.fail("a branch that is the only one")
	}
}

// exchange reads a request, whose line is given, and its responses.
func (p *parser) exchange(indent string, n *node, line string) *node {
	conn, rest := p.conn(line)
	e := edge{kind: Write, conn: conn}
	if strings.HasPrefix(rest, `"`) {
		data, tail := p.unquote(rest)
		e.data = []byte(data)
		if as, ok := strings.CutPrefix(tail, " as "); ok {
			var canon string
			canon, tail = p.unquote(as)
			e.rule, e.canon = true, []byte(canon)
		}
		if tail != "" || data == "" {
			p.fail("got %q, want bytes", rest)
		}
	} else {
		i := slices.Index(requestNames[:], rest)
		if i <= 0 || i == int(Write) {
			p.fail("got %q, want bytes, open, shutdown, close or reset", rest)
		}
		e.kind = RequestKind(i)
	}
	p.check(n, &e)
	at := pos{n: n, d: n.end}
	k := p.h.add(&at, e)
	p.at++
	p.responses(indent, k)
	return k
}

// A lineState is what can happen on a connection at some place of a path.
type lineState struct {
	exists bool // it was opened, or the peer has made it
	shut   bool // no writes any more
	failed bool // nothing but the rest of a write any more
	gone   bool // nothing any more
}

// line returns the state of a connection.
func (p *parser) line(conn int) *lineState {
	for len(p.states) <= conn {
		p.states = append(p.states, lineState{})
	}
	return &p.states[conn]
}

// check refuses a request that cannot be made after n.
func (p *parser) check(n *node, e *edge) {
	if n.kid(e) != nil {
		p.fail("a second branch that begins in the same way")
	}
	s := p.line(e.conn)
	impossible := s.gone || s.failed && e.kind != Write || s.exists == (e.kind == Open)
	switch e.kind {
	case Open:
		impossible = impossible || p.h.conns[e.conn].name.Dir == In
		s.exists = true
	case Write:
		impossible = impossible || s.shut
	case Shutdown:
		impossible = impossible || s.shut
		s.shut = true
	default:
		s.gone = true
	}
	if impossible {
		p.fail("%v is not possible here", e.kind)
	}
}

// conn reads the name of the connection, where there is one, and returns its
// number.
func (p *parser) conn(line string) (int, string) {
	if !p.h.id.Whole {
		return 0, line
	}
	name, rest := p.name(line)
	return p.h.number(name), rest
}

// responses reads what the peer said at n.
func (p *parser) responses(indent string, n *node) {
	var heard report
	low, count := n.low(), 0
	for {
		line, ok := p.next(indent + "< ")
		if !ok {
			break
		}
		count++
		if line == "quiet" || line == "unknown" {
			if count > 1 {
				p.fail("%s after a response", line)
			}
			p.at++
			if line == "unknown" {
				return
			}
			n.record(low, heard)
			return
		}
		conn, rest := p.conn(line)
		p.response(n, low, &heard, conn, rest)
		p.at++
	}
	if count == 0 {
		p.fail("a request without responses: want quiet")
	}
	n.record(low, heard)
}

// response reads one response and adds it to what was heard.
func (p *parser) response(n, low *node, heard *report, conn int, what string) {
	name := p.h.conns[conn].name
	if what == "incoming" {
		if i := low.incoming + heard.incoming; p.h.incoming(i) != name || name.Dir != In || !p.h.id.Whole && i > 0 || len(heard.news) > 0 {
			p.fail("incoming %v is not possible here", name)
		}
		heard.incoming++
		p.line(conn).exists = true
		return
	}
	for len(heard.news) <= conn {
		heard.news = append(heard.news, view{})
	}
	v := &heard.news[conn]
	if v.end != Quiet || low.limit(conn).end != Quiet || !p.line(conn).exists || p.line(conn).gone {
		p.fail("a response on a connection that does not exist or has ended")
	}
	kind, why, _ := strings.Cut(what, " ")
	switch {
	case kind == "more" || strings.HasPrefix(what, `"`):
		text := strings.TrimPrefix(what, "more ")
		data, rest := p.unquote(text)
		if rest != "" || data == "" {
			p.fail("got %q, want bytes", what)
		}
		more := text != what
		if more && v.n+low.limit(conn).n == 0 {
			p.fail("more of nothing")
		}
		heard.add(conn, Response{Kind: Data, Data: []byte(data), More: more})
	case what == "eof":
		v.end = EndOfFile
	case kind == "failed" || kind == "refused":
		v.end, p.line(conn).failed = Failed, true
		if kind == "refused" {
			v.end, p.line(conn).gone = Refused, true
		}
		var rest string
		if v.why, rest = p.unquote(why); rest != "" {
			p.fail("got %q after the reason", rest)
		}
		if v.end == Refused && (n.edge.kind != Open || n.edge.conn != conn || v.n > 0) {
			p.fail("refused is not possible here")
		}
	default:
		p.fail("got %q, want bytes, eof, failed, refused, incoming, quiet or unknown", what)
	}
}
