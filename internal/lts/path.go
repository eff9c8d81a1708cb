package lts

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Path is a list of steps from the initial state on.
type Path []Step

// String returns the path as text: numbers separated by dots, n*k for k times n,
// and "-" for the empty path.
//
//	0.0.0.2.1  is  0*3.2.1
func (p Path) String() string {
	if len(p) == 0 {
		return "-"
	}
	var b strings.Builder
	for i := 0; i < len(p); {
		n := 1
		for i+n < len(p) && p[i+n] == p[i] {
			n++
		}
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(strconv.FormatUint(uint64(p[i]), 10))
		if n > 1 {
			b.WriteByte('*')
			b.WriteString(strconv.Itoa(n))
		}
		i += n
	}
	return b.String()
}

// maxPath bounds the length of a path that is read from text, which can say a
// large number in few letters.
const maxPath = 1 << 24

// ParsePath reads what String returns.
func ParsePath(text string) (Path, error) {
	if text == "-" {
		return Path{}, nil
	}
	p := Path{}
	for field := range strings.SplitSeq(text, ".") {
		number, times, repeated := strings.Cut(field, "*")
		s, err := strconv.ParseUint(number, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("path: step %q is not a number below 2^32", number)
		}
		n := uint64(1)
		if repeated {
			if n, err = strconv.ParseUint(times, 10, 32); err != nil || n < 2 {
				return nil, fmt.Errorf("path: %q: a step is repeated 2 times or more", field)
			}
		}
		if n > maxPath-uint64(len(p)) {
			return nil, fmt.Errorf("path: more than %d steps", maxPath)
		}
		p = append(p, slices.Repeat(Path{Step(s)}, int(n))...)
	}
	return p, nil
}

// AppendBinary appends the path as its length and its steps, in varints.
func (p Path) AppendBinary(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(p)))
	for _, s := range p {
		dst = binary.AppendUvarint(dst, uint64(s))
	}
	return dst
}

// CutPath reads a path that AppendBinary wrote and returns the bytes after it.
func CutPath(data []byte) (Path, []byte, error) {
	n, data, ok := cutUvarint(data)
	if !ok || n > uint64(len(data)) { // a step takes at least one byte
		return nil, nil, fmt.Errorf("path: its length is damaged")
	}
	p := make(Path, n)
	for i := range p {
		var s uint64
		if s, data, ok = cutUvarint(data); !ok || s > 1<<32-1 {
			return nil, nil, fmt.Errorf("path: step %d of %d is damaged", i+1, n)
		}
		p[i] = Step(s)
	}
	return p, data, nil
}

func cutUvarint(data []byte) (uint64, []byte, bool) {
	x, n := binary.Uvarint(data)
	if n <= 0 {
		return 0, nil, false
	}
	return x, data[n:], true
}

// Compare orders paths by length and then by their first difference.
func (p Path) Compare(q Path) int {
	if len(p) != len(q) {
		return len(p) - len(q)
	}
	return slices.Compare(p, q)
}

// Replay goes to the end of a path from the initial state. A step that is not
// enabled means that the path belongs to another system, or to another version
// of this one; the cursor then stands where that was noticed.
func Replay(sys System, p Path) error {
	sys.Reset()
	var enabled []Step
	for i, s := range p {
		enabled = sys.Enabled(enabled[:0])
		if !slices.Contains(enabled, s) {
			return fmt.Errorf("step %d of %d: %d is not enabled: the path belongs to another system", i+1, len(p), s)
		}
		sys.Take(s)
	}
	return nil
}

// MustReplay is Replay for a path that this System or one like it has gone
// before. It does not look whether steps are enabled.
func MustReplay(sys System, p Path) {
	sys.Reset()
	for _, s := range p {
		sys.Take(s)
	}
}
