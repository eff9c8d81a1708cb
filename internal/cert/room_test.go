package cert

import (
	"bytes"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/testlong"
)

// line returns a certificate of states one behind the other, which packs very well.
func line(t *testing.T, states int, traffic []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := NewWriter(&b, Header{Kind: Full})
	if err != nil {
		t.Fatal(err)
	}
	for range states - 1 {
		w.Fresh(0)
	}
	if err := w.Close(traffic); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// without returns a certificate without the sections of a kind.
func without(data []byte, kind sectionKind) []byte {
	at := int64(bytes.IndexByte(data, '\n') + 1)
	out := bytes.Clone(data[:at])
	for at < int64(len(data)) {
		s, buf, err := readSection(bytes.NewReader(data), int64(len(data)), at, nil)
		if err != nil {
			panic(err)
		}
		if s.kind != kind {
			out = append(out, buf...)
		}
		at = s.end()
	}
	return Mend(out)
}

func openBytes(data []byte) (*Reader, error) { return Open(bytes.NewReader(data), int64(len(data))) }

// TestRoom: a file that takes much memory is large, and one that is not is refused.
func TestRoom(t *testing.T) {
	for _, test := range []struct {
		name    string
		data    []byte
		want    string
		padding int
	}{
		{"a line", line(t, 250_000, nil), "", 0},
		{"a long line", line(t, 400_000, nil), "is too much for a file of", 15_000},
		{"much traffic", line(t, 10, make([]byte, 3<<20)), "bytes of traffic, which is too much for a file of", 15_000},
	} {
		if len(test.data) < test.padding {
			t.Errorf("%s: got a file of %d bytes, want %d or more", test.name, len(test.data), test.padding)
		}
		read := func(data []byte) error {
			c, err := openBytes(data)
			if err == nil {
				_, err = c.Traffic()
			}
			if err == nil {
				err = c.Cut(3, func(*Part) error { return nil })
			}
			return err
		}
		if err := read(test.data); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if test.want == "" {
			continue
		}
		if err := read(without(test.data, secRoom)); err == nil || !strings.Contains(err.Error(), test.want) && !strings.Contains(err.Error(), "unpacked") {
			t.Errorf("%s, without what makes it large: got %v, want %q", test.name, err, test.want)
		}
	}
}

// TestBombs: no file of a few thousand bytes takes more than 256 MB.
func TestBombs(t *testing.T) {
	var values strings.Builder
	values.WriteString(`{"kind":"full","functions":[{}`)
	for range 1 << 19 {
		values.WriteString(`,{}`)
	}
	values.WriteString(`]}`)
	small := line(t, 10, nil)
	header := appendSection(bytes.Clone(small[:bytes.IndexByte(small, '\n')+1]), secHeader, pack([]byte(values.String())))
	first, _, _ := readSection(bytes.NewReader(small), int64(len(small)), int64(bytes.IndexByte(small, '\n')+1), nil)
	header = Mend(append(header, small[first.end():]...))
	for name, data := range map[string][]byte{
		"deep":           line(t, testlong.Or(100_000, 260_000), nil),
		"deeper":         line(t, 440_000, nil),
		"a long header":  header,
		"same traffic":   line(t, 10, make([]byte, 2<<20)),
		"many like that": line(t, 10, bytes.Repeat([]byte("x\n"), 2<<20)),
	} {
		for kind, read := range map[string]func(c *Reader) error{
			"cut":     func(c *Reader) error { return c.Cut(3, func(*Part) error { return nil }) },
			"greedy":  func(c *Reader) error { _, err := c.Parts(c.Subgraphs.Greedy(3, c.Counts.Transitions)); return err },
			"traffic": func(c *Reader) error { _, err := c.Traffic(); return err },
			"script": func(c *Reader) error {
				s := c.Script()
				for {
					if _, err := s.Next(); err != nil && err != io.EOF {
						return err
					} else if err == io.EOF {
						return nil
					}
				}
			},
		} {
			n := allocated(func() {
				if c, err := openBytes(data); err == nil {
					read(c)
				}
			})
			if n > 256<<20 {
				t.Errorf("%s, %s: %d bytes of a file of %d", name, kind, n, len(data))
			}
		}
	}
	if _, err := openBytes(header); err == nil || !strings.Contains(err.Error(), "too many values") {
		t.Errorf("a header of %d values: got %v", 1<<19, err)
	}
}

// allocated returns how many bytes f allocates, which is more than it ever holds at a time.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
