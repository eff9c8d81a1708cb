package cert

import (
	"bytes"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/lts/ltstest"
)

// partFiles writes the parts of a certificate as files.
func partFiles(t testing.TB, c *Reader, k int) (files [][]byte, parts [][]byte) {
	t.Helper()
	err := c.Cut(k, func(p *Part) error {
		var b bytes.Buffer
		if err := WritePart(&b, c, p, []byte("a ticket")); err != nil {
			return err
		}
		files, parts = append(files, b.Bytes()), append(parts, p.Append(nil))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files, parts
}

// TestPartFiles: a part is the same in a file of its own, with what it needs of the certificate.
func TestPartFiles(t *testing.T) {
	for _, traffic := range []string{"", strings.Repeat("said\n", 1<<20)} {
		c := open(t, record(t, ltstest.Philosophers(4, true), Full, traffic))
		files, parts := partFiles(t, c, 5)
		if len(files) != 5 {
			t.Fatalf("got %d parts, want 5", len(files))
		}
		for i, data := range files {
			f, err := OpenPart(bytes.NewReader(data), int64(len(data)))
			if err != nil {
				t.Fatalf("part %d: %v", i+1, err)
			}
			said, err := f.Traffic()
			if err != nil || string(said) != traffic {
				t.Errorf("part %d: got %d bytes of traffic, %v, want %d", i+1, len(said), err, len(traffic))
			}
			if string(f.Ticket) != "a ticket" || !bytes.Equal(f.Data, parts[i]) || f.Part.Number != i+1 || f.Header.Target != c.Header.Target {
				t.Errorf("part %d: got ticket %q, %d bytes, number %d of %q", i+1, f.Ticket, len(f.Data), f.Part.Number, f.Header.Target)
			}
			if again := f.Part.Append(nil); !bytes.Equal(again, parts[i]) {
				t.Errorf("part %d: got other bytes from what was read", i+1)
			}
		}
	}
}

// TestPartFilesTold: one kind of file is not taken for the other.
func TestPartFilesTold(t *testing.T) {
	data := record(t, ltstest.Philosophers(4, true), Full, "")
	files, _ := partFiles(t, open(t, data), 2)
	if _, err := OpenPart(bytes.NewReader(data), int64(len(data))); err == nil || !strings.Contains(err.Error(), "this is a whole certificate") {
		t.Errorf("got %v of a certificate", err)
	}
	if _, err := Open(bytes.NewReader(files[0]), int64(len(files[0]))); err == nil || !strings.Contains(err.Error(), "this is a part of a certificate") {
		t.Errorf("got %v of a part", err)
	}
}

// TestPartFilesDamaged: a part of which a byte is another one, or is missing, is refused.
func TestPartFilesDamaged(t *testing.T) {
	files, _ := partFiles(t, open(t, record(t, ltstest.Philosophers(4, true), Full, "")), 2)
	for i := range files[1] {
		changed := bytes.Clone(files[1])
		changed[i] ^= 4
		for _, data := range [][]byte{changed, files[1][:i]} {
			if _, err := OpenPart(bytes.NewReader(data), int64(len(data))); err == nil {
				t.Fatalf("got no error for byte %d of %d, with %d of them", i, len(files[1]), len(data))
			}
		}
	}
}

// FuzzPartFile: no file makes it crash.
func FuzzPartFile(f *testing.F) {
	files, _ := partFiles(f, open(f, record(f, ltstest.Philosophers(3, true), Full, "said")), 2)
	for _, data := range files {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, err := OpenPart(bytes.NewReader(data), int64(len(data))); err == nil {
			for s := p.Part.Events(); ; {
				if _, err := s.Next(); err != nil {
					break
				}
			}
		}
	})
}
