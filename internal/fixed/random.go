//go:build linux

package fixed

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/intercept"
)

// stream returns the random numbers of a process: the n-th one that was seen of a run. Peers that are alike but for their
// names have different ones, as they have natively.
func stream(name string, n int) *rand.ChaCha8 {
	return rand.NewChaCha8(sha256.Sum256(fmt.Appendf(nil, "%d %s", n, name)))
}

// maxRandom is how many bytes are given at once. Who wants more asks again.
const maxRandom = 64 << 10

// getrandom answers the call of that name.
func (p *process) getrandom(c *intercept.Call) intercept.Answer {
	b := make([]byte, min(c.Args[1], maxRandom))
	p.random.Read(b)
	if !c.Write(c.Args[0], b) {
		return intercept.Done(-int64(unix.EFAULT))
	}
	return intercept.Done(int64(len(b)))
}

// deviceSize is how much can be read from a device of random numbers each time that it is opened.
const deviceSize = 1 << 20

// open lets files be opened, but for devices of random numbers: instead of them there is a file with some. (A pipe
// would have no end, but who waits for us to fill it looks as if it waited for input.)
func (p *process) open(c *intercept.Call, path, flags uint64) intercept.Answer {
	if !isDevice(c, path) {
		return intercept.Answer{}
	}
	fd, err := unix.MemfdCreate("random", unix.MFD_CLOEXEC)
	if err != nil {
		return intercept.Done(-int64(unix.ENFILE))
	}
	b := make([]byte, deviceSize)
	p.random.Read(b)
	if n, err := unix.Pwrite(fd, b, 0); err != nil || n < len(b) {
		unix.Close(fd)
		return intercept.Done(-int64(unix.ENOMEM))
	}
	return intercept.Opened(fd, flags&unix.O_CLOEXEC != 0)
}

// isDevice reports whether a path in the memory of the caller is that of a device of random numbers.
func isDevice(c *intercept.Call, path uint64) bool {
	for _, name := range []string{"/dev/urandom\x00", "/dev/random\x00"} {
		b := make([]byte, len(name))
		if c.Read(path, b) && bytes.Equal(b, []byte(name)) {
			return true
		}
	}
	return false
}
