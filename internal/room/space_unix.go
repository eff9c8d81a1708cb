//go:build unix

package room

import "golang.org/x/sys/unix"

// A Space is a reservation of addresses. Nothing of it takes memory until it is made writable with Commit.
type Space struct {
	b         []byte
	committed int64 // bytes
}

func reserve(size uint64, readable bool) (*Space, error) {
	prot := unix.PROT_NONE
	if readable {
		prot = unix.PROT_READ
	}
	b, err := unix.Mmap(-1, 0, int(size), prot, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		return nil, err
	}
	return &Space{b: b}, nil
}

func (s *Space) commit(from, to uint64) error {
	return unix.Mprotect(s.b[from:to], unix.PROT_READ|unix.PROT_WRITE)
}

func (s *Space) release() error { return unix.Munmap(s.b) }

// zeroed returns memory. If all of it is needed the host should say at once that it has not so much.
func zeroed(n int, all bool) ([]byte, error) {
	flags := unix.MAP_ANON | unix.MAP_PRIVATE
	if !all {
		flags |= unix.MAP_NORESERVE
	}
	return unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, flags)
}

func giveBack(b []byte) error { return unix.Munmap(b) }
