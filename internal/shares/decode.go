package shares

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
)

// A stack is what a thread was doing, and how often it was seen doing that.
type stack struct {
	names []string // of functions, the innermost first
	count int64
}

var errProfile = errors.New("not a profile")

// decode reads a profile of package runtime/pprof: a message of profile.proto, of which the parts are needed that are named here.
func decode(data []byte) ([]stack, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		return nil, err
	}
	var samples [][2][]uint64        // locations and values
	lines := map[uint64][]uint64{}   // functions by location, the innermost first
	functions := map[uint64]uint64{} // names by function
	var texts []string               // by number
	err = fields(plain, func(field int, _ uint64, part []byte) error {
		switch field {
		case 2:
			var s [2][]uint64
			err := fields(part, func(field int, n uint64, part []byte) error {
				if field == 1 || field == 2 {
					s[field-1] = append(s[field-1], numbers(n, part)...)
				}
				return nil
			})
			samples = append(samples, s)
			return err
		case 4:
			id, list := uint64(0), []uint64(nil)
			err := fields(part, func(field int, n uint64, part []byte) error {
				switch field {
				case 1:
					id = n
				case 4:
					return fields(part, func(field int, n uint64, _ []byte) error {
						if field == 1 {
							list = append(list, n)
						}
						return nil
					})
				}
				return nil
			})
			lines[id] = list
			return err
		case 5:
			id, name := uint64(0), uint64(0)
			err := fields(part, func(field int, n uint64, _ []byte) error {
				switch field {
				case 1:
					id = n
				case 2:
					name = n
				}
				return nil
			})
			functions[id] = name
			return err
		case 6:
			texts = append(texts, string(part))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var list []stack
	for _, s := range samples {
		if len(s[1]) == 0 {
			return nil, errProfile
		}
		out := stack{count: int64(s[1][0])}
		for _, location := range s[0] {
			for _, f := range lines[location] {
				if name := functions[f]; name < uint64(len(texts)) {
					out.names = append(out.names, texts[name])
				}
			}
		}
		list = append(list, out)
	}
	return list, nil
}

// fields calls yield for each field of a message: with a number, or with a part.
func fields(b []byte, yield func(field int, n uint64, part []byte) error) error {
	for len(b) > 0 {
		key, size := binary.Uvarint(b)
		if size <= 0 {
			return errProfile
		}
		b = b[size:]
		n, size := binary.Uvarint(b)
		if size <= 0 || key&7 != 0 && key&7 != 2 { // the others do not occur
			return errProfile
		}
		b = b[size:]
		var part []byte
		if key&7 == 2 {
			if n > uint64(len(b)) {
				return errProfile
			}
			part, b = b[:n], b[n:]
			n = 0
		}
		if err := yield(int(key>>3), n, part); err != nil {
			return err
		}
	}
	return nil
}

// numbers are those of a field that may be repeated: one, or several as a part.
func numbers(n uint64, part []byte) []uint64 {
	if part == nil {
		return []uint64{n}
	}
	var list []uint64
	for len(part) > 0 {
		n, size := binary.Uvarint(part)
		if size <= 0 {
			break
		}
		list, part = append(list, n), part[size:]
	}
	return list
}
