package check

import (
	"errors"
	"strings"
	"unicode"
)

// splitWords returns the words of a line, as a shell does: what stands between quotes is of one word, and a backslash takes the
// next character as it is, but not between single quotes.
func splitWords(line string) (words []string, err error) {
	var word strings.Builder
	begun, quote, plain := false, rune(0), false
	for _, c := range line {
		switch {
		case plain:
			if quote == '"' && c != '"' && c != '\\' {
				word.WriteByte('\\')
			}
			word.WriteRune(c)
			plain = false
		case c == '\\' && quote != '\'':
			plain, begun = true, true
		case c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote, begun = c, true
		case quote == 0 && unicode.IsSpace(c):
			if begun {
				words = append(words, word.String())
			}
			begun = false
			word.Reset()
		default:
			word.WriteRune(c)
			begun = true
		}
	}
	if quote != 0 || plain {
		return nil, errors.New("a quote does not end")
	}
	if begun {
		words = append(words, word.String())
	}
	return words, nil
}
