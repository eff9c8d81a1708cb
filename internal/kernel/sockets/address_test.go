package sockets

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// FuzzAddress reads address structures: what was read and written is read as the
// same again.
func FuzzAddress(f *testing.F) {
	f.Add(address{ip: loopback4, port: 80}.encode(linux.AF_INET))
	f.Add(address{ip: loopback6, port: 80}.encode(linux.AF_INET6))
	f.Add(address{name: "path"}.encode(linux.AF_UNIX))
	f.Add(address{name: "\x00abstract"}.encode(linux.AF_UNIX))
	f.Add([]byte{linux.AF_UNIX})
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, domain := range []int{linux.AF_INET, linux.AF_INET6, linux.AF_UNIX} {
			a, e := decode(domain, b)
			if e != 0 {
				continue
			}
			if domain == linux.AF_UNIX && len(a.name) == sizeUnix-2 && a.name[0] != 0 {
				continue // there is no room for the NUL, which Linux adds too
			}
			if again, e := decode(domain, a.encode(domain)); e != 0 || again != a {
				t.Errorf("domain %d: got %v %v want %v", domain, again, e, a)
			}
		}
	})
}

// FuzzQuestion reads messages to a name server.
func FuzzQuestion(f *testing.F) {
	f.Add([]byte("\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x03www\x07example\x03org\x00\x00\x01\x00\x01"))
	f.Add([]byte("\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x3fwww"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if name := questionOf(b); len(name) > len(b) {
			t.Errorf("got a name of %d bytes in %d", len(name), len(b))
		}
	})
}
