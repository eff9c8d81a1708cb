package iocache

import (
	"fmt"
	"slices"
)

func init() { actors["machine"] = machine }

// machine is a peer whose responses depend on everything it was told, byte by
// byte, and not on how the bytes were cut: a newline is answered with a digest
// on all connections, q ends the responses of a connection, r breaks it, and c
// makes a new connection if the history is that of the whole peer. Digits are
// ignored.
func machine(f *fake, r Request) {
	if f.open == nil {
		f.open, f.deaf = make(map[Name]bool), make(map[Name]bool)
	}
	note := func(c byte) { f.n = (f.n*31 + int(c) + int(tagOf(r.Conn)%97)) % 99991 }
	switch r.Kind {
	case 0:
		if !f.id.Whole && f.id.Conn.Dir == In {
			f.incoming(f.id.Conn)
		}
	case Open:
		if r.Conn.Creator == "x" && r.Conn.N%2 == 0 {
			f.end(r.Conn, Refused, "connection refused")
			return
		}
		f.open[r.Conn] = true
		if r.Conn.Creator == "b" {
			f.say(r.Conn, "hello ")
		}
	case Write:
		for _, c := range r.Data {
			if f.deaf[r.Conn] {
				return
			}
			if '0' <= c && c <= '9' {
				continue
			}
			note(c)
			f.hear(r.Conn, c)
		}
	case Shutdown:
		note('$')
		if f.open[r.Conn] {
			f.say(r.Conn, fmt.Sprintf("bye %d", f.n))
			f.finish(r.Conn, EndOfFile, "")
		}
	case Close, Reset:
		note('%')
		delete(f.open, r.Conn)
	}
}

// hear reacts to one byte.
func (f *fake) hear(conn Name, c byte) {
	switch c {
	case '\n':
		var names []Name
		for name := range f.open {
			names = append(names, name)
		}
		slices.SortFunc(names, Name.compare)
		for _, name := range names {
			f.say(name, fmt.Sprintf("%d;", f.n))
		}
	case 'q':
		if f.open[conn] {
			f.finish(conn, EndOfFile, "")
		}
	case 'r':
		if f.open[conn] {
			f.finish(conn, Failed, "connection reset by peer")
			f.deaf[conn] = true
		}
	case 'c':
		if f.id.Whole {
			f.incoming(Name{Dir: In, N: f.made})
		}
	}
}

// finish ends what is said on a connection.
func (f *fake) finish(c Name, kind ResponseKind, why string) {
	f.end(c, kind, why)
	delete(f.open, c)
}

// incoming makes a connection.
func (f *fake) incoming(c Name) {
	f.made++
	f.open[c] = true
	f.end(c, Incoming, "")
	f.say(c, "hi ")
}
