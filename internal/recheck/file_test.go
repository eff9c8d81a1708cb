package recheck

import (
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/hostile"
)

// TestLongHeader: a header that packs well takes no more memory than its file deserves.
func TestLongHeader(t *testing.T) {
	for name, text := range map[string]string{
		"long":   `{"kind":"full","tool":"` + strings.Repeat("a", 8<<20) + `"}`,
		"sparse": `{"kind":"full","functions":[{}` + strings.Repeat(",{}", 1<<19) + `]}`,
	} {
		c := &certificate{size: 5000}
		if _, err := attempt(func() header { return c.header(hostile.Pack([]byte(text))) }); err == nil {
			t.Errorf("%s: a header of %d bytes is read", name, len(text))
		}
	}
}
