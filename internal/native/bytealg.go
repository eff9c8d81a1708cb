package native

import (
	"bytes"

	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// Package internal/bytealg and the functions of strings and bytes that rest on
// its assembly, by the host's package bytes on views of the heap.

// span is the n bytes that words i and i+1 of the window describe: those of a
// string, or of a slice. It reports false if they are not readable.
func span(c *vm.NativeCall, i int) ([]byte, bool) {
	n := c.Word(i + 1)
	if n > mem.MaxSize {
		return nil, false
	}
	return c.M.Heap.Bytes(c.Ptr(i), uint32(n))
}

// Words of a string and of a slice.
const (
	stringWords = 2
	sliceWords  = 3
)

// find1 makes a native of a function of bytes, which take the given words, and
// a byte.
func find1(words int, f func(b []byte, x byte) int) vm.Native {
	return func(c *vm.NativeCall) vm.Outcome {
		b, ok := span(c, 0)
		if !ok {
			return c.PanicNil()
		}
		c.SetInt(0, f(b, byte(c.Word(words))))
		return vm.Done
	}
}

// find2 makes a native of a function of two runs of bytes.
func find2(words int, f func(a, b []byte) int) vm.Native {
	return func(c *vm.NativeCall) vm.Outcome {
		a, ok1 := span(c, 0)
		b, ok2 := span(c, words)
		if !ok1 || !ok2 {
			return c.PanicNil()
		}
		c.SetInt(0, f(a, b))
		return vm.Done
	}
}

func countByte(b []byte, x byte) int { return bytes.Count(b, []byte{x}) }

// makeNoZero allocates bytes. They are zero anyway: what memory held before is
// nothing that a program may see.
func makeNoZero(c *vm.NativeCall) vm.Outcome {
	n := c.Int(0)
	if n < 0 || n > 1<<47 {
		return c.PanicError("makeslice: len out of range")
	}
	if n > mem.MaxSize {
		return c.OutOfMemory()
	}
	size := min(vm.RoundUpSize(n), mem.MaxSize)
	c.M.MakeRoom(uint64(size))
	p := c.M.AllocBytes(size)
	if p == 0 {
		return c.OutOfMemory()
	}
	c.SetPtr(0, p)
	c.SetInt(1, n)
	c.SetInt(2, size)
	return vm.Done
}

// memEqual compares n bytes at two addresses.
func memEqual(c *vm.NativeCall) vm.Outcome {
	n := c.Word(2)
	if n > mem.MaxSize {
		return c.PanicNil()
	}
	equal, ok := c.M.Heap.Equal(c.Ptr(0), c.Ptr(1), uint32(n))
	if !ok {
		return c.PanicNil()
	}
	c.SetBool(0, equal)
	return vm.Done
}

// bytesEqual compares two slices.
func bytesEqual(c *vm.NativeCall) vm.Outcome {
	a, ok1 := span(c, 0)
	b, ok2 := span(c, sliceWords)
	if !ok1 || !ok2 {
		return c.PanicNil()
	}
	c.SetBool(0, bytes.Equal(a, b))
	return vm.Done
}

func init() {
	register(NoBody, "the host's package bytes on views of the heap", map[string]vm.Native{
		"internal/bytealg.Compare":                  find2(sliceWords, bytes.Compare),
		"internal/bytealg.Count":                    find1(sliceWords, countByte),
		"internal/bytealg.CountString":              find1(stringWords, countByte),
		"internal/bytealg.Index":                    find2(sliceWords, bytes.Index),
		"internal/bytealg.IndexString":              find2(stringWords, bytes.Index),
		"internal/bytealg.IndexByte":                find1(sliceWords, bytes.IndexByte),
		"internal/bytealg.IndexByteString":          find1(stringWords, bytes.IndexByte),
		"internal/bytealg.MakeNoZero":               makeNoZero,
		"internal/bytealg.abigen_runtime_cmpstring": find2(stringWords, bytes.Compare),
		"internal/bytealg.abigen_runtime_memequal":  memEqual,
		"runtime.cmpstring":                         find2(stringWords, bytes.Compare),
		"runtime.memequal":                          memEqual,
	})
	register(Speed, "the host's package bytes on views of the heap", map[string]vm.Native{
		"internal/bytealg.CompareString":       find2(stringWords, bytes.Compare),
		"internal/bytealg.Equal":               bytesEqual,
		"internal/bytealg.LastIndexByte":       find1(sliceWords, bytes.LastIndexByte),
		"internal/bytealg.LastIndexByteString": find1(stringWords, bytes.LastIndexByte),
		"strings.Index":                        find2(stringWords, bytes.Index),
		"strings.LastIndex":                    find2(stringWords, bytes.LastIndex),
		"strings.IndexByte":                    find1(stringWords, bytes.IndexByte),
		"strings.Compare":                      find2(stringWords, bytes.Compare),
		"bytes.Index":                          find2(sliceWords, bytes.Index),
		"bytes.LastIndex":                      find2(sliceWords, bytes.LastIndex),
		"bytes.IndexByte":                      find1(sliceWords, bytes.IndexByte),
		"bytes.Compare":                        find2(sliceWords, bytes.Compare),
		"bytes.Equal":                          bytesEqual,
	})
}
