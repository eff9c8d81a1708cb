package plain

import (
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestLine(t *testing.T) {
	for text, want := range map[string]string{
		"as it is, ünd ∀":       "as it is, ünd ∀",
		"":                      "",
		"a\x1b[2Jb":             `a\x1b[2Jb`,
		"a\r\nverified: all":    `a\r\nverified: all`,
		"r\u202eight\u200bless": `r\u202eight\u200bless`,
		"\xff\x9b31m":           `\xff\x9b31m`,
		"\u009b31m\x7f\x00":     `\u009b31m\x7f\x00`,
	} {
		if got := Line(text); got != want {
			t.Errorf("got %q of %q, want %q", got, text, want)
		}
	}
}

func TestText(t *testing.T) {
	if got, want := Text("a\n\tb\r\x1bc"), "a\n\tb\\r\\x1bc"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestShort(t *testing.T) {
	for text, want := range map[string]string{"äöü": "äöü", "äöüä": "äöü…", "a\x1bb": `a\x…`} {
		if got := Short(text, 3); got != want {
			t.Errorf("got %q of %q, want %q", got, text, want)
		}
	}
}

func TestWord(t *testing.T) {
	for text, want := range map[string]string{"100ms": "100ms", "": `""`, " x": `" x"`, "ä": `"\u00e4"`, "a;b": `"a;b"`, "a\x1b": `"a\x1b"`} {
		if got := Word(text); got != want {
			t.Errorf("got %q of %q, want %q", got, text, want)
		}
	}
}

// FuzzLine looks for a text with which something gets through.
func FuzzLine(f *testing.F) {
	f.Add("a\x1b[2Jb\xff\u202e")
	f.Fuzz(func(t *testing.T, text string) {
		got := Line(text)
		if !utf8.ValidString(got) || Line(got) != got {
			t.Errorf("got %q of %q", got, text)
		}
		for _, r := range got {
			if !unicode.IsGraphic(r) {
				t.Errorf("got %q of %q, with %q", got, text, r)
			}
		}
	})
}
