package vm

import (
	"math/bits"
)

// Capacities are visible to programs, so slices grow exactly as those of the gc
// runtime do: see nextslicecap and growslice in runtime/slice.go, roundupsize in
// runtime/msize.go, and the table in internal/runtime/gc/sizeclasses.go.

const (
	maxAlloc         = 1 << 48
	maxSmallSize     = 32768
	smallSizeMax     = 1024
	mallocHeaderSize = 8
	minSizeForHeader = 512
	pageSize         = 8192
)

var sizeClasses = [...]uint16{
	8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256, 288, 320, 352, 384, 416, 448,
	480, 512, 576, 640, 704, 768, 896, 1024, 1152, 1280, 1408, 1536, 1792, 2048, 2304, 2688, 3072, 3200, 3456,
	4096, 4864, 5376, 6144, 6528, 6784, 6912, 8192, 9472, 9728, 10240, 10880, 12288, 13568, 14336, 16384, 18432,
	19072, 20480, 21760, 24576, 27264, 28672, 32768,
}

var class8, class128 = sizeTables()

// sizeTables tabulates the class sizes by the number of 8 byte units of small
// sizes, and of 128 byte units of the part of larger ones above smallSizeMax.
func sizeTables() (by8 [smallSizeMax/8 + 1]uint16, by128 [(maxSmallSize-smallSizeMax)/128 + 1]uint16) {
	fit := func(n int) uint16 {
		for _, c := range sizeClasses {
			if int(c) >= n {
				return c
			}
		}
		return 0
	}
	for i := range by8 {
		by8[i] = fit(i * 8)
	}
	by8[0] = 0
	for i := range by128 {
		by128[i] = fit(smallSizeMax + i*128)
	}
	return by8, by128
}

// roundUpSize is the size of the block that Go allocates for a size.
func roundUpSize(size uint64, noscan bool) uint64 {
	req := size
	if req <= maxSmallSize-mallocHeaderSize {
		if !noscan && req > minSizeForHeader {
			req += mallocHeaderSize
		}
		if req <= smallSizeMax-8 {
			return uint64(class8[(req+7)/8]) - (req - size)
		}
		return uint64(class128[(req-smallSizeMax+127)/128]) - (req - size)
	}
	req += pageSize - 1
	if req < size {
		return size
	}
	return req &^ (pageSize - 1)
}

// nextCap is the capacity that append asks for.
func nextCap(newLen, oldCap uint64) uint64 {
	if newLen > 2*oldCap {
		return newLen
	}
	const threshold = 256
	if oldCap < threshold {
		return 2 * oldCap
	}
	c := oldCap
	for {
		c += (c + 3*threshold) >> 2
		if c >= newLen {
			break
		}
	}
	if int64(c) <= 0 {
		return newLen
	}
	return c
}

// growCap is the capacity, and its size in bytes, of the memory that append
// moves to. It reports false if that is beyond any address space.
func growCap(newLen, oldCap, elemSize uint64, noscan bool) (c, size uint64, ok bool) {
	if int64(newLen) < 0 {
		return 0, 0, false
	}
	size, ok = arraySize(elemSize, nextCap(newLen, oldCap))
	if !ok {
		return 0, 0, false
	}
	size = roundUpSize(size, noscan)
	switch elemSize {
	case 1:
		c = size
	case 8:
		c = size / 8
	default:
		c = size / elemSize
		size = c * elemSize
	}
	return c, size, size <= maxAlloc
}

// arraySize multiplies and reports whether the product is a possible size.
func arraySize(elemSize, n uint64) (uint64, bool) {
	hi, lo := bits.Mul64(elemSize, n)
	return lo, hi == 0 && lo <= maxAlloc
}
