package room

import (
	"fmt"
	"sync"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Windows has no memory that can be read before it is promised. So a readable Space is made of many views of one section of zeros, which
// nobody writes; what becomes writable is taken out of it, a view at a time, and replaced by memory of its own.

// viewSize is the size of a view.
const viewSize = 64 << 20

// A Space is a reservation of addresses. Nothing of it takes memory until it is made writable with Commit.
type Space struct {
	b         []byte
	committed int64  // bytes
	views     []bool // of a readable one: which of its views are still of zeros
}

// zeros is the section.
var zeros = sync.OnceValues(func() (windows.Handle, error) {
	return windows.CreateFileMapping(windows.InvalidHandle, nil, windows.PAGE_READWRITE, 0, viewSize, nil)
})

var (
	kernel32      = windows.NewLazySystemDLL("kernel32.dll")
	mapViewOfFile = kernel32.NewProc("MapViewOfFileEx")
)

func reserve(size uint64, readable bool) (*Space, error) {
	const tries = 16
	for try := 0; ; try++ {
		at, err := windows.VirtualAlloc(0, uintptr(size), windows.MEM_RESERVE, windows.PAGE_NOACCESS)
		if err != nil {
			return nil, err
		}
		s := &Space{b: unsafe.Slice((*byte)(address(at)), size)}
		if !readable {
			return s, nil
		}
		if size%viewSize != 0 {
			return nil, fmt.Errorf("%d bytes that can be read: want a multiple of %d", size, viewSize)
		}
		// Views can only be put where nothing is reserved. Somebody else may be faster then.
		if err := windows.VirtualFree(at, 0, windows.MEM_RELEASE); err != nil {
			return nil, err
		}
		if err = s.fill(); err == nil {
			return s, nil
		}
		s.release()
		if try == tries {
			return nil, err
		}
	}
}

// fill puts views of zeros everywhere.
func (s *Space) fill() error {
	section, err := zeros()
	if err != nil {
		return err
	}
	s.views = make([]bool, len(s.b)/viewSize)
	for i := range s.views {
		at, _, err := mapViewOfFile.Call(uintptr(section), windows.FILE_MAP_READ, 0, 0, viewSize, s.view(i))
		if at == 0 {
			return err
		}
		s.views[i] = true
	}
	return nil
}

// view is the address of a view.
func (s *Space) view(i int) uintptr { return uintptr(s.Base()) + uintptr(i)*viewSize }

func (s *Space) commit(from, to uint64) error {
	if s.views == nil {
		_, err := windows.VirtualAlloc(uintptr(s.Base())+uintptr(from), uintptr(to-from), windows.MEM_COMMIT, windows.PAGE_READWRITE)
		return err
	}
	for i := int(from / viewSize); uint64(i)*viewSize < to; i++ {
		if !s.views[i] {
			continue
		}
		if err := windows.UnmapViewOfFile(s.view(i)); err != nil {
			return err
		}
		s.views[i] = false
		if _, err := windows.VirtualAlloc(s.view(i), viewSize, windows.MEM_RESERVE|windows.MEM_COMMIT, windows.PAGE_READWRITE); err != nil {
			panic(fmt.Sprintf("no memory for %d bytes of a table: %v", viewSize, err)) // it can neither be read nor written any more
		}
	}
	return nil
}

func (s *Space) release() (err error) {
	if s.views == nil {
		return windows.VirtualFree(uintptr(s.Base()), 0, windows.MEM_RELEASE)
	}
	for i, zero := range s.views {
		var failed error
		if zero {
			failed = windows.UnmapViewOfFile(s.view(i))
		} else {
			failed = windows.VirtualFree(s.view(i), 0, windows.MEM_RELEASE)
		}
		if failed != nil {
			err = failed
		}
	}
	s.views = nil
	return err
}

func zeroed(n int, _ bool) ([]byte, error) {
	at, err := windows.VirtualAlloc(0, uintptr(n), windows.MEM_RESERVE|windows.MEM_COMMIT, windows.PAGE_READWRITE)
	if err != nil {
		return nil, err
	}
	return unsafe.Slice((*byte)(address(at)), n), nil
}

func giveBack(b []byte) error {
	return windows.VirtualFree(uintptr(unsafe.Pointer(unsafe.SliceData(b))), 0, windows.MEM_RELEASE)
}

// address makes a pointer of what the system has returned, which is outside of what Go's collector moves or frees.
func address(at uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&at)) }
