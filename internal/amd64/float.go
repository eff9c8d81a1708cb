// Package amd64 computes with floating-point numbers as amd64 does, on other processors. Programs under check are those of
// linux/amd64, and their results are the same to the last bit wherever Heddle runs. What differs elsewhere:
//
//   - x*y + z may be computed with one rounding. Here products are rounded, by a conversion that says so.
//   - A NaN that an operation makes has its sign set on amd64, and not on arm64.
//   - Numbers that do not fit become the least integer on amd64, and the nearest on arm64.
//   - Some functions of package math are in assembly on amd64.
//
// On amd64 nothing of this is used but by its tests, which hold it against the processor.
package amd64

import (
	"math"
	"runtime"
)

// Host says that this processor needs no help.
const Host = runtime.GOARCH == "amd64"

const (
	quiet64 = 1 << 51
	quiet32 = 1 << 22
)

// nan is what an operation returns whose result is no number: the first operand that is none, or a new one.
func nan(x, y float64) float64 {
	switch {
	case x != x:
		return math.Float64frombits(math.Float64bits(x) | quiet64)
	case y != y:
		return math.Float64frombits(math.Float64bits(y) | quiet64)
	}
	return math.Float64frombits(0xfff8 << 48)
}

func nan32(x, y float32) float32 {
	switch {
	case x != x:
		return math.Float32frombits(math.Float32bits(x) | quiet32)
	case y != y:
		return math.Float32frombits(math.Float32bits(y) | quiet32)
	}
	return math.Float32frombits(0xffc0 << 16)
}

// Add, Sub, Mul and Div return x+y, x-y, x*y and x/y.
func Add(x, y float64) float64 {
	if r := x + y; r == r {
		return r
	}
	return nan(x, y)
}

func Sub(x, y float64) float64 {
	if r := x - y; r == r {
		return r
	}
	return nan(x, y)
}

func Mul(x, y float64) float64 {
	if r := float64(x * y); r == r {
		return r
	}
	return nan(x, y)
}

func Div(x, y float64) float64 {
	if r := x / y; r == r {
		return r
	}
	return nan(x, y)
}

// Add32, Sub32, Mul32 and Div32 are the same for numbers of 32 bits.
func Add32(x, y float32) float32 {
	if r := x + y; r == r {
		return r
	}
	return nan32(x, y)
}

func Sub32(x, y float32) float32 {
	if r := x - y; r == r {
		return r
	}
	return nan32(x, y)
}

func Mul32(x, y float32) float32 {
	if r := float32(x * y); r == r {
		return r
	}
	return nan32(x, y)
}

func Div32(x, y float32) float32 {
	if r := x / y; r == r {
		return r
	}
	return nan32(x, y)
}

// FMA returns x*y + z with one rounding.
func FMA(x, y, z float64) float64 {
	if r := math.FMA(x, y, z); r == r {
		return r
	}
	if x == x && y == y {
		return nan(z, z)
	}
	return nan(x, y)
}

// Sqrt returns the square root.
func Sqrt(x float64) float64 {
	if r := math.Sqrt(x); r == r {
		return r
	}
	return nan(x, x)
}

// Int64 returns int64(x).
func Int64(x float64) int64 {
	if -1<<63 <= x && x < 1<<63 {
		return int64(x)
	}
	return math.MinInt64
}

// Int32 returns int32(x).
func Int32(x float64) int32 {
	if -1<<31-1 < x && x < 1<<31 {
		return int32(x)
	}
	return math.MinInt32
}

// Uint64 returns uint64(x), as Go's compiler does it: without a jump.
func Uint64(x float64) uint64 {
	low, high := Int64(x), Int64(x-1<<63)
	return uint64(low | high&(low>>63))
}
