package hostile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Numbers that are the limits of something, or one beyond.
var limits = []uint64{0, 1, 2, 127, 128, 255, 1 << 12, 1<<16 - 1, 1 << 20, 1 << 24, 1 << 26, 1<<26 + 1, math.MaxInt32, math.MaxUint32 - 1, math.MaxUint32,
	1 << 32, 1 << 40, math.MaxInt64, math.MaxInt64 + 1, math.MaxUint64}

// number returns a number that is one of the limits, or near another one.
func number(r *rand.Rand, old uint64) uint64 {
	switch r.IntN(3) {
	case 0:
		return old + 1
	case 1:
		return old - 1
	}
	return pick(r, limits...)
}

// editBytes changes bytes that nothing is known about. It returns what it did.
func editBytes(r *rand.Rand, data []byte) ([]byte, string) {
	data = bytes.Clone(data)
	if len(data) == 0 {
		return append(data, byte(r.Uint32())), "a byte added to nothing"
	}
	at := r.IntN(len(data))
	end := at + 1 + r.IntN(min(len(data)-at, 64))
	switch r.IntN(8) {
	case 0, 1:
		bit := r.IntN(8)
		data[at] ^= 1 << bit
		return data, fmt.Sprintf("bit %d of byte %d", bit, at)
	case 2:
		return data[:at], fmt.Sprintf("cut off at %d", at)
	case 3:
		return slices.Delete(data, at, end), fmt.Sprintf("bytes %d to %d dropped", at, end)
	case 4:
		times := pick(r, 2, 3, 100)
		return slices.Insert(data, at, bytes.Repeat(data[at:end], times-1)...), fmt.Sprintf("bytes %d to %d %d times", at, end, times)
	case 5:
		fill := pick(r, byte(0), 0xff, byte(r.Uint32()))
		for i := at; i < end; i++ {
			data[i] = fill
		}
		return data, fmt.Sprintf("bytes %d to %d are %d", at, end, fill)
	case 6:
		x := pick(r, limits...)
		return slices.Insert(data, at, binary.AppendUvarint(nil, x)...), fmt.Sprintf("number %d at %d", x, at)
	}
	other := r.IntN(len(data))
	data[at], data[other] = data[other], data[at]
	return data, fmt.Sprintf("bytes %d and %d swapped", at, other)
}

// editNumbers changes one of the numbers that data begins with, most often that with an
// index below first. If there are none it changes bytes.
func editNumbers(r *rand.Rand, data []byte, first int) ([]byte, string) {
	var ends []int
	for at := 0; at < len(data); {
		_, n := binary.Uvarint(data[at:])
		if n <= 0 {
			break
		}
		at += n
		ends = append(ends, at)
	}
	if len(ends) == 0 {
		return editBytes(r, data)
	}
	i := r.IntN(len(ends))
	if r.IntN(2) == 0 {
		i = r.IntN(min(first, len(ends)))
	}
	from := 0
	if i > 0 {
		from = ends[i-1]
	}
	old, _ := binary.Uvarint(data[from:])
	x := number(r, old)
	return slices.Concat(data[:from], binary.AppendUvarint(nil, x), data[ends[i]:]), fmt.Sprintf("number %d is %d, was %d", i, x, old)
}

// editLines changes the order of lines, or one of them.
func editLines(r *rand.Rand, data []byte) ([]byte, string) {
	lines := bytes.SplitAfter(data, []byte("\n"))
	at := r.IntN(len(lines))
	what := ""
	switch r.IntN(6) {
	case 0:
		lines, what = slices.Delete(lines, at, at+1), "dropped"
	case 1:
		times := pick(r, 1, 1, 1000)
		lines, what = slices.Insert(lines, at, slices.Repeat(lines[at:at+1], times)...), fmt.Sprintf("%d times more", times)
	case 2:
		other := r.IntN(len(lines))
		lines[at], lines[other] = lines[other], lines[at]
		what = fmt.Sprintf("swapped with %d", other)
	case 3: // a number in it
		what = "without a number"
		digits := func(c rune) bool { return c >= '0' && c <= '9' }
		if from := bytes.IndexFunc(lines[at], digits); from >= 0 {
			n := bytes.IndexFunc(lines[at][from:], func(c rune) bool { return !digits(c) })
			if n < 0 {
				n = len(lines[at]) - from
			}
			x := pick(r, limits...)
			lines[at] = slices.Concat(lines[at][:from], fmt.Append(nil, x), lines[at][from+n:])
			what = fmt.Sprintf("with number %d", x)
		}
	default:
		line, did := editBytes(r, lines[at])
		lines[at], what = line, did
	}
	return bytes.Join(lines, nil), fmt.Sprintf("line %d %s", at, what)
}

// editChoice changes evidence, a list of small numbers: one of them by a little, or as any bytes.
func editChoice(r *rand.Rand, data []byte) ([]byte, string) {
	if len(data) == 0 || r.IntN(4) == 0 {
		return editBytes(r, data)
	}
	at := r.IntN(len(data))
	data = slices.Clone(data)
	data[at] = pick(r, data[at]+1, data[at]^1, 0, 1)
	return data, fmt.Sprintf("choice %d is %d", at, data[at])
}
