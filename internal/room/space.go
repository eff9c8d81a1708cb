package room

import (
	"sync/atomic"
	"unsafe"
)

// held is how many bytes there are outside of the Go heap, used or not.
var held atomic.Int64

// Held returns how many bytes the package has got from the system and not given back, used or not. What is only reserved does not
// count.
func Held() int64 { return held.Load() }

// Reserve asks the host for address space. Nothing of it is writable yet; it is readable (as zeros) if asked for. Neither kind counts
// against the memory that the host promises to have.
func Reserve(size uint64, readable bool) (*Space, error) { return reserve(size, readable) }

// Base returns its first address.
func (s *Space) Base() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s.b)) }

// Commit makes the bytes from one offset up to another one writable. Both are multiples of 4 MB, or the end. Bytes are never made
// writable twice. It fails if the host has no memory.
func (s *Space) Commit(from, to uint64) error {
	if err := s.commit(from, to); err != nil {
		return err
	}
	s.committed += int64(to - from)
	held.Add(int64(to - from))
	return nil
}

// Release gives the addresses back. It does nothing if that was done.
func (s *Space) Release() error {
	if s.b == nil {
		return nil
	}
	err := s.release()
	held.Add(-s.committed)
	s.b, s.committed = nil, 0
	return err
}

// Zeroed returns n bytes of memory, all 0, outside of the Go heap. GiveBack ends their use.
func Zeroed(n int) ([]byte, error) { return counted(zeroed(n, true)) }

// counted counts what the system has given.
func counted(b []byte, err error) ([]byte, error) {
	held.Add(int64(len(b)))
	return b, err
}

// GiveBack returns what Zeroed has returned, all of it, to the host.
func GiveBack(b []byte) error {
	held.Add(-int64(len(b)))
	return giveBack(b)
}
