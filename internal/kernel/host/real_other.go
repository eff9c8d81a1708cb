//go:build !linux

package host

import (
	"os"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// Open implements Door.
func (h *Real) Open(dir File, path string, flags int, mode uint32) (File, linux.Errno) {
	return Portable{}.Open(dir, path, flags, mode)
}

// Stat implements Door.
func (h *Real) Stat(dir File, path string, follow bool) (linux.Stat, linux.Errno) {
	return Portable{}.Stat(dir, path, follow)
}

// Readlink implements Door.
func (h *Real) Readlink(dir File, path string) (string, linux.Errno) {
	return Portable{}.Readlink(dir, path)
}

// Access implements Door.
func (h *Real) Access(dir File, path string, mode uint32, flags int) linux.Errno {
	return Portable{}.Access(dir, path, mode, flags)
}

// Change implements Door.
func (h *Real) Change(c Change) linux.Errno { return Portable{}.Change(c) }

// fileOf returns a file that our process has opened.
func fileOf(f *os.File) File { return &openFile{File: f, path: f.Name()} }
