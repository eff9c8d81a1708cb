package iocache

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

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
//
// Rules are about bytes. Regular expressions of Go are about characters, so a rule
// sees each byte as the character of the same number (Latin-1): in its pattern \xff is that
// byte, . any byte but the newline, and (?s:.) any at all.
type Rule struct {
	Peer      string // the peer it is for, or the name without number of several that are alike; all if empty
	Requests  bool
	Responses bool
	Pattern   *regexp.Regexp // for characters that stand for bytes
	Replace   string         // the same; may use $1, as regexp.Expand does
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
	pattern = strings.TrimSpace(pattern)
	var err error
	if _, err = regexp.Compile(pattern); err == nil { // first as it was typed, for the words of the error
		r.Pattern, err = regexp.Compile(string(widen([]byte(pattern))))
	}
	if err != nil {
		return r, diag.Usagef("rule %q: %v", text, err)
	}
	r.Replace = string(widen([]byte(strings.TrimSpace(replace))))
	return r, nil
}

// widen returns the text with a character for each byte. It is the data itself if that is ASCII.
func widen(data []byte) []byte {
	i := slices.IndexFunc(data, func(c byte) bool { return c >= utf8.RuneSelf })
	if i < 0 {
		return data
	}
	text := append(make([]byte, 0, 2*len(data)), data[:i]...)
	for _, c := range data[i:] {
		text = utf8.AppendRune(text, rune(c))
	}
	return text
}

// narrow is the inverse of widen.
func narrow(text []byte) []byte {
	data := make([]byte, 0, len(text))
	for _, c := range string(text) {
		data = append(data, byte(c))
	}
	return data
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
	var text []byte // the data, as rules see it
	for i := range rs {
		r := &rs[i]
		if !wanted(r) || !r.about(peer) {
			continue
		}
		if text == nil {
			text = widen(data)
		}
		if r.Pattern.Match(text) {
			matched, text = true, r.Pattern.ReplaceAll(text, []byte(r.Replace))
		}
	}
	if !matched {
		return data, false
	}
	return narrow(text), true
}

// about reports whether a rule is for a peer: it names none, the peer, or those that are alike, of which the peer has a number.
func (r *Rule) about(peer string) bool {
	number, ok := strings.CutPrefix(peer, r.Peer+".")
	return r.Peer == "" || r.Peer == peer || ok && number != "" && strings.Trim(number, "0123456789") == ""
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
