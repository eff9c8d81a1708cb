package vm

// RoundUpSize is the size that Go's allocator would give an object of n bytes
// without pointers. Natives that make slices use it for their capacity, which
// programs see.
func RoundUpSize(n int) int { return int(roundUpSize(uint64(n), true)) }
