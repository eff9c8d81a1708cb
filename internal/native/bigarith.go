package native

import (
	"math/bits"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// The vector operations of package math/big, which are assembly in a native
// build. They do what the Go bodies do, word by word in the same order, so that
// slices that overlap give the same results too.

// vectors are the slices of a call: z in words 0 to 2, which is written, and
// then n-1 others of the same length.
func vectors(c *vm.NativeCall, n int, name string) (v [3][]uint, out vm.Outcome) {
	size := c.Word(1)
	for i := 1; i < n; i++ {
		if c.Word(3*i+1) != size {
			return v, c.PanicString(name + " len")
		}
	}
	if size == 0 {
		return v, vm.Done
	}
	if size > mem.MaxSize/8 {
		return v, c.PanicNil()
	}
	for i := range n {
		var p unsafe.Pointer
		if i == 0 {
			p = c.M.Heap.Write(c.Ptr(0), uint32(8*size))
		} else {
			p = c.M.Heap.Read(c.Ptr(3*i), uint32(8*size))
		}
		if p == nil {
			return v, c.PanicNil()
		}
		v[i] = unsafe.Slice((*uint)(p), size)
	}
	return v, vm.Done
}

func addVV(c *vm.NativeCall) vm.Outcome {
	v, out := vectors(c, 3, "addVV")
	if out != vm.Done {
		return out
	}
	z, x, y := v[0], v[1][:len(v[0])], v[2][:len(v[0])]
	carry := uint(0)
	for i := range z {
		z[i], carry = bits.Add(x[i], y[i], carry)
	}
	c.Set(0, uint64(carry))
	return vm.Done
}

func subVV(c *vm.NativeCall) vm.Outcome {
	v, out := vectors(c, 3, "subVV")
	if out != vm.Done {
		return out
	}
	z, x, y := v[0], v[1][:len(v[0])], v[2][:len(v[0])]
	carry := uint(0)
	for i := range z {
		z[i], carry = bits.Sub(x[i], y[i], carry)
	}
	c.Set(0, uint64(carry))
	return vm.Done
}

func lshVU(c *vm.NativeCall) vm.Outcome {
	v, out := vectors(c, 2, "lshVU")
	if out != vm.Done {
		return out
	}
	z, x, s, carry := v[0], v[1], c.Word(6), uint(0)
	switch {
	case s == 0:
		copy(z, x)
	case len(z) > 0:
		s &= 63
		back := (64 - s) & 63
		carry = x[len(z)-1] >> back
		for i := len(z) - 1; i > 0; i-- {
			z[i] = x[i]<<s | x[i-1]>>back
		}
		z[0] = x[0] << s
	}
	c.Set(0, uint64(carry))
	return vm.Done
}

func rshVU(c *vm.NativeCall) vm.Outcome {
	v, out := vectors(c, 2, "rshVU")
	if out != vm.Done {
		return out
	}
	z, x, s, carry := v[0], v[1], c.Word(6), uint(0)
	switch {
	case s == 0:
		copy(z, x)
	case len(z) > 0:
		s &= 63
		back := (64 - s) & 63
		carry = x[0] << back
		for i := 1; i < len(z); i++ {
			z[i-1] = x[i-1]>>s | x[i]<<back
		}
		z[len(z)-1] = x[len(z)-1] >> s
	}
	c.Set(0, uint64(carry))
	return vm.Done
}

func mulAddVWW(c *vm.NativeCall) vm.Outcome {
	v, out := vectors(c, 2, "mulAddVWW")
	if out != vm.Done {
		return out
	}
	z, x := v[0], v[1][:len(v[0])]
	y, carry := uint(c.Word(6)), uint(c.Word(7))
	for i := range z {
		hi, lo := bits.Mul(x[i], y)
		lo, cc := bits.Add(lo, carry, 0)
		z[i], carry = lo, hi+cc
	}
	c.Set(0, uint64(carry))
	return vm.Done
}

func addMulVVWW(c *vm.NativeCall) vm.Outcome {
	v, out := vectors(c, 3, "rshVU") // as its Go body says
	if out != vm.Done {
		return out
	}
	z, x, y := v[0], v[1][:len(v[0])], v[2][:len(v[0])]
	m, carry := uint(c.Word(9)), uint(c.Word(10))
	for i := range z {
		hi, lo := bits.Mul(y[i], m)
		lo, cc := bits.Add(lo, x[i], 0)
		hi += cc
		z[i], cc = bits.Add(lo, carry, 0)
		carry = hi + cc
	}
	c.Set(0, uint64(carry))
	return vm.Done
}

func init() {
	register(Speed, "assembly in a native build", map[string]vm.Native{
		"math/big.addVV":      addVV,
		"math/big.subVV":      subVV,
		"math/big.lshVU":      lshVU,
		"math/big.rshVU":      rshVU,
		"math/big.mulAddVWW":  mulAddVWW,
		"math/big.addMulVVWW": addMulVVWW,
	})
}
