package iocache

import (
	"regexp"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
)

// A Rule is a message abstraction (paper 000, section 3.4): parts of messages
// are replaced before messages are compared. What is sent and what is read are
// the true bytes, of the first path that got there.
//
// A rule for requests sees the bytes of one write. If it matches, this write is
// one message: it is compared as a whole, and an exempted one (replaced by
// nothing) is still a message at its place. A rule for responses sees what the
// peer said on one connection in one exchange; it matters when a peer is
// restarted and its answers are compared with the cached ones.
type Rule struct {
	Peer      string // the peer it is for; all if empty
	Requests  bool
	Responses bool
	Pattern   *regexp.Regexp
	Replace   string // may use $1, as regexp.Expand does
}

// ParseRule reads a rule from a line:
//
//	[peer PEER ](request|response|message): PATTERN => REPLACEMENT
//
// A message is either of both. The replacement may be empty.
func ParseRule(text string) (Rule, error) {
	var r Rule
	head, tail, ok := strings.Cut(text, ":")
	pattern, replace, arrow := strings.Cut(tail, "=>")
	if !ok || !arrow {
		return r, diag.Usagef("rule %q: want [peer PEER ](request|response|message): PATTERN => REPLACEMENT", text)
	}
	words := strings.Fields(head)
	if len(words) == 3 && words[0] == "peer" {
		r.Peer, words = words[1], words[2:]
	}
	kind := strings.Join(words, " ")
	switch kind {
	case "request":
		r.Requests = true
	case "response":
		r.Responses = true
	case "message":
		r.Requests, r.Responses = true, true
	default:
		return r, diag.Usagef("rule %q: got %q, want request, response or message", text, kind)
	}
	var err error
	if r.Pattern, err = regexp.Compile(strings.TrimSpace(pattern)); err != nil {
		return r, diag.Usagef("rule %q: %v", text, err)
	}
	r.Replace = strings.TrimSpace(replace)
	return r, nil
}

// Rules are applied one after the other.
type Rules []Rule

// request returns what a write is compared as, and whether a rule has matched.
func (rs Rules) request(peer string, data []byte) (canon []byte, matched bool) {
	return rs.apply(peer, data, func(r *Rule) bool { return r.Requests })
}

// response returns what a response is compared as, and whether a rule has matched.
func (rs Rules) response(peer string, data []byte) (canon []byte, matched bool) {
	return rs.apply(peer, data, func(r *Rule) bool { return r.Responses })
}

func (rs Rules) apply(peer string, data []byte, wanted func(*Rule) bool) ([]byte, bool) {
	matched := false
	for i := range rs {
		r := &rs[i]
		if !wanted(r) || r.Peer != "" && r.Peer != peer || !r.Pattern.Match(data) {
			continue
		}
		matched = true
		data = r.Pattern.ReplaceAll(data, []byte(r.Replace))
	}
	return data, matched
}

// write returns the edge of a write.
func (rs Rules) write(peer string, conn int, data []byte) edge {
	e := edge{kind: Write, conn: conn, data: data}
	e.canon, e.rule = rs.request(peer, data)
	if !e.rule {
		e.canon = nil
	}
	return e
}
