package room

import "golang.org/x/sys/unix"

// resize moves pages of Zeroed to where there is room for more. What was never used of them takes no memory.
func resize(old []byte, n int) ([]byte, error) { return unix.Mremap(old, n, unix.MREMAP_MAYMOVE) }
