package iocache

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// seeds returns the text forms in the scenarios.
func seeds(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, tail, ok := strings.Cut(string(data), "$ text\n"); ok {
			text, _, _ := strings.Cut(tail, "$ ")
			text, _, _ = strings.Cut(text, "# ")
			texts = append(texts, text)
		}
	}
	return texts
}

func TestParseScenarios(t *testing.T) {
	texts := seeds(t)
	if len(texts) < 15 {
		t.Errorf("got %d texts, want more", len(texts))
	}
	for _, text := range texts {
		rec := checkText(t, text)
		for _, h := range rec.sorted() {
			walk(t, NewReplay(rec, nil), h, h.root, nil)
		}
	}
}

// Names may be anything.
func TestNames(t *testing.T) {
	for _, name := range []string{"", "main", "main.worker#2", "a b", "\"", "@", "\x00\xff", "ä", "10.0.0.1:80", "connect", "[::1]:80"} {
		for _, mode := range []Mode{Linear, Tree, Process} {
			actors[name] = func(f *fake, r Request) {
				if r.Kind == 0 && f.id.Conn.Dir == In {
					f.end(f.id.Conn, Incoming, "")
				}
			}
			cache := New(newStage(), Options{Mode: mode})
			s := cache.NewSession()
			if _, _, err := s.Connect(name, name); err != nil {
				t.Fatal(err)
			}
			if mode != Process {
				if _, st, err := s.Accept(name, name); st != Ready || err != nil {
					t.Fatal(st, err)
				}
			}
			checkText(t, cache.Text())
			delete(actors, name)
		}
	}
}

func TestParseErrors(t *testing.T) {
	const tree = "iocache tree\nhistory p connect m#0\n"
	const whole = "iocache process\nhistory p process\n< quiet\n"
	for _, test := range []struct{ text, want string }{
		{"", `f:1: got "", want iocache and a mode`},
		{"iocache graph\n", `f:1: got "iocache graph", want iocache and a mode`},
		{"iocache tree\n> open\n", `f:2: got "> open", want history`},
		{"iocache tree\nhistory p process\n", "f:2: history p process in a recording of mode tree"},
		{"iocache process\nhistory p connect m#0\n", "f:2: history p connect m#0 in a recording of mode process"},
		{"iocache tree\nhistory p meet m#0\n", `f:2: got "meet m#0", want process, connect or accept`},
		{"iocache tree\nhistory p connect m\n", `f:2: got "m", want CREATOR#N or @N`},
		{"iocache tree\nhistory p connect @0\n", `f:2: got "@0", want CREATOR#N`},
		{"iocache tree\nhistory p connect m#01\n", `f:2: got "01", want a number`},
		{"iocache tree\nhistory p connect m#-1\n", `f:2: got "-1", want a number`},
		{"iocache tree\nhistory p connect m#0 x\n", `f:2: got "x" after the name of a connection`},
		{"iocache tree\nhistory \"p connect m#0\n", `f:2: got "\"p connect m#0", want a quoted string`},
		{tree + tree[13:], "f:3: history p connect m#0 is there twice"},
		{"iocache tree\nhistory p accept m#0\n", "f:3: a request without responses: want quiet"},
		{tree + "> open\n", "f:4: a request without responses: want quiet"},
		{tree + "> \"a\"\n< quiet\n", "f:3: write is not possible here"},
		{tree + "> open\n< quiet\n> open\n< quiet\n", "f:5: open is not possible here"},
		{tree + "> open\n< quiet\n> close\n< quiet\n> \"a\"\n< quiet\n", "f:7: write is not possible here"},
		{tree + "> open\n< quiet\n> shutdown\n< quiet\n> \"a\"\n< quiet\n", "f:7: write is not possible here"},
		{tree + "> open\n< refused \"no\"\n> \"a\"\n< quiet\n", "f:5: write is not possible here"},
		{tree + "> open\n< failed \"no\"\n> close\n< quiet\n", "f:5: close is not possible here"},
		{tree + "> open\n< failed\n", `f:4: got "", want a quoted string`},
		{tree + "> open\n< failed \"a\" b\n", `f:4: got " b" after the reason`},
		{tree + "> open\n< \"a\"\n< refused \"no\"\n", "f:5: refused is not possible here"},
		{tree + "> open\n< eof\n< \"a\"\n", "f:5: a response on a connection that does not exist or has ended"},
		{tree + "> open\n< eof\n> \"x\"\n< \"a\"\n", "f:6: a response on a connection that does not exist or has ended"},
		{tree + "> open\n< quiet\n< \"a\"\n", `f:5: got "< \"a\"", want history`},
		{tree + "> open\n< \"a\"\n< quiet\n", "f:5: quiet after a response"},
		{tree + "> open\n< \"\"\n", `f:4: got "\"\"", want bytes`},
		{tree + "> open\n< more \"a\"\n", "f:4: more of nothing"},
		{tree + "> open\n< what\n", `f:4: got "what", want bytes, eof, failed, refused, incoming, quiet or unknown`},
		{tree + "> open\n< incoming\n", "f:4: incoming m#0 is not possible here"},
		{"iocache tree\nhistory p accept m#0\n< incoming\n< incoming\n", "f:4: incoming m#0 is not possible here"},
		{tree + "> what\n", `f:3: got "what", want bytes, open, shutdown, close or reset`},
		{tree + "> write\n", `f:3: got "write", want bytes, open, shutdown, close or reset`},
		{tree + "> open\n< quiet\nbranch\n", "f:6: an empty branch"},
		{tree + "> open\n< quiet\nbranch\n  > \"a\"\n  < quiet\n", "f:7: a branch that is the only one"},
		{tree + "> open\n< quiet\nbranch\n  > \"a\"\n  < quiet\nbranch\n  > \"ab\"\n  < quiet\n", "f:9: a second branch that begins in the same way"},
		{"iocache linear\nhistory p connect m#0\n> open\n< quiet\nbranch\n  > \"a\"\n  < quiet\nbranch\n  > \"b\"\n  < quiet\n", "f:11: history p connect m#0 has branches, but the mode is linear"},
		{whole + "> m#0 open\n< @1 incoming\n", "f:5: incoming @1 is not possible here"},
		{whole + "> m#0 open\n< x#0 \"a\"\n", "f:5: a response on a connection that does not exist or has ended"},
		{whole + "> m#0 open\n< m#0 \"a\"\n< @0 incoming\n", "f:6: incoming @0 is not possible here"},
		{whole + "> @0 open\n< quiet\n", "f:4: open is not possible here"},
	} {
		_, err := Parse("f", test.text)
		if err == nil || err.Error() != test.want {
			t.Errorf("%s\ngot  %v\nwant %s", test.text, err, test.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range seeds(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		rec, err := Parse("f", text)
		if err != nil {
			return
		}
		written := rec.Text()
		again, err := Parse("f", written)
		if err != nil {
			t.Fatalf("%v:\n%s", err, written)
		}
		if got := again.Text(); got != written {
			t.Fatalf("got\n%s\nwant\n%s", got, written)
		}
		// Whatever can be read can serve as peers, and says what was read.
		replay := NewReplay(rec, nil)
		for _, h := range rec.sorted() {
			walk(t, replay, h, h.root, nil)
		}
	})
}

// walk tells a recorded peer the requests up to n and further, and holds what it
// says against the recording.
func walk(t *testing.T, replay *Replay, h *history, n *node, path []*node) {
	peer, err := replay.Start(h.id)
	if err != nil {
		t.Fatal(err)
	}
	said, incoming := make([]view, len(h.conns)), 0
	listen := func() bool {
		for {
			r, err := peer.Poll()
			if err != nil || r.Kind == Quiet {
				return err == nil
			}
			v := &said[h.find(r.Conn)]
			if v.end != Quiet {
				t.Fatalf("%v of connection %v, which has ended", r.Kind, r.Conn)
			}
			switch r.Kind {
			case Incoming:
				incoming++
			case Data:
				*v = v.extend(r.Data, r.More)
			default:
				v.end = r.Kind
			}
		}
	}
	known := listen()
	for _, m := range path {
		if m.edge.rule {
			return // without the rules nobody can tell
		}
		if err := peer.Do(Request{m.edge.kind, h.conns[m.edge.conn].name, m.edge.data}); err != nil {
			t.Fatal(err)
		}
		known = listen()
	}
	if n.polled {
		if !known || incoming != n.incoming {
			t.Fatalf("got %d connections, %v, want %d", incoming, known, n.incoming)
		}
		for conn, v := range said {
			if want := n.limit(conn); string(v.data()) != string(want.data()) || v.end != want.end {
				t.Fatalf("got %q %v, want %q %v", v.data(), v.end, want.data(), want.end)
			}
		}
	}
	for _, k := range n.kids {
		walk(t, replay, h, k, append(path[:len(path):len(path)], k))
	}
}
