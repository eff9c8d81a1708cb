package peer

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/heddle-mc/heddle/internal/diag"
)

// A Talk is the last exchange with a peer, as far as it is worth showing.
type Talk struct {
	Request string // the last request
	Sent    []byte // its bytes, shortened
	Said    []byte // what the peer has said since, shortened
	Total   int    // how many bytes it has said since
}

// How many bytes of a message, and of a peer's output, an error holds.
const (
	maxShown = 64
	maxTail  = 256
)

func (t *Talk) String() string {
	if t.Request == "" {
		return "nothing was sent, it said " + t.said()
	}
	what := t.Request
	if len(t.Sent) > 0 {
		what += " of " + strconv.QuoteToASCII(string(t.Sent))
	}
	return "after " + what + " it said " + t.said()
}

func (t *Talk) said() string {
	switch {
	case t.Total == 0:
		return "nothing"
	case t.Total > len(t.Said):
		return fmt.Sprintf("%q... (%d bytes)", t.Said, t.Total)
	}
	return strconv.QuoteToASCII(string(t.Said))
}

func (t *Talk) add(data []byte) {
	t.Total += len(data)
	if room := maxShown - len(t.Said); room > 0 {
		t.Said = append(t.Said, data[:min(room, len(data))]...)
	}
}

// A Died is the error of a peer that has ended when it should not have: a server
// that ends before it listens, with a status other than 0 or by a signal, and a
// client that ends before it connects, or by a signal.
type Died struct {
	Peer   string
	Status string // how, for example "exit status 2"
	When   string // for example "before it listened"
	Talk   Talk
	Output string // the end of what it wrote to its standard streams
}

func (e *Died) Error() string {
	return fmt.Sprintf("%s: the peer died (%s) %s: %v%s", e.Peer, e.Status, e.When, &e.Talk, outputTail(e.Output))
}

// ExitCode returns that of an incomplete search.
func (*Died) ExitCode() int { return diag.ExitIncomplete }

// A Hung is the error of a peer that is not quiet within its time limit.
type Hung struct {
	Peer    string
	Limit   time.Duration
	Doing   string // what its threads do, or what it did not do
	Talk    Talk
	Output  string
	Waiting string // what was waited for: "quiet", "listening", "connected"
}

func (e *Hung) Error() string {
	return fmt.Sprintf("%s: the peer is not %s after %v: %v; %s%s", e.Peer, e.Waiting, e.Limit, &e.Talk, e.Doing, outputTail(e.Output))
}

// ExitCode returns that of an incomplete search.
func (*Hung) ExitCode() int { return diag.ExitIncomplete }

// A Flood is the error of a peer that says more than its limit.
type Flood struct {
	Peer  string
	Conn  string
	Limit int
	Talk  Talk
}

func (e *Flood) Error() string {
	return fmt.Sprintf("%s: the peer has said more than %d bytes on connection %s without being asked again: %v", e.Peer, e.Limit, e.Conn, &e.Talk)
}

// ExitCode returns that of an incomplete search.
func (*Flood) ExitCode() int { return diag.ExitIncomplete }

// An Unasked is the error of a peer that was quiet and then spoke, without a
// request on the same history. To take it for the response to the next request
// would be wrong. Either it has a timer, or what was said on another connection
// has an effect on this one.
type Unasked struct {
	Peer string
	Conn string
	What string // data, eof, failed or incoming
	Data []byte // shortened

	one bool // the history is that of one connection
}

func (e *Unasked) Error() string {
	return e.said() + ": if this comes from what was said on another connection, use process mode; if from a timer, give it more patience or a delay"
}

// Depends says that the cause may be what was said on another connection, as
// [iocache.Depends] wants it.
func (e *Unasked) Depends() (peer, why string) {
	if !e.one {
		return "", ""
	}
	return e.Peer, e.said()
}

func (e *Unasked) said() string {
	what := e.What
	if len(e.Data) > 0 {
		what = strconv.QuoteToASCII(string(e.Data))
	}
	return fmt.Sprintf("%s: the peer was quiet and then, unasked, said %s on connection %s", e.Peer, what, e.Conn)
}

// ExitCode returns that of an incomplete search.
func (*Unasked) ExitCode() int { return diag.ExitIncomplete }

// outputTail shows the last lines that a peer has written.
func outputTail(out string) string {
	out = strings.TrimSpace(out)
	if out == "" {
		return ""
	}
	if n := len(out) - maxTail; n > 0 {
		out = "..." + out[n:]
	}
	return "; its output ends with " + strconv.QuoteToASCII(out)
}
