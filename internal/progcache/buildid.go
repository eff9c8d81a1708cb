package progcache

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"
	"os"
	"sync"
)

// buildID identifies the running binary by content, so that programs compiled
// by another build of it are not found. It is the build ID that the go command
// stores in binaries or, without one, the hash of the file. It is "" if the
// binary cannot be read.
var buildID = sync.OnceValue(func() string {
	name, err := os.Executable()
	if err != nil {
		return ""
	}
	if id := goBuildID(name); id != "" {
		return id
	}
	f, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
})

// goBuildID returns the note with the go build ID of a 64-bit ELF file, or "". Package
// debug/elf would read all of the file's formats, and bring those of debuggers along.
func goBuildID(name string) string {
	f, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	var h struct {
		Ident                     [16]byte
		Type, Machine             uint16
		Version                   uint32
		Entry, Segments, Sections uint64
		Flags                     uint32
		Size, SegmentSize, Count  uint16
	}
	if binary.Read(f, binary.LittleEndian, &h) != nil || string(h.Ident[:6]) != "\x7fELF\x02\x01" {
		return ""
	}
	for i := range int64(h.Count) {
		var s struct {
			Type, Flags                   uint32
			Offset, Addr, Load, Size, Mem uint64
		}
		at := io.NewSectionReader(f, int64(h.Segments)+i*int64(h.SegmentSize), int64(h.SegmentSize))
		if binary.Read(at, binary.LittleEndian, &s) != nil {
			return ""
		}
		const notes, limit = 4, 1 << 16
		if s.Type != notes || s.Size > limit {
			continue
		}
		data := make([]byte, s.Size)
		if _, err := f.ReadAt(data, int64(s.Offset)); err != nil {
			return ""
		}
		if id := goNote(data); id != "" {
			return id
		}
	}
	return ""
}

// goNote looks for the build ID among notes: each has the lengths of its name and of
// its contents, its kind, and both, filled up to whole words.
func goNote(data []byte) string {
	const buildID = 4
	for len(data) >= 12 {
		name, size := uint64(binary.LittleEndian.Uint32(data)), uint64(binary.LittleEndian.Uint32(data[4:]))
		kind, rest := binary.LittleEndian.Uint32(data[8:]), data[12:]
		start := (name + 3) &^ 3
		if start+size > uint64(len(rest)) {
			return ""
		}
		if kind == buildID && string(rest[:name]) == "Go\x00\x00" {
			return string(rest[start : start+size])
		}
		data = rest[min(start+(size+3)&^3, uint64(len(rest))):]
	}
	return ""
}

// BuildID identifies the running binary by content, "" if that is not known.
func BuildID() string { return buildID() }
