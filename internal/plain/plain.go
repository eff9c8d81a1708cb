// Package plain makes texts that somebody else has written fit to be printed: a program
// under check, a certificate, a worker, a peer. What is printed cannot move the cursor, change
// colours, hide a part of itself, or look like a line that Heddle says.
//
//	Line  one line, in which strange characters are escaped
//	Text  the same for several lines
//	Short one line of at most some length
//	Word  a value in a sentence: in quotes, and in ASCII, unless there is nothing strange about it
package plain

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line returns text that can be printed on one line and is valid UTF-8: what cannot be
// printed is escaped as in a Go string.
func Line(text string) string { return escape(text, "") }

// Text is Line for texts that may have several lines, and tabs.
func Text(text string) string { return escape(text, "\n\t") }

// Short returns the beginning of a line, up to some number of characters.
func Short(text string, longest int) string {
	text = Line(text)
	n := 0
	for i := range text {
		if n++; n > longest {
			return text[:i] + "…"
		}
	}
	return text
}

// escape escapes all that cannot be printed, but for some characters.
func escape(text, but string) string {
	plain := func(r rune) bool { return r == ' ' || unicode.IsGraphic(r) || strings.ContainsRune(but, r) }
	if utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return !plain(r) }) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if (r != utf8.RuneError || n > 1) && plain(r) {
			b.WriteString(text[i : i+n])
		} else {
			quoted := strconv.Quote(text[i : i+n])
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		i += n
	}
	return b.String()
}

// wordBytes may stand in a value that is printed as it is.
const wordBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-+./:=@*()[]{}^$,\""

// Word returns a value as it is if there is nothing strange about it, and else in quotes, in ASCII. It cannot look like
// more than it is.
func Word(text string) string {
	if strings.Trim(text, wordBytes) == "" && strings.TrimSpace(text) == text && text != "" {
		return text
	}
	return strconv.QuoteToASCII(text)
}
