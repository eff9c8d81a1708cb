package cert

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Nearly all of a header are the hashes of functions, and of a small program it takes as long to decode them as a tenth of its states. They are
// a list of pairs of plain words, which is read here; what is not written as the writer does it is left to package json, so that the same headers are taken, and mean the same.

// readHeader reads the text of a header.
func readHeader(text []byte, h *Header) error {
	if rest, functions, ok := cutFunctions(text); ok {
		var own struct {
			Header
			Functions occurrences `json:"functions"` // the one in the Header is below it
		}
		if err := decodeHeader(rest, &own); err == nil && own.Functions == 1 {
			*h = own.Header
			h.Functions = functions
			return nil
		}
	}
	return decodeHeader(text, h)
}

// occurrences counts how often a field is there. The last one counts.
type occurrences int

func (n *occurrences) UnmarshalJSON([]byte) error {
	*n++
	return nil
}

// decodeHeader reads the one value in a text.
func decodeHeader(text []byte, h any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(h); err != nil {
		return err
	}
	if d.More() {
		return fmt.Errorf("something follows the header")
	}
	return nil
}

// cutFunctions takes the functions out of a header, in which an empty list is left. A quotation mark within a text has a backslash before it, so
// what it looks for is the name of a field: that of another value is one that decodeHeader does not know.
func cutFunctions(text []byte) (rest []byte, list []Pair, ok bool) {
	const field = `"functions":[`
	at := bytes.Index(text, []byte(field))
	if at < 0 {
		return nil, nil, false
	}
	at += len(field)
	all := string(text[at:])
	left := all
	list = make([]Pair, 0, strings.Count(all, "},{")+1)
	for {
		var p Pair
		if p.Name, left, ok = cutWord(left, `{"name":"`); !ok {
			return nil, nil, false
		}
		if p.Value, left, ok = cutWord(left, `,"value":"`); !ok || len(left) < 2 || left[0] != '}' {
			return nil, nil, false
		}
		list = append(list, p)
		end := left[1]
		if left = left[2:]; end == ']' {
			break
		} else if end != ',' {
			return nil, nil, false
		}
	}
	return append(text[:at:at], text[at+len(all)-len(left)-1:]...), list, true
}

// cutWord returns a text that comes after a prefix, up to its quotation mark, if it means itself.
func cutWord(s, prefix string) (word, rest string, ok bool) {
	if s, ok = strings.CutPrefix(s, prefix); !ok {
		return "", "", false
	}
	if word, rest, ok = strings.Cut(s, `"`); !ok || !utf8.ValidString(word) {
		return "", "", false
	}
	for i := range len(word) {
		if word[i] < ' ' || word[i] == '\\' {
			return "", "", false
		}
	}
	return word, rest, true
}
