package kernel

import (
	"bytes"
	"encoding/binary"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// TestOptionsHost: options that programs set for speed, and time limits, are taken and told as by Linux.
func TestOptionsHost(t *testing.T) {
	limit := func(seconds, micros uint64) []byte {
		return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, seconds), micros)
	}
	for _, c := range []struct {
		domain, kind, level, num int
		value                    []byte // nil to ask only
	}{
		{syscall.AF_INET, syscall.SOCK_DGRAM, syscall.IPPROTO_IP, syscall.IP_MTU_DISCOVER, nil},
		{syscall.AF_INET, syscall.SOCK_DGRAM, syscall.IPPROTO_IP, syscall.IP_MTU_DISCOVER, word(2)},
		{syscall.AF_INET, syscall.SOCK_DGRAM, syscall.IPPROTO_IP, syscall.IP_MTU_DISCOVER, word(6)},
		{syscall.AF_INET6, syscall.SOCK_DGRAM, syscall.IPPROTO_IPV6, syscall.IPV6_MTU_DISCOVER, word(3)},
		{syscall.AF_INET, syscall.SOCK_STREAM, syscall.IPPROTO_TCP, 23, nil},
		{syscall.AF_INET, syscall.SOCK_STREAM, syscall.IPPROTO_TCP, 23, word(5)},
		{syscall.AF_INET, syscall.SOCK_STREAM, syscall.SOL_SOCKET, syscall.SO_RCVTIMEO, nil},
		{syscall.AF_INET, syscall.SOCK_STREAM, syscall.SOL_SOCKET, syscall.SO_RCVTIMEO, limit(3, 500000)},
		{syscall.AF_UNIX, syscall.SOCK_STREAM, syscall.SOL_SOCKET, syscall.SO_SNDTIMEO, limit(0, 20000)},
		{syscall.AF_INET, syscall.SOCK_DGRAM, syscall.SOL_SOCKET, syscall.SO_SNDTIMEO, limit(1, 1000000)},
		{syscall.AF_INET, syscall.SOCK_DGRAM, syscall.SOL_SOCKET, syscall.SO_SNDTIMEO, word(1)},
	} {
		k := New(&host.Real{}, Options{})
		fd, e := k.Socket(c.domain, c.kind, 0)
		real, err := syscall.Socket(c.domain, c.kind, 0)
		must(t, e)
		if err == syscall.EAFNOSUPPORT {
			t.Logf("%+v: the host has no such sockets", c)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if c.value != nil {
			_, _, want := syscall.Syscall6(syscall.SYS_SETSOCKOPT, uintptr(real), uintptr(c.level), uintptr(c.num), uintptr(unsafe.Pointer(&c.value[0])), uintptr(len(c.value)), 0)
			if got := k.Setsockopt(fd, c.level, c.num, c.value); got != linux.Errno(want) {
				t.Errorf("%+v: got %v, want %v", c, got, want)
			}
		}
		want := make([]byte, 64)
		size := uint32(len(want))
		_, _, errno := syscall.Syscall6(syscall.SYS_GETSOCKOPT, uintptr(real), uintptr(c.level), uintptr(c.num), uintptr(unsafe.Pointer(&want[0])), uintptr(unsafe.Pointer(&size)), 0)
		got, e := k.Getsockopt(fd, c.level, c.num)
		if e != linux.Errno(errno) || !bytes.Equal(got, want[:size]) {
			t.Errorf("%+v: got %v, %v, want %v, %v", c, got, e, want[:size], errno)
		}
		syscall.Close(real)
	}
	k := New(&host.Real{}, Options{})
	fd, e := k.Socket(syscall.AF_INET, syscall.SOCK_DGRAM, 0)
	must(t, e)
	if e := k.Setsockopt(fd, syscall.IPPROTO_UDP, unix.UDP_SEGMENT, word(1200)); e != linux.ENOPROTOOPT {
		t.Errorf("segments: got %v, want %v", e, linux.ENOPROTOOPT)
	}
	if _, e := k.Getsockopt(fd, syscall.IPPROTO_UDP, unix.UDP_GRO); e != linux.ENOPROTOOPT {
		t.Errorf("joined datagrams: got %v, want %v", e, linux.ENOPROTOOPT)
	}
}
