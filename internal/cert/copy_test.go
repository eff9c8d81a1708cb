package cert

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// told returns the events of a script, with what it tells of transitions, and how it ended.
func told(s *Script) (list []string, err error) {
	for {
		e, err := s.Next()
		at, ended := s.Ended()
		list = append(list, fmt.Sprint(e, s.Now(), at, ended))
		if err != nil {
			return list, err
		}
	}
}

// TestCopy: the copy of a script says what the script says.
func TestCopy(t *testing.T) {
	for name, m := range toys {
		for _, kind := range []Kind{Full, Tree} {
			c := open(t, record(t, m, kind, ""))
			script, err := told(c.Script())
			copied, quick := told(c.quick())
			if err != io.EOF || quick != io.EOF || !slices.Equal(script, copied) || len(c.copies) == 0 {
				t.Errorf("%s, %s: got %v %v\nwant %v %v", name, kind, copied, quick, script, err)
			}
		}
	}
	c := open(t, chosen(t))
	script, _ := told(c.Script())
	copied, _ := told(c.quick())
	if !slices.Equal(script, copied) {
		t.Errorf("choices: got %v, want %v", copied, script)
	}
	c = open(t, without(chosen(t), secCopy))
	if copied, err := told(c.quick()); err != io.EOF || !slices.Equal(script, copied) {
		t.Errorf("without a copy: got %v %v, want %v", copied, err, script)
	}
}

// TestCopyPieces: a copy of more than one piece is read to its end, and none of its pieces may be missing.
func TestCopyPieces(t *testing.T) {
	const states = 600_000
	data := line(t, states, nil)
	c := open(t, data)
	if len(c.copies) < 2 {
		t.Fatalf("%d pieces, want several", len(c.copies))
	}
	n := 0
	for s := c.quick(); ; n++ {
		if _, err := s.Next(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if n != 2*(states-1) {
		t.Errorf("got %d events, want %d", n, 2*(states-1))
	}
	c.copies = c.copies[:1]
	if _, err := told(c.quick()); err == nil || !strings.Contains(err.Error(), "states away from the start") {
		t.Errorf("the first piece alone: got %v", err)
	}
}

// TestCopyDamaged: a copy that is damaged is refused, with the reason.
func TestCopyDamaged(t *testing.T) {
	data := record(t, toys["philosophers"], Full, "")
	raw := func() []byte {
		c := open(t, data)
		s, buf, err := readSection(c.r, c.size, c.copies[0].offset, nil)
		if err != nil {
			t.Fatal(err)
		}
		out, err := unpack(s.payload(buf), copyPiece)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}()
	for _, test := range []struct {
		name, want string
		piece      []byte
	}{
		{"nothing", "cannot be here", nil},
		{"cut off", "", raw[:len(raw)/2]},
		{"more", "goes on after its events", append(slices.Clone(raw), 0)},
		{"back at once", "goes on after its events", append([]byte{0, 0}, raw...)},
		{"a step again and again", "", bytes.Repeat([]byte{2}, len(raw))},
		{"too many steps", "cannot be here", append([]byte{0xff, 0xff, 0xff, 0xff, 0x0f}, raw...)},
		{"no number", "cannot be here", bytes.Repeat([]byte{0xff}, 20)},
		{"too much", "unpacked", make([]byte, 3*copyPiece)},
	} {
		c := open(t, replaced(data, secCopy, pack(test.piece)))
		if _, err := told(c.quick()); err == io.EOF || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.name, err, test.want)
		}
	}
}

// replaced returns a certificate with one section of a kind instead of its own.
func replaced(data []byte, kind sectionKind, payload []byte) []byte {
	at := int64(bytes.IndexByte(data, '\n') + 1)
	out := bytes.Clone(data[:at])
	for at < int64(len(data)) {
		s, buf, err := readSection(bytes.NewReader(data), int64(len(data)), at, nil)
		if err != nil {
			panic(err)
		}
		if s.kind == kind {
			buf = appendSection(nil, kind, payload)
		}
		out = append(out, buf...)
		at = s.end()
	}
	return Mend(out)
}
