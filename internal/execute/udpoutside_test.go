package execute_test

import (
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/iocache"
	"github.com/heddle-mc/heddle/internal/kernel/sockets"
	"github.com/heddle-mc/heddle/internal/lts"
)

// letters is a peer for datagrams: it answers each by one whose bytes are greater by
// one. As a client it begins with a datagram of its own.
type letters struct {
	id iocache.HistoryID
	answers
	heard *[]string // by all peers together
}

func (l *letters) Start(id iocache.HistoryID) (iocache.Peer, error) {
	p := &letters{id: id, heard: l.heard}
	if id.Conn.Dir == iocache.In {
		p.out = []iocache.Response{{Kind: iocache.Incoming, Conn: id.Conn}, {Kind: iocache.Data, Conn: id.Conn, Data: iocache.AppendDatagram(nil, iocache.Datagram{Data: []byte("A")})}}
	}
	return p, nil
}

func (l *letters) Do(r iocache.Request) error {
	for stream := r.Data; ; {
		d, rest, ok := iocache.CutDatagram(stream)
		if !ok {
			return nil
		}
		*l.heard = append(*l.heard, string(d.Data))
		answer := slices.Clone(d.Data)
		for i := range answer {
			answer[i]++
		}
		l.out = append(l.out, iocache.Response{Kind: iocache.Data, Conn: r.Conn, Data: iocache.AppendDatagram(nil, iocache.Datagram{Data: answer})})
		stream = rest
	}
}

// answers are what a peer has said and nobody has heard yet.
type answers struct{ out []iocache.Response }

func (a *answers) Poll() (iocache.Response, error) {
	if len(a.out) == 0 {
		return iocache.Response{}, nil
	}
	r := a.out[0]
	a.out = a.out[1:]
	return r, nil
}

func (*answers) Stop() {}

// searchOutside searches a program with peers, all searches with a cache of their own.
func searchOutside(t *testing.T, prog *bytecode.Program, peers []sockets.Peer, w way) (s search, heard []string) {
	t.Helper()
	s = searchWith(t, prog, peers, w, func() iocache.Transport {
		heard = nil
		return &letters{heard: &heard}
	})
	return s, heard
}

// searchWith is searchOutside with peers of any kind.
func searchWith(t *testing.T, prog *bytecode.Program, peers []sockets.Peer, w way, transport func() iocache.Transport) (s search) {
	t.Helper()
	run := func(known execute.Known) (found []*execute.Found, done bool) {
		world := &execute.World{Cache: iocache.New(transport(), iocache.Options{Live: 2}), Peers: peers}
		var made []*execute.System
		w.Known = known
		c := &endCollector{ends: map[string]bool{}}
		if w.Workers < 2 {
			w.Observer = c
		}
		w.All = true
		r, err := explore.Run(func() (lts.System, error) {
			sys, err := execute.NewSystem(prog, execute.Process{Env: []string{}, Dir: "/", World: world}, w.Settings)
			if err == nil {
				made = append(made, sys)
			}
			return sys, err
		}, w.Options)
		if err != nil {
			t.Fatal(err)
		}
		s = search{Result: r}
		for key := range c.ends {
			s.ends = append(s.ends, key)
		}
		slices.Sort(s.ends)
		for _, sys := range made {
			found = append(found, sys.Found())
			sys.Close()
		}
		return found, false
	}
	if w.Reduce {
		check.Settle(execute.Unknown(), run)
	} else {
		check.Settle(execute.Plain(), run)
	}
	return s
}

// TestUDPOutside: searches agree on programs that send datagrams to peers and receive
// theirs.
func TestUDPOutside(t *testing.T) {
	if testing.Short() {
		t.Skip("loads package net")
	}
	server := []sockets.Peer{{Name: "server", UDP: true, Port: 2627}}
	clients := []sockets.Peer{{Name: "client.1", Client: true, UDP: true, Port: 2627}, {Name: "client.2", Client: true, UDP: true, Port: 2627}}
	asks := `
func main() {
	done := make(chan bool)
	for range 2 {
		c, _ := net.Dial("udp", "127.0.0.1:2627")
		go func() {
			c.Write([]byte("1"))
			c.Write([]byte("2"))
			done <- true
		}()
		go func() {
			b := make([]byte, 9)
			for i := range 2 {
				c.Read(b)
				verify.Assert(b[0] == '2'+byte(i))
			}
			done <- true
		}()
	}
	for range 4 {
		<-done
	}
}`
	dials := `
func main() {
	done := make(chan bool)
	for range 2 {
		go func() {
			c, _ := net.Dial("udp", "127.0.0.1:2627")
			c.Write([]byte("1"))
			c.Read(make([]byte, 9))
			done <- true
		}()
	}
	<-done
	<-done
}`
	answers := `
func main() {
	c, _ := net.ListenPacket("udp", ":2627")
	b := make([]byte, 9)
	for {
		n, from, _ := c.ReadFrom(b)
		if b[0] != 'A' {
			panic("answered")
		}
		c.WriteTo(b[:n], from)
	}
}`
	for _, test := range []struct {
		name, udp, body string
		peers           []sockets.Peer
		kinds           []string
		heard           int // datagrams that reach a peer, each once
	}{
		{"reliable", "", asks, server, nil, 4},
		{"each for itself", "", dials, server, nil, 2},
		{"losses", "multiply=1,0", asks, server, []string{"assert", "deadlock", "leak"}, 0},
		{"another order", "send.window=2", asks, server, []string{"assert"}, 0},
		{"received in another order", "receive.window=2", asks, server, []string{"assert"}, 4},
		{"clients", "multiply=1,2", answers, clients, []string{"panic"}, 0},
		{"unreachable", "unreachable", `
func main() {
	c, _ := net.Dial("udp", "127.0.0.1:2627")
	c.Write([]byte("1"))
	if _, err := c.Read(make([]byte, 9)); errors.Is(err, syscall.ECONNREFUSED) {
		panic("refused")
	}
}`, server, []string{"panic"}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			prog := compileText(t, udpHead+test.body)
			settings := udpSettings(t, test.udp)
			plain, heard := searchOutside(t, prog, test.peers, way{Settings: settings})
			if got := plain.kinds(); !slices.Equal(got, test.kinds) {
				t.Errorf("got %v, want %v", plain.found(), test.kinds)
			}
			if test.heard > 0 && len(heard) != test.heard {
				t.Errorf("got %d datagrams that reach a peer, %q, want %d: backtracking repeats no traffic", len(heard), heard, test.heard)
			}
			reduced, _ := searchOutside(t, prog, test.peers, way{Settings: settings, Options: explore.Options{Reduce: true}})
			if c := compareReduced(plain, reduced); c != "" {
				t.Error(c)
			}
			for _, first := range []search{plain, reduced} {
				other, _ := searchOutside(t, prog, test.peers, way{Settings: settings, Options: explore.Options{Reduce: first.Result == reduced.Result, Workers: 2}})
				if c := compareOrder(first, other); c != "" {
					t.Errorf("two workers: %s", c)
				}
			}
			t.Logf("%d states, %d plain, %d datagrams", reduced.States, plain.States, len(heard))
		})
	}
}
