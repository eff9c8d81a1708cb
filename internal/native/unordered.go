package native

import (
	"strings"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/vm"
)

// The race detector orders by what is written to descriptors and read from them (syscall.Write and Read, and their like), and not by what
// others can see of the calls here. A search orders by both.

// unorderedEnds are the system calls by which one goroutine lets another go on that waits at the other end of a descriptor.
var unorderedEnds = map[string]bool{"close": true, "shutdown": true, "sendto": true, "sendmsg": true, "writev": true, "dup2": true, "dup3": true}

// unorderedCalls are other ones, which another can see who looks for a file.
var unorderedCalls = map[string]bool{"mkdirat": true, "unlinkat": true, "renameat": true, "linkat": true, "symlinkat": true, "ftruncate": true}

// unorderedMethods are the beginnings of names of methods of package net that make such calls after they have taken the lock of a descriptor.
var unorderedMethods = []string{"writeTo", "writeMsg", "writeBuffers", "shutdown"}

func unorderedCall(c *vm.NativeCall) bool {
	s := lookingAt(c)
	defer looked(s)
	name := s.row().Name
	switch {
	case unorderedEnds[name]:
		return seenFromAfar(c, s.fd(0))
	case name == "connect":
		return s.k != nil && (len(s.k.Peers) == 0 || s.k.AnyListens())
	case name == "openat":
		return s.a[2]&linux.O_CREAT != 0
	}
	return unorderedCalls[name]
}

// seenFromAfar reports whether others than those who hold a descriptor can see what is done to it.
func seenFromAfar(c *vm.NativeCall, fd int) bool {
	k := kernelOf(c.M)
	if k == nil || !k.HasFar(fd) {
		return false
	}
	owners, all := k.Owners(nil, fd, false)
	return all || len(owners) > 1
}

func unorderedClose(c *vm.NativeCall) bool {
	fd := (*int64)(c.M.Heap.Peek(c.Ptr(0)+fdMutexSize, 8))
	return fd != nil && seenFromAfar(c, int(*fd))
}

func unorderedMethod(c *vm.NativeCall) bool {
	name := c.CallerName(belowMethods)
	name = name[strings.LastIndexByte(name, '.')+1:]
	for _, prefix := range unorderedMethods {
		if strings.HasPrefix(name, prefix) {
			return unorderedClose(c)
		}
	}
	return false
}

var belowMethods = map[string]bool{"internal/poll": true}
