package syntax

import (
	"strings"
	"unicode/utf8"

	"github.com/heddle-mc/heddle/internal/diag"
)

// The kinds of tokens that are not their own text.
const (
	kindName   = "a name"
	kindNumber = "a number"
	kindText   = "a text in quotes"
	kindEnd    = "the end of the text"
)

// A token is a word or a symbol. The kind of keywords and symbols is their text.
type token struct {
	kind string
	text string
	off  int // of its first byte
	at   diag.Pos
}

// found says what the token is in a message.
func (t token) found() string {
	switch {
	case t.kind == kindName, t.kind == kindNumber, t.kind == kindText:
		return t.text
	case t.kind == kindEnd:
		return kindEnd
	case isNameByte(t.kind[0]):
		return "the keyword " + t.kind
	}
	return t.kind
}

// keywords are the words that are never names. The word dist is a keyword only
// before the variables of a distribution, and the words of formulas are none in
// a specification: models that are older than they are use them as names.
var keywords = setOf("sort cons map var eqn glob act proc init struct Bool Pos Nat Int Real List Set Bag FSet FBag " +
	"true false whr end lambda forall exists div mod in delta tau sum block allow hide rename comm")

// symbols, longest first.
var symbols = []string{"||_", "->", "=>", "==", "!=", "<=", ">=", "<|", "|>", "<<", "<>", "++", "||", "&&",
	"(", ")", "[", "]", "{", "}", ",", ";", ":", ".", "#", "?", "=", "<", ">", "+", "-", "*", "/", "!", "|", "@"}

func setOf(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

func isNameByte(c byte) bool {
	return c == '_' || c == '\'' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// A lexer cuts a text into tokens. Columns count bytes.
type lexer struct {
	file   string
	src    string
	off    int
	line   int
	start  int // of the line
	tokens []token
	errs   *errorList
}

func (l *lexer) pos(off int) diag.Pos {
	return diag.Pos{File: l.file, Line: l.line, Col: off - l.start + 1}
}

func (l *lexer) add(kind string, end int) {
	l.tokens = append(l.tokens, token{kind: kind, text: l.src[l.off:end], off: l.off, at: l.pos(l.off)})
	l.off = end
}

func (l *lexer) run() []token {
	l.line = 1
	for l.off < len(l.src) {
		switch c := l.src[l.off]; {
		case c == '\n':
			l.off++
			l.line++
			l.start = l.off
		case c == ' ' || c == '\t' || c == '\r':
			l.off++
		case c == '%':
			for l.off < len(l.src) && l.src[l.off] != '\n' {
				l.off++
			}
		case isDigit(c):
			l.number()
		case isNameByte(c) && c != '\'':
			end := l.off
			for end < len(l.src) && isNameByte(l.src[end]) {
				end++
			}
			kind := kindName
			if w := l.src[l.off:end]; keywords[w] {
				kind = w
			}
			l.add(kind, end)
		default:
			l.symbol()
		}
	}
	l.add(kindEnd, l.off)
	return l.tokens
}

func (l *lexer) number() {
	end := l.off
	for end < len(l.src) && isDigit(l.src[end]) {
		end++
	}
	if l.src[l.off] == '0' && end > l.off+1 {
		l.errs.add(l.pos(l.off), "number %s starts with 0", l.src[l.off:end])
	}
	l.add(kindNumber, end)
}

func (l *lexer) symbol() {
	rest := l.src[l.off:]
	if rest[0] == '"' {
		if n := strings.IndexAny(rest[1:], "\"\n"); n >= 0 && rest[1+n] == '"' {
			l.add(kindText, l.off+n+2)
			return
		}
		l.errs.add(l.pos(l.off), "the quotes are not closed on the line")
		l.off = len(l.src) - len(strings.TrimLeft(rest, "\""))
		return
	}
	for _, s := range symbols {
		if strings.HasPrefix(rest, s) {
			l.add(s, l.off+len(s))
			return
		}
	}
	r, n := utf8.DecodeRuneInString(rest)
	l.errs.add(l.pos(l.off), "character %q is not part of the language", r)
	l.off += n
}
