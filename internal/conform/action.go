package conform

import "strings"

// plain returns the text of an action without the spaces that mean nothing.
func plain(text string) string {
	text = strings.TrimSpace(text)
	var b strings.Builder
	for i := range len(text) {
		if text[i] == ' ' && !(wordAt(text, i-1) && wordAt(text, i+1)) {
			continue
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// wordAt reports whether a letter of a name or number is at a place of a text.
func wordAt(text string, i int) bool {
	c := text[i]
	return c == '_' || c == '\'' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

const (
	before = "([{,"
	after  = ")]},"
)

// matches reports whether an observed action is that of a label. An argument _ of
// it is any argument. Both are plain.
func matches(observed, label string) bool {
	k := 0
	for i := range len(observed) {
		if leftOpen(observed, i) {
			k = argumentEnd(label, k)
			continue
		}
		if k >= len(label) || observed[i] != label[k] {
			return false
		}
		k++
	}
	return k == len(label)
}

// leftOpen reports whether at a place is an argument _.
func leftOpen(text string, i int) bool {
	return text[i] == '_' && i > 0 && strings.IndexByte(before, text[i-1]) >= 0 &&
		i+1 < len(text) && strings.IndexByte(after, text[i+1]) >= 0
}

// argumentEnd returns where the argument ends that begins at a place.
func argumentEnd(text string, i int) int {
	for depth := 0; i < len(text); i++ {
		switch text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth == 0 {
				return i
			}
			depth--
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	return i
}
