package iocache

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
)

// A Divergence is the error of linear mode: in another schedule the program made
// another request at the same place (paper 000, the "abort" of algorithms 2 and 5).
type Divergence struct {
	History    HistoryID
	At         int         // where they part, in bytes (and other requests) after the opening
	Before     []byte      // what was written on the connection before that
	CachedKind RequestKind // what the cache has there
	Cached     []byte      // its bytes, up to where it was next polled
	NowKind    RequestKind // what the program does now
	Now        []byte      // its bytes
}

func (d *Divergence) Error() string {
	return fmt.Sprintf("%v: requests differ at byte %d: cached %s, now %s: they depend on the schedule: use tree mode, or a rule that makes them equal",
		d.History, d.At, sequence(d.Before, d.CachedKind, d.Cached), sequence(d.Before, d.NowKind, d.Now))
}

// ExitCode returns that of an incomplete search.
func (d *Divergence) ExitCode() int { return diag.ExitIncomplete }

// A Nondeterminism is the error of a peer that was given the same requests again
// and responded otherwise. The papers cannot see it.
type Nondeterminism struct {
	History   HistoryID
	Conn      Name
	At        int    // the exchange, counted from 1; 0 is what the peer says by itself
	Request   string // of the exchange
	Cut       bool   // the request was a part of the one whose response was cached
	Cached    []byte // first response
	CachedEnd ResponseKind
	CachedErr string
	Now       []byte // response after the restart
	NowEnd    ResponseKind
	NowErr    string

	rules Rules // those that there were
}

// Diff shows where the two answers differ, as rules see them, in some lines. It is empty if only
// their ends differ, or if one was to a part of the request.
func (e *Nondeterminism) Diff() string {
	a, b, ok := e.differ()
	if !ok {
		return ""
	}
	return diff(a, b)
}

// Cover returns rules that make the two answers equal, as they stand after -rule. If there are none, why may
// say the reason.
func (e *Nondeterminism) Cover() (rules []string, why string) {
	a, b, ok := e.differ()
	if !ok || e.CachedEnd != e.NowEnd || e.CachedErr != e.NowErr {
		return nil, ""
	}
	names, why := readyFor(a, b)
	switch {
	case why != "":
		return nil, fmt.Sprintf("no rule is enough (%s): %s", strings.Join(names, ", "), why)
	case len(names) > 0:
		return names, ""
	}
	return covering(a, b), ""
}

// differ returns the two answers without what rules leave out, and whether they differ.
func (e *Nondeterminism) differ() (a, b []byte, ok bool) {
	a, _ = e.rules.response(e.History.Peer, e.Cached)
	b, _ = e.rules.response(e.History.Peer, e.Now)
	return a, b, !e.Cut && !bytes.Equal(a, b)
}

func (e *Nondeterminism) Error() string {
	at := ""
	cached, now := response(e.Cached, e.CachedEnd, e.CachedErr, e.Now), response(e.Now, e.NowEnd, e.NowErr, e.Cached)
	if !e.History.Whole {
		at = fmt.Sprintf("%v: ", e.History)
	} else {
		at = fmt.Sprintf("%v: connection %v: ", e.History, e.Conn)
	}
	if e.Cut {
		return fmt.Sprintf("%sthe peer is nondeterministic: a longer request was answered with %s, its first part %s (exchange %d) with %s", at, cached, e.Request, e.At, now)
	}
	return fmt.Sprintf("%sthe peer is nondeterministic: exchange %d (%s) was answered with %s, and after a restart with %s", at, e.At, e.Request, cached, now)
}

// ExitCode returns that of an incomplete search.
func (e *Nondeterminism) ExitCode() int { return diag.ExitIncomplete }

// sequence shows what was requested before and at the place of interest.
func sequence(before []byte, kind RequestKind, data []byte) string {
	if kind == Write {
		return excerpt(append(before[:len(before):len(before)], data...), len(before))
	}
	return excerpt(before, len(before)) + " and " + kind.String()
}

// response shows what was responded, around where it differs from other.
func response(data []byte, end ResponseKind, why string, other []byte) string {
	text := excerpt(data, common(data, other))
	switch {
	case end == Quiet && len(data) == 0:
		return "nothing"
	case end == Quiet:
		return text
	case len(data) == 0:
		text = end.String()
	default:
		text += " and " + end.String()
	}
	if why != "" {
		text += " (" + why + ")"
	}
	return text
}

// excerpt quotes the bytes around a place.
func excerpt(data []byte, at int) string {
	const around = 32
	left, right := "", ""
	if at > around {
		data, left = data[at-around:], "..."
		at = around
	}
	if len(data) > at+around {
		data, right = data[:at+around], "..."
	}
	return left + strconv.QuoteToASCII(string(data)) + right
}

// text shows a request.
func (e *edge) text() string {
	switch {
	case e.kind == 0:
		return "start"
	case e.kind == Write:
		return excerpt(e.data, 0)
	}
	return e.kind.String()
}
