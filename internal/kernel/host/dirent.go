package host

import (
	"encoding/binary"
	"strings"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// direntHead is the size of a linux_dirent64 without its name: inode, offset of
// the next one, length, type.
const direntHead = 19

// AppendDirent puts one directory record into the free part of p and returns
// its length, 0 if it does not fit.
func AppendDirent(p []byte, name string, ino uint64, next int64, mode uint32) int {
	n := (direntHead + len(name) + 1 + 7) &^ 7
	if n > len(p) {
		return 0
	}
	clear(p[:n])
	binary.LittleEndian.PutUint64(p, ino)
	binary.LittleEndian.PutUint64(p[8:], uint64(next))
	binary.LittleEndian.PutUint16(p[16:], uint16(n))
	p[18] = byte(mode >> 12 & 15) // the types of records are those of modes
	copy(p[direntHead:], name)
	return n
}

// Names reads all names of a directory of the host, without . and .. .
func Names(h File) ([]string, linux.Errno) {
	var names []string
	buf := make([]byte, 32<<10)
	for {
		n, e := h.Getdents(buf)
		if e != 0 {
			return nil, e
		}
		if n == 0 {
			return names, 0
		}
		for p := buf[:n]; len(p) > direntHead; {
			size := int(binary.LittleEndian.Uint16(p[16:]))
			if size <= direntHead || size > len(p) {
				break
			}
			name, _, _ := strings.Cut(string(p[direntHead:size]), "\x00")
			if name != "." && name != ".." {
				names = append(names, name)
			}
			p = p[size:]
		}
	}
}
