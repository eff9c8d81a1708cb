package iocache

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestLinearOnce backtracks at random in a program whose threads have a connection
// and a list of messages each. Peers are told each message once, in order, and are
// never restarted, whatever the schedule.
func TestLinearOnce(t *testing.T) {
	messages := []string{"a\n", "b", "c\n", "\n", "de\n"}
	rapid.Check(t, func(t *rapid.T) {
		st := newStage()
		cache := New(st, Options{Mode: Linear})
		defer cache.Close()
		s := cache.NewSession()
		type thread struct {
			conn Conn
			sent int
			read string
		}
		now := map[string]thread{}
		type mark struct {
			m  Mark
			at map[string]thread
		}
		clone := func() map[string]thread {
			c := map[string]thread{}
			for k, v := range now {
				c[k] = v
			}
			return c
		}
		marks := []mark{{s.Save(), clone()}}
		most := map[string]int{} // requests of each thread, the open included
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			switch rapid.IntRange(0, 5).Draw(t, "do") {
			case 0:
				marks = append(marks, mark{s.Save(), clone()})
				continue
			case 1:
				i := rapid.IntRange(0, len(marks)-1).Draw(t, "mark")
				s.Restore(marks[i].m)
				now, marks = marks[i].at, marks[:i+1]
				marks[i].at = clone()
				continue
			}
			name := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "thread")
			th, ok := now[name]
			switch {
			case !ok:
				c, status, err := s.Connect("machine", name)
				if status != Ready || err != nil {
					t.Fatalf("connect: got %v %v", status, err)
				}
				th = thread{conn: c}
			case rapid.Bool().Draw(t, "read"):
				var buf [8]byte
				n, _, err := s.Read(th.conn, buf[:])
				if err != nil {
					t.Fatal(err)
				}
				th.read += string(buf[:n])
				all := directly(name, messages[:th.sent])
				if !strings.HasPrefix(all, th.read) || n == 0 && th.read != all {
					t.Fatalf("got %q, want %q", th.read, all)
				}
			case th.sent < len(messages):
				if status, err := s.Write(th.conn, []byte(messages[th.sent])); status != Ready || err != nil {
					t.Fatalf("write: got %v %v", status, err)
				}
				th.sent++
			}
			now[name] = th
			most[name] = max(most[name], th.sent+1)
		}
		want := 0
		for _, n := range most {
			want += n
		}
		if st.sends != want {
			t.Fatalf("peers were told %d requests, want %d:\n%s", st.sends, want, strings.Join(st.told, "\n"))
		}
		if got := cache.Stats(); got.Restarts != 0 || got.Replays != 0 || got.Misses != int64(want) {
			t.Fatalf("got %+v, want %d misses", got, want)
		}
	})
}

// directly returns what a peer says to these messages.
func directly(creator string, messages []string) string {
	name := Name{Out, creator, 0}
	m := &path{asked: map[HistoryID][]Request{}}
	id := m.history("machine", name)
	m.ask(id, Request{Kind: Open, Conn: name})
	for _, text := range messages {
		m.ask(id, Request{Kind: Write, Conn: name, Data: []byte(text)})
	}
	said, _ := m.fresh(id)
	return said[name].data
}

// TestTreeRestarts backtracks at random in a program that writes anything. A
// request is told when no path had it before; a peer is restarted only then, and
// only if the live one stands elsewhere.
func TestTreeRestarts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		st := newStage()
		cache := New(st, Options{})
		defer cache.Close()
		s := cache.NewSession()
		c, _, err := s.Connect("machine", "a")
		if err != nil {
			t.Fatal(err)
		}
		type mark struct {
			m    Mark
			path string
		}
		path, live := "", ""
		marks := []mark{{s.Save(), path}}
		known := map[string]bool{"": true}
		want := Stats{Histories: 1, Misses: 1, Connections: 1}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			switch rapid.IntRange(0, 3).Draw(t, "do") {
			case 0:
				marks = append(marks, mark{s.Save(), path})
				continue
			case 1:
				i := rapid.IntRange(0, len(marks)-1).Draw(t, "mark")
				s.Restore(marks[i].m)
				path, marks = marks[i].path, marks[:i+1]
				continue
			}
			char := rapid.SampledFrom([]string{"a", "b", "\n"}).Draw(t, "char")
			if _, err := s.Write(c, []byte(char)); err != nil {
				t.Fatal(err)
			}
			if next := path + char; known[next] {
				want.Hits++
			} else {
				want.Misses++
				if live != path {
					want.Restarts++
					want.Connections++
					want.Replays += int64(len(path)) + 1
				}
				known[next], live = true, next
			}
			path += char
			var buf [1000]byte
			m := s.Save()
			n, _, err := s.Read(c, buf[:])
			s.Restore(m)
			if all := directly("a", strings.Split(path, "")); err != nil || string(buf[:n]) != all {
				t.Fatalf("got %q %v, want %q", buf[:n], err, all)
			}
		}
		got := cache.Stats()
		got.BytesIn, got.BytesOut = 0, 0
		if got != want {
			t.Fatalf("got %+v, want %+v\n%s", got, want, cache.Text())
		}
		if told := want.Misses + want.Replays; int64(st.sends) != told {
			t.Fatalf("peers were told %d requests, want %d", st.sends, told)
		}
	})
}

// TestReplayOtherOrder takes another path through a recording than the one that
// was recorded: closes need not be there, everything else must.
func TestReplayOtherOrder(t *testing.T) {
	cache := New(newStage(), Options{})
	s := cache.NewSession()
	c, _, _ := s.Connect("alphabet", "main")
	for _, text := range []string{"1\n", "2\n"} {
		if _, err := s.Write(c, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	rec := checkText(t, cache.Text())
	cache.Close()
	for _, test := range []struct{ script, want string }{
		{"1\n", "A\n"},
		{"1\n|2\n", "A\nB\n"},
		{"1", "alphabet connect main#0: what the peer says after \"1\" is not in the recording"},
		{"1\n2\n", "A\nB\n"},
		{"1\n3\n", `alphabet connect main#0: request "3\n" on connection main#0 is not in the recording`},
	} {
		replay := New(NewReplay(rec, nil), Options{})
		s := replay.NewSession()
		c, _, err := s.Connect("alphabet", "main")
		got := ""
		for _, text := range strings.Split(test.script, "|") {
			if err == nil {
				_, err = s.Write(c, []byte(text))
			}
		}
		var buf [100]byte
		if err == nil {
			var n int
			n, _, err = s.Read(c, buf[:])
			got = string(buf[:n])
		}
		if err == nil {
			err = s.Close(c)
		}
		if err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%q: got %q, want %q", test.script, got, test.want)
		}
	}
	replay := New(NewReplay(rec, nil), Options{})
	if _, _, err := replay.NewSession().Connect("alphabet", "other"); err == nil || err.Error() != "alphabet connect other#0: not in the recording" {
		t.Errorf("another creator: got %v", err)
	}
}

// TestShared lets two sessions share a cache: what one has learnt, the other knows.
func TestShared(t *testing.T) {
	st := newStage()
	cache := New(st, Options{Mode: Linear})
	defer cache.Close()
	done := make(chan string)
	for range 2 {
		go func() {
			s := cache.NewSession()
			c, _, err := s.Connect("alphabet", "main")
			text := ""
			for i := 1; i <= 26 && err == nil; i++ {
				_, err = s.Write(c, fmt.Appendf(nil, "%d\n", i))
				var buf [3]byte
				n, _, _ := s.Read(c, buf[:])
				text += strings.TrimSpace(string(buf[:n]))
			}
			done <- fmt.Sprint(text, err)
		}()
	}
	for range 2 {
		if got, want := <-done, "ABCDEFGHIJKLMNOPQRSTUVWXYZ<nil>"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if st.sends != 27 {
		t.Errorf("peers were told %d requests, want 27", st.sends)
	}
}
