//go:build linux

package fixed

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"
)

// The vDSO is a small library of the kernel that is in the memory of each process. It is the same in all of
// them, at different places.

// A patch is what is written over the beginning of a function of the vDSO.
type patch struct {
	at   uint64 // in the vDSO
	code []byte
}

// patches are those of the vDSO of this kernel, as it is in our own memory.
var patches = sync.OnceValues(func() (list []patch, err error) {
	if err := Supported(); err != nil {
		return nil, err
	}
	at, _, err := vector("self")
	if err != nil || at == 0 {
		return nil, err
	}
	mem, err := os.Open("/proc/self/mem")
	if err != nil {
		return nil, err
	}
	defer mem.Close()
	var image []byte
	for page := make([]byte, os.Getpagesize()); len(image) < 16*len(page); image = append(image, page...) {
		if _, err := mem.ReadAt(page, int64(at)+int64(len(image))); err != nil {
			break // it ends there
		}
	}
	return patchesOf(image)
})

// patchesOf returns the patches of a vDSO: an ELF file whose symbols are at offsets in it.
func patchesOf(image []byte) (list []patch, err error) {
	defer func() {
		if recover() != nil {
			list, err = nil, errors.New("the vDSO of this kernel cannot be read")
		}
	}()
	const (
		sectionSize, symbolSize = 64, 24
		dynamicSymbols          = 11 // SHT_DYNSYM
	)
	u16, u32, u64 := binary.LittleEndian.Uint16, binary.LittleEndian.Uint32, binary.LittleEndian.Uint64
	section := func(i int) []byte { return image[u64(image[40:])+uint64(i*sectionSize):][:sectionSize] }
	data := func(s []byte) []byte { return image[u64(s[24:]):][:u64(s[32:])] }
	for i := range int(u16(image[60:])) {
		s := section(i)
		if u32(s[4:]) != dynamicSymbols {
			continue
		}
		names := data(section(int(u32(s[40:]))))
		for symbols := data(s); len(symbols) >= symbolSize; symbols = symbols[symbolSize:] {
			name, _, _ := bytes.Cut(names[u32(symbols):], []byte{0})
			code, size := replaced[string(name)], u64(symbols[16:])
			if code == nil {
				continue
			}
			if size < uint64(len(code)) {
				return nil, fmt.Errorf("vDSO: %s has %d bytes, want at least %d", name, size, len(code))
			}
			list = append(list, patch{u64(symbols[8:]), code})
		}
	}
	if len(list) == 0 {
		return nil, errors.New("the vDSO of this kernel has none of the functions that tell the time")
	}
	return list, nil
}

// vector returns where the vDSO of a process is, 0 if it has none, and where the kernel has put random bytes for it.
func vector(pid string) (vdso, random uint64, err error) {
	data, err := os.ReadFile("/proc/" + pid + "/auxv")
	if err != nil {
		return 0, 0, err
	}
	const (
		atRandom = 25
		atVDSO   = 33
	)
	for ; len(data) >= 16; data = data[16:] {
		switch value := binary.NativeEndian.Uint64(data[8:]); binary.NativeEndian.Uint64(data) {
		case atRandom:
			random = value
		case atVDSO:
			vdso = value
		}
	}
	return vdso, random, nil
}

// begin makes a program that was just executed ask the kernel.
func (p *process) begin() error {
	list, err := patches()
	if err != nil {
		return err
	}
	vdso, random, err := vector(strconv.Itoa(p.pid))
	if err != nil {
		return gone(err)
	}
	mem, err := os.OpenFile("/proc/"+strconv.Itoa(p.pid)+"/mem", os.O_RDWR, 0)
	if err != nil {
		return gone(err)
	}
	defer mem.Close()
	if random != 0 {
		var b [16]byte
		p.random.Read(b[:])
		if _, err := mem.WriteAt(b[:], int64(random)); err != nil {
			return gone(err)
		}
	}
	for _, x := range list {
		if vdso == 0 {
			break
		}
		if _, err := mem.WriteAt(x.code, int64(vdso+x.at)); err != nil {
			return gone(err)
		}
	}
	return nil
}

// gone forgives an error of a process that has ended meanwhile.
func gone(err error) error {
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, unix.ESRCH) {
		return nil
	}
	return err
}
