package queue

import (
	"strings"
	"testing"
)

// TestJoin: what is printed is read back, and what is cut off or something else is refused.
func TestJoin(t *testing.T) {
	pin := strings.Repeat("0a", 32)
	for _, addr := range []string{"127.0.0.1:4222", "[::1]:4222", "a.example:1"} {
		j := Join{addr, "token", pin}
		if got, err := ParseJoin(j.String()); err != nil || got != j || got.URL() != "tls://"+addr {
			t.Errorf("%s: got %+v, %v", j, got, err)
		}
	}
	for _, text := range []string{
		"", "nats://127.0.0.1:4222", "heddle://127.0.0.1:4222/" + pin, "heddle://t@127.0.0.1/" + pin,
		"heddle://t@127.0.0.1:1", "heddle://t@127.0.0.1:1/" + pin[2:], "heddle://@127.0.0.1:1/" + pin,
	} {
		if got, err := ParseJoin(text); err == nil {
			t.Errorf("%q: got %+v", text, got)
		}
	}
}
