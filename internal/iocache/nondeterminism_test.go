package iocache

import (
	"strings"
	"testing"
)

// Faces are a transport whose peers, one after the other, say different things
// after a write.
type faces struct {
	said [][]Response
	next int
}

func (f *faces) Start(id HistoryID) (Peer, error) {
	f.next++
	say := f.said[f.next-1]
	return &fake{stage: newStage(), id: id, act: func(p *fake, r Request) {
		if r.Kind == Write {
			for _, s := range say {
				s.Conn.Creator = "main"
				if s.Kind == Incoming {
					s.Conn = Name{Dir: In}
				}
				p.queue = append(p.queue, s)
			}
		}
	}}, nil
}

func TestNondeterminism(t *testing.T) {
	data := func(text string) Response { return Response{Kind: Data, Data: []byte(text)} }
	failed := func(why string) Response { return Response{Kind: Failed, Err: why} }
	eof, incoming := Response{Kind: EndOfFile}, Response{Kind: Incoming}
	say := func(r ...Response) []Response { return r }
	id, _ := ParseRule(`response: id=\d+ => id=N`)
	const restarted = "p connect main#0: the peer is nondeterministic: exchange 2 (\"a\") was answered with "
	const cut = "p connect main#0: the peer is nondeterministic: a longer request was answered with "
	for _, test := range []struct {
		name   string
		mode   Mode
		writes string // paths; + is another connection, and a read ends each
		said   [][]Response
		want   string
	}{
		{"same", Tree, "a b|a c", [][]Response{say(data("x")), say(data("x"))}, ""},
		{"data", Tree, "a b|a c", [][]Response{say(data("x")), say(data("y"))}, restarted + `"x", and after a restart with "y"`},
		{"less", Tree, "a b|a c", [][]Response{say(data("x")), say()}, restarted + `"x", and after a restart with nothing`},
		{"eof", Tree, "a|b|a c", [][]Response{say(data("x"), eof), say(), say(data("x"))}, restarted + `"x" and eof, and after a restart with "x"`},
		{"no eof", Tree, "a|b|a c", [][]Response{say(), say(), say(eof)}, restarted + "nothing, and after a restart with eof"},
		{"rules", Tree, "a b|a c", [][]Response{say(data("id=1")), say(data("id=22"))}, ""},
		{"cut", Tree, "ab|a", [][]Response{say(data("xy")), say(data("x"))}, ""},
		{"cut eof", Tree, "ab|a", [][]Response{say(data("xy")), say(data("x"), eof)}, cut + `"xy", its first part "a" (exchange 2) with "x" and eof`},
		{"cut more", Tree, "ab|a", [][]Response{say(data("x")), say(data("xy"))}, cut + `"x", its first part "a" (exchange 2) with "xy"`},
		{"cut twice", Tree, "ab|ac|a", [][]Response{say(data("xy")), say(data("xz")), say(data("x"))}, ""},
		{"cut between", Tree, "ab|ac|a", [][]Response{say(data("xy")), say(data("yz")), say(data("x"))}, cut + `"yz", its first part "a" (exchange 2) with "x"`},
		{"cut rules", Tree, "ab|ac|a", [][]Response{say(data("id=1 y")), say(data("id=2 z")), say(data("id=3 "))}, ""},
		{"cut sizes", Tree, "ab|ac|a", [][]Response{say(data("id=1 y")), say(data("id=22 z")), say(data("id=3 "))}, cut + `"id=22 z", its first part "a" (exchange 2) with "id=3 "`},
		{"incoming", Process, "a|b|a c", [][]Response{say(incoming), say(), say()},
			"p process: the peer is nondeterministic: in exchange 2 (\"a\") it made 1 connections, and after a restart 0"},
		{"cut incoming", Process, "ab|a", [][]Response{say(data("x")), say(incoming)},
			"p process: the peer is nondeterministic: in exchange 2 (\"a\") it made 0 connections, and after a restart 1"},
		{"process", Process, "a b|a c", [][]Response{say(data("x")), say(data("y"))},
			"p process: connection main#0: the peer is nondeterministic: exchange 2 (\"a\") was answered with \"x\", and after a restart with \"y\""},
		{"reason", Process, "a|b|a +", [][]Response{say(failed("one")), say(), say(failed("two"))},
			"p process: connection main#0: the peer is nondeterministic: exchange 2 (\"a\") was answered with failed (one), and after a restart with failed (two)"},
	} {
		cache := New(&faces{said: test.said}, Options{Mode: test.mode, Rules: Rules{id}})
		s := cache.NewSession()
		c, _, err := s.Connect("p", "main")
		m := s.Save()
		for path := range strings.SplitSeq(test.writes, "|") {
			s.Restore(m)
			for word := range strings.SplitSeq(path, " ") {
				switch {
				case err != nil:
				case word == "+":
					_, _, err = s.Connect("p", "other")
				default:
					_, err = s.Write(c, []byte(word))
				}
			}
			if err == nil {
				_, _, err = s.Available(c)
			}
		}
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.name, got, test.want)
		}
	}
}

// A transport that breaks its contract is found out.
func TestTransportBugs(t *testing.T) {
	name := Name{Out, "main", 0}
	for _, test := range []struct {
		mode Mode
		said []Response
		want string
	}{
		{Tree, []Response{{Kind: Data, Conn: Name{Out, "other", 0}, Data: []byte("x")}},
			"p connect main#0: the transport reports data of connection other#0, which does not exist or has ended"},
		{Tree, []Response{{Kind: EndOfFile, Conn: name}, {Kind: EndOfFile, Conn: name}},
			"p connect main#0: the transport reports eof of connection main#0, which does not exist or has ended"},
		{Tree, []Response{{Kind: Data, Conn: name}}, "p connect main#0: the transport reports 0 bytes and a response of kind 1"},
		{Tree, []Response{{Kind: 77, Conn: name}}, "p connect main#0: the transport reports 0 bytes and a response of kind 77"},
		{Tree, []Response{{Kind: 77}}, "p connect main#0: the transport reports response of kind 77 of connection \"\"#0, which does not exist or has ended"},
		{Tree, []Response{{Kind: Incoming, Conn: name}}, "p connect main#0: the peer made a connection by itself: use process mode"},
		{Process, []Response{{Kind: Incoming, Conn: name}}, "p process: the transport reports an incoming connection main#0, want @0"},
	} {
		actors["p"] = func(f *fake, r Request) {
			if r.Kind == Open {
				f.queue = test.said
			}
		}
		_, _, err := New(newStage(), Options{Mode: test.mode}).NewSession().Connect("p", "main")
		if err == nil || err.Error() != test.want {
			t.Errorf("got  %v\nwant %s", err, test.want)
		}
	}
	delete(actors, "p")
}
