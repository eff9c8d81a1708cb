package hostile

import (
	"bytes"
	"testing"

	"github.com/heddle-mc/heddle/internal/cert"
)

// TestSums: a certificate that was taken apart and put together is one, and so are many that were changed: it is not
// their sums for which the others are refused. What is changed depends on the seed alone.
func TestSums(t *testing.T) {
	var b bytes.Buffer
	w, err := cert.NewWriter(&b, cert.Header{Kind: cert.Full, Tool: "a tool", Settings: []cert.Pair{{Name: "a", Value: "b"}}})
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		w.Fresh(1)
	}
	if err := w.Close([]byte("some\ntraffic\n")); err != nil {
		t.Fatal(err)
	}
	open := func(data []byte) error {
		_, err := cert.Open(bytes.NewReader(data), int64(len(data)))
		return err
	}
	honest := b.Bytes()
	if err := open(seal(honest[:bytes.IndexByte(honest, '\n')+1], sections(honest))); err != nil {
		t.Errorf("put together: %v", err)
	}
	opened := 0
	for i := range uint64(200) {
		bad, what := Certificate(Dice(1, i), honest)
		if again, _ := Certificate(Dice(1, i), honest); !bytes.Equal(bad, again) {
			t.Errorf("file %d, %s: it is another one the second time", i, what)
		}
		if bytes.Equal(bad, honest) {
			continue
		}
		if open(bad) == nil {
			opened++
		}
	}
	if opened < 40 {
		t.Errorf("%d of 200 changed files are opened, want 40 or more", opened)
	}
}
