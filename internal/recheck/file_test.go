package recheck

import (
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/hostile"
)

// TestLongHeader: a header that packs well takes no more memory than its file deserves.
func TestLongHeader(t *testing.T) {
	for _, test := range []struct {
		name, text string
		size       int
	}{
		{"long", `{"kind":"full","tool":"` + strings.Repeat("a", 8<<20) + `"}`, 5000},
		{"long in a large file", `{"kind":"full","tool":"` + strings.Repeat("a", 17<<20) + `"}`, maxFile},
		{"sparse", `{"kind":"full","functions":[{}` + strings.Repeat(",{}", 1<<19) + `]}`, 5000},
	} {
		c := &certificate{size: test.size}
		if _, err := attempt(func() header { return c.header(hostile.Pack([]byte(test.text))) }); err == nil {
			t.Errorf("%s: a header of %d bytes is read", test.name, len(test.text))
		}
	}
}
