package iocache

import "strconv"

// A Dir is who opens a connection.
type Dir uint8

// The directions.
const (
	Out Dir = iota // the program under test connects to the peer
	In             // the peer connects, and the program under test accepts
)

// A Name tells the connections with one peer apart: by their creator and that
// creator's own count. So goroutines may open connections in any order. In a
// history of a whole peer the creator of an incoming connection is the peer
// itself: the name is then the peer's count alone.
type Name struct {
	Dir     Dir
	Creator string
	N       int
}

// String returns the name as it stands in the text form: creator#n, or @n for
// connections that the peer has made.
func (n Name) String() string {
	if n.Dir == In && n.Creator == "" {
		return "@" + strconv.Itoa(n.N)
	}
	return quoteName(n.Creator) + "#" + strconv.Itoa(n.N)
}

// A HistoryID names a history: one connection with a peer, or, if Whole is set,
// everything that is said on all connections with it. Conn is then zero.
type HistoryID struct {
	Peer  string
	Whole bool
	Conn  Name
}

// String returns the name as it stands in the text form.
func (id HistoryID) String() string {
	switch {
	case id.Whole:
		return quoteName(id.Peer) + " process"
	case id.Conn.Dir == In:
		return quoteName(id.Peer) + " accept " + id.Conn.String()
	}
	return quoteName(id.Peer) + " connect " + id.Conn.String()
}

// A Transport brings peers to where a new history can begin. Package peer does
// it with processes and sockets, [Replay] with recorded text.
type Transport interface {
	// Start returns a peer that has not yet been told anything in this history.
	// For a whole history, and for a connection that the peer is to make, that
	// is a peer newly launched. For a connection that the program makes it may
	// be a new connection to the peer that is there. The error ends the search.
	Start(id HistoryID) (Peer, error)
}

// A Peer is the live other side of one history. Its methods are called by one
// goroutine at a time. Errors mean that the transport has broken down, and end
// the search; what the program is to see of a failed connection is a [Response].
type Peer interface {
	// Do performs a request. It may return before the peer has taken it in. A
	// write to a connection that has failed is lost, which is no error.
	Do(r Request) error
	// Poll waits until the peer has said something that was not told yet, and
	// tells it, or until it is sure that the peer has said all it will say for
	// now: then it tells Quiet. The cache polls after each request, until Quiet.
	Poll() (Response, error)
	// Stop ends the history: connections are closed, what Start launched ends.
	Stop()
}

// A Prompt is a peer that knows of a connection which was opened that it is there, and
// so was not refused, before the peer is quiet.
type Prompt interface {
	Connected(conn Name) bool
}

// A Hurried is a peer of which it can be said, before it is polled, that it has said all that it said when it was told the
// same before. Then it was waited for until its timers had run out. That is not done again.
type Hurried interface {
	Hurry()
}

// A Lingering is a peer that was quiet, and may have been taken to be so too early, because it has timers. Linger waits until these should have
// run out. The error is that it has said something.
type Lingering interface {
	Linger() error
}

// A Request is what the program under test does to the peer.
type Request struct {
	Kind RequestKind
	Conn Name
	Data []byte // of a Write; valid during the call
}

// A RequestKind is the kind of a request.
type RequestKind uint8

// The kinds of requests.
const (
	Open     RequestKind = iota + 1 // connect
	Write                           // bytes
	Shutdown                        // the program will write no more
	Close                           // the program will neither write nor read any more
	Reset                           // the same, and the peer is to see a reset connection
)

var requestNames = [...]string{Open: "open", Write: "write", Shutdown: "shutdown", Close: "close", Reset: "reset"}

func (k RequestKind) String() string { return requestNames[k] }

// A Response is what the peer does to the program under test.
type Response struct {
	Kind ResponseKind
	Conn Name
	Data []byte // of Data; valid until the next call
	More bool   // of Data: it goes on with the piece before
	Err  string // of Failed and Refused: what happened, as the transport calls it
}

// A ResponseKind is the kind of a response.
type ResponseKind uint8

// The kinds of responses. After EndOfFile, Failed or Refused a connection has no
// further responses.
const (
	Quiet     ResponseKind = iota // nothing: the peer has said all it will say for now
	Data                          // bytes
	EndOfFile                     // the peer will write no more
	Failed                        // the connection is broken, for example reset
	Refused                       // the answer to an Open that did not succeed
	Incoming                      // the peer has made a connection
)

var responseNames = [...]string{Quiet: "quiet", Data: "data", EndOfFile: "eof", Failed: "failed", Refused: "refused", Incoming: "incoming"}

func (k ResponseKind) String() string {
	if int(k) < len(responseNames) {
		return responseNames[k]
	}
	return "response of kind " + strconv.Itoa(int(k))
}
