package iocache

import "github.com/heddle-mc/heddle/internal/diag"

// Replay is a [Transport] made of a recording: its peers say what the recorded
// ones said, and break down when they are told what was not recorded.
type Replay struct {
	rec   *Recording
	rules Rules
}

// NewReplay returns a transport. The rules are those of the cache that it is for.
func NewReplay(rec *Recording, rules Rules) *Replay { return &Replay{rec, rules} }

// Start returns a peer at the beginning of a recorded history.
func (r *Replay) Start(id HistoryID) (Peer, error) {
	h := r.rec.histories[id]
	if h == nil {
		return nil, diag.Incompletef("%v: not in the recording", id)
	}
	return &replayed{h: h, rules: r.rules, pos: pos{n: h.root}, told: make([]view, len(h.conns))}, nil
}

// A replayed peer is a position in a recorded history and what was told of it.
type replayed struct {
	h        *history
	rules    Rules
	pos      pos
	told     []view
	incoming int
}

// Do moves along the recording.
func (r *replayed) Do(q Request) error {
	conn := r.h.find(q.Conn)
	if conn < 0 {
		return diag.Incompletef("%v: connection %v is not in the recording", r.h.id, q.Conn)
	}
	e := edge{kind: q.Kind, conn: conn}
	if q.Kind == Write {
		e = r.rules.write(r.h.id.Peer, conn, q.Data)
	}
	if left := r.h.follow(&r.pos, e); left.kind != 0 {
		if !r.h.id.Whole && e.ends() {
			return nil // nothing follows, so nothing can differ
		}
		return diag.Incompletef("%v: request %s on connection %v is not in the recording", r.h.id, left.text(), q.Conn)
	}
	return nil
}

// Poll tells the next thing that the recorded peer said here.
func (r *replayed) Poll() (Response, error) {
	n := r.pos.known(-1)
	if n != nil && r.incoming < n.incoming {
		r.incoming++
		return Response{Kind: Incoming, Conn: r.h.incoming(r.incoming - 1)}, nil
	}
	for _, conn := range r.h.byName() {
		if n = r.pos.known(conn); n == nil {
			break
		}
		name, was, now := r.h.conns[conn].name, &r.told[conn], n.limit(conn)
		if was.n < now.n {
			from, data := was.n, now.piece(was.n)
			was.n += len(data)
			return Response{Kind: Data, Conn: name, Data: data, More: !now.begins(from)}, nil
		}
		if was.end != now.end {
			was.end = now.end
			return Response{Kind: now.end, Conn: name, Err: now.why}, nil
		}
	}
	if n == nil {
		e := r.pos.n.edge
		if e.plain() {
			e.data = e.data[:r.pos.d-r.pos.n.start]
		}
		return Response{}, diag.Incompletef("%v: what the peer says after %s is not in the recording", r.h.id, e.text())
	}
	return Response{Kind: Quiet}, nil
}

// Stop does nothing.
func (r *replayed) Stop() {}
