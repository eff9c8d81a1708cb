package iocache

import (
	"fmt"
	"strings"
)

// A stage is a transport whose peers are small programs of this file. It notes
// everything that they are told.
type stage struct {
	started map[string]int // instances, by name of the peer
	told    []string
	running int // peers that were not stopped
	sends   int // requests told
}

func newStage() *stage { return &stage{started: make(map[string]int)} }

// A fake is a peer: it queues what it says.
type fake struct {
	stage    *stage
	name     string // with the number of the instance
	id       HistoryID
	instance int
	act      func(f *fake, r Request) // a zero kind is the start
	lines    map[Name]string          // incomplete lines, by connection
	n        int                      // a counter for act
	queue    []Response
	broken   error // if set, Poll returns it

	// Of machine:
	open map[Name]bool // connections that it can speak on
	deaf map[Name]bool // connections that have failed
	made int           // connections that it has made
}

func (s *stage) Start(id HistoryID) (Peer, error) {
	act := actors[id.Peer]
	if act == nil {
		return nil, fmt.Errorf("there is no peer %s", id.Peer)
	}
	s.started[id.Peer]++
	s.running++
	n := s.started[id.Peer]
	f := &fake{stage: s, name: fmt.Sprintf("%s/%d", id.Peer, n), id: id, instance: n, act: act, lines: make(map[Name]string)}
	act(f, Request{})
	return f, nil
}

func (f *fake) Do(r Request) error {
	what := r.Kind.String()
	if r.Kind == Write {
		what = quote(r.Data)
	}
	f.stage.told = append(f.stage.told, fmt.Sprintf("%s %v %s", f.name, r.Conn, what))
	f.stage.sends++
	f.act(f, r)
	return nil
}

func (f *fake) Poll() (Response, error) {
	if f.broken != nil || len(f.queue) == 0 {
		return Response{}, f.broken
	}
	r := f.queue[0]
	f.queue = f.queue[1:]
	return r, nil
}

func (f *fake) Stop() { f.stage.running-- }

func (f *fake) say(c Name, text string) {
	f.queue = append(f.queue, Response{Kind: Data, Conn: c, Data: []byte(text)})
}

func (f *fake) end(c Name, kind ResponseKind, why string) {
	f.queue = append(f.queue, Response{Kind: kind, Conn: c, Err: why})
}

// complete calls answer for each line that a write completes.
func (f *fake) complete(r Request, answer func(line string)) {
	if r.Kind != Write {
		return
	}
	text := f.lines[r.Conn] + string(r.Data)
	for {
		line, rest, ok := strings.Cut(text, "\n")
		if !ok {
			break
		}
		answer(line)
		text = rest
	}
	f.lines[r.Conn] = text
}

var actors = map[string]func(*fake, Request){
	// Figure 7: the alphabet server, without newlines.
	"letters": func(f *fake, r Request) {
		for _, c := range r.Data {
			f.say(r.Conn, string('A'+rune(c-'1')))
		}
	},
	// Section 2.3: the alphabet server.
	"alphabet": func(f *fake, r Request) {
		f.complete(r, func(line string) {
			var n int
			fmt.Sscan(line, &n)
			f.say(r.Conn, string('A'+rune(n-1))+"\n")
		})
	},
	// RFC 867: speaks first, then closes.
	"daytime": func(f *fake, r Request) {
		if r.Kind == Open {
			f.say(r.Conn, "noon\n")
			f.end(r.Conn, EndOfFile, "")
		}
	},
	// Answers after the end of input.
	"count": func(f *fake, r Request) {
		f.n += len(r.Data)
		if r.Kind == Shutdown {
			f.say(r.Conn, fmt.Sprint(f.n))
			f.end(r.Conn, EndOfFile, "")
		}
	},
	"log": func(f *fake, r Request) {},
	"absent": func(f *fake, r Request) {
		if r.Kind == Open {
			f.end(r.Conn, Refused, "connection refused")
		}
	},
	// Resets the connection after the first line.
	"rude": func(f *fake, r Request) {
		f.complete(r, func(line string) {
			if f.n++; f.n == 1 {
				f.say(r.Conn, "no\n")
				f.end(r.Conn, Failed, "connection reset by peer")
			}
		})
	},
	// Two instances do not answer alike.
	"flaky": func(f *fake, r Request) {
		f.complete(r, func(string) { f.say(r.Conn, fmt.Sprintf("id=%d ok\n", f.instance)) })
	},
	// A chat client: connects, says something, hears what the server sends.
	"chatter": func(f *fake, r Request) {
		if r.Kind == 0 {
			f.end(f.id.Conn, Incoming, "")
			f.say(f.id.Conn, "hello from "+f.id.Conn.String()+"\n")
		}
		f.complete(r, func(line string) {
			if line == "bye" {
				f.end(r.Conn, EndOfFile, "")
			}
		})
	},
	// A client that does not even connect.
	"shy": func(f *fake, r Request) {},
	// A client that makes a second connection when it has heard of the first.
	"twice": func(f *fake, r Request) {
		c := f.id.Conn
		if f.id.Whole {
			c = Name{Dir: In}
		}
		switch {
		case r.Kind == 0:
			f.end(c, Incoming, "")
		case r.Kind == Write && r.Conn == c:
			c.N++
			f.end(c, Incoming, "")
			f.say(c, "again")
		}
	},
	// A file server: what is said on the first connection has effects on others.
	"ftp": func(f *fake, r Request) {
		if r.Kind == Open {
			if f.n++; f.n == 1 {
				f.say(r.Conn, "220 ready\n")
			}
		}
		f.complete(r, func(line string) {
			data := Name{Out, "data", 0}
			switch line {
			case "LIST":
				f.say(data, "file\n")
				f.end(data, EndOfFile, "")
				f.say(r.Conn, "226 sent\n")
			case "QUIT":
				f.say(r.Conn, "221 bye\n")
				f.end(r.Conn, EndOfFile, "")
			}
		})
	},
	// Speaks after it was hung up on.
	"late": func(f *fake, r Request) {
		if r.Kind == Close {
			f.say(r.Conn, "wait")
			f.end(r.Conn, EndOfFile, "")
		}
	},
	// Sends a lot.
	"flood": func(f *fake, r Request) {
		if r.Kind == Write {
			f.say(r.Conn, "0123456789")
		}
	},
	// Breaks down.
	"hung": func(f *fake, r Request) {
		if r.Kind == Write {
			f.broken = fmt.Errorf("peer hung: no answer within its time limit")
		}
	},
}
