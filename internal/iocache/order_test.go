package iocache

import (
	"fmt"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
)

// A bank is a transport with one server, which answers each line. What it keeps, all
// connections share, but for those of a server that was started anew.
type bank struct {
	kept     *money
	started  int
	noSecond bool // it cannot be started anew
	answer   func(m *money, start int, line string) string
}

type money struct {
	amount int
	locked bool
}

func (b *bank) Start(id HistoryID) (Peer, error) {
	b.started++
	m := b.kept
	if id.Whole {
		if b.noSecond {
			return nil, diag.Incompletef("there is one")
		}
		m = new(money)
	}
	start := b.started
	return &fake{stage: newStage(), name: "bank", id: id, lines: make(map[Name]string), act: func(f *fake, r Request) {
		f.complete(r, func(line string) { f.say(r.Conn, b.answer(m, start, line)+"\n") })
	}}, nil
}

func keep(m *money, _ int, line string) string {
	switch line {
	case "get":
		return fmt.Sprint(m.amount)
	case "incr":
		m.amount++
		return fmt.Sprint(m.amount)
	case "lock":
		if m.locked {
			return "busy"
		}
		m.locked = true
	case "unlock":
		m.locked = false
	}
	return "ok"
}

// visit makes requests, each on the connection of its creator, which is opened first.
func visit(t *testing.T, s *Session, requests ...string) error {
	t.Helper()
	conns := make(map[string]Conn)
	for _, r := range requests {
		creator, line, _ := strings.Cut(r, " ")
		c, ok := conns[creator]
		var err error
		if !ok {
			c, _, err = s.Connect("bank", creator)
			conns[creator] = c
		}
		if err == nil && line == "close" {
			err = s.Close(c)
		} else if err == nil {
			_, err = s.Write(c, []byte(line+"\n"))
		}
		if err == nil && line != "close" {
			_, _, err = s.Read(c, make([]byte, 64))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func TestOrders(t *testing.T) {
	for _, test := range []struct {
		name   string
		bank   bank
		rule   string
		paths  []string
		depend string // a part of the error
		want   Orders
	}{
		{
			name: "one connection", paths: []string{"a get/a incr"},
			want: Orders{}, // it was told all of it in this order
		},
		{
			name: "nothing is kept", bank: bank{answer: func(_ *money, _ int, line string) string { return line }},
			paths: []string{"a x/b y/a z"},
			// The opening of a connection is a request. Those of b can stand at four places among those of a, of which
			// one is the path itself, and those of a at three among those of b, of which two are the same again.
			want: Orders{Tried: 5, All: 5},
		},
		{
			name: "some orders", bank: bank{answer: func(_ *money, _ int, line string) string { return line }},
			paths: []string{"a 1/b 2/a 3/b 4/a 5/b 6/a 7/b 8/a 9/b 10/a close/b close"},
			want:  Orders{Tried: 9, All: 15},
		},
		{
			name: "a counter", paths: []string{"a incr/b incr"},
			depend: `the connections of bank depend on each other: after "incr\n" on b#0, it has said "1\n" on b#0, by itself "2\n"`,
		},
		{
			// Whole conversations in a row do not show it.
			name: "a lock", paths: []string{"a lock/a unlock/b lock/b unlock"},
			depend: `it has said "busy\n" on a#0, by itself "ok\n"`,
		},
		{
			name: "what was told on another path", paths: []string{"a incr/a get", "a get"},
			depend: `after "get\n" on a#0, it has said "0\n" on a#0, by itself "1\n"`,
		},
		{
			name: "not deterministic", bank: bank{answer: func(_ *money, start int, line string) string { return fmt.Sprint(line, start) }},
			paths: []string{"a x/b y"},
			want:  Orders{All: 4, Untried: "bank does not say the same in each run"},
		},
		{
			// What the rule leaves out differs from run to run, what is kept does not.
			name: "a counter with a ticket", bank: bank{answer: func(m *money, start int, line string) string {
				return fmt.Sprint("ticket ", start, " ", keep(m, start, line))
			}},
			rule: "response: ticket [0-9]+ => ticket", paths: []string{"a incr/b incr"},
			depend: `after "incr\n" on b#0, it has said "ticket 1\n" on b#0, by itself "ticket 2\n"`,
		},
		{
			name: "not to be started anew", bank: bank{noSecond: true},
			paths: []string{"a x/b y"},
			want:  Orders{All: 4, Untried: "there is one"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := test.bank
			b.kept = new(money)
			if b.answer == nil {
				b.answer = keep
			}
			opt := Options{Orders: 9}
			var err error
			if test.rule != "" {
				opt.Rules, err = ParseRules(test.rule)
			}
			c := New(&b, opt)
			defer c.Close()
			s := c.NewSession()
			for _, path := range test.paths {
				m := s.Save()
				if err = visit(t, s, strings.Split(path, "/")...); err != nil {
					break
				}
				s.Restore(m)
			}
			got := Orders{}
			if err == nil {
				got, err = c.TryOrders(nil)
			}
			if _, why := Depends(err); !strings.Contains(why, test.depend) || (test.depend == "") != (err == nil) {
				t.Errorf("got error %v, want %q", err, test.depend)
			}
			if err == nil && got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

// TestOrdersOfMany: of a program that makes many requests, not all orders are made to be counted.
func TestOrdersOfMany(t *testing.T) {
	c := New(&bank{kept: new(money), answer: func(_ *money, _ int, line string) string { return line }}, Options{Orders: 3})
	defer c.Close()
	var requests []string
	for i := range 400 {
		requests = append(requests, fmt.Sprint("a ", i), fmt.Sprint("b ", i), fmt.Sprint("c ", i))
	}
	if err := visit(t, c.NewSession(), requests...); err != nil {
		t.Fatal(err)
	}
	got, err := c.TryOrders(nil)
	if want := (Orders{Tried: 3, All: maxCounted, More: true}); err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}

// TestOrdersEndSearch: a search that was in vain ends at the next request.
func TestOrdersEndSearch(t *testing.T) {
	c := New(&bank{kept: new(money), answer: keep}, Options{Orders: 10})
	defer c.Close()
	s := c.NewSession()
	m := s.Save()
	if err := visit(t, s, "a incr", "b incr"); err != nil {
		t.Fatal(err)
	}
	s.Restore(m)
	err := visit(t, s, "a incr")
	if _, why := Depends(err); why == "" || !c.Caused(err) {
		t.Errorf("got %v, want a dependence that the cache has caused", err)
	}
}

// TestOrdersOfStanding: a search that ends where it has found something does not go
// back, and its last path counts.
func TestOrdersOfStanding(t *testing.T) {
	c := New(&bank{kept: new(money), answer: keep}, Options{Orders: 10})
	defer c.Close()
	if err := visit(t, c.NewSession(), "a incr", "b incr"); err != nil {
		t.Fatal(err)
	}
	_, err := c.TryOrders(nil)
	if _, why := Depends(err); why == "" {
		t.Errorf("got %v, want a dependence", err)
	}
}
