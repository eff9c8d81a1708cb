package progcache

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Inputs are the files and directories that a payload depends on, with
// absolute names.
type Inputs struct {
	Files      []string // contents, or absence, matter
	SourceDirs []string // the names of the source files in them matter
	Trees      []string // the names of everything below them matter

	Began time.Time // before the first of them was read
}

// maxTree bounds the directories walked for one tree. A larger one is not
// cached: looking at it would take longer than is worth while.
const maxTree = 10_000

var errTree = fmt.Errorf("more than %d directories to watch", maxTree)

// digest returns the name of the payload that belongs to the key and the
// present state of the inputs.
func (in Inputs) digest(key Key) (Key, error) {
	h := sha256.New()
	h.Write(key[:])
	for _, name := range in.Files {
		writeString(h, "file")
		writeString(h, name)
		data, err := os.ReadFile(name)
		switch {
		case err == nil:
			sum := sha256.Sum256(data)
			h.Write(sum[:])
		case missing(err):
			writeString(h, "missing")
		default:
			return Key{}, err
		}
	}
	for _, dir := range in.SourceDirs {
		writeString(h, "source")
		writeString(h, dir)
		entries, err := os.ReadDir(dir)
		if err != nil && !missing(err) {
			return Key{}, err
		}
		for _, e := range entries {
			if isSource(e.Name()) {
				writeString(h, e.Name())
			}
		}
	}
	for _, dir := range in.Trees {
		writeString(h, "tree")
		writeString(h, dir)
		err := walk(dir, func(path string, d fs.DirEntry) error {
			writeString(h, path)
			writeString(h, d.Type().String())
			return nil
		})
		if err != nil {
			return Key{}, err
		}
	}
	return Key(h.Sum(nil)), nil
}

// missing reports whether err says that there is no such file. A path through
// a file that is not a directory counts.
func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// walk calls f for everything below dir, in lexical order. What lies below
// version control directories is left out.
func walk(dir string, f func(path string, d fs.DirEntry) error) error {
	dirs := 0
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			if missing(err) {
				return nil
			}
			return err
		}
		if d.IsDir() {
			if name := d.Name(); name == ".git" || name == ".hg" || name == ".svn" {
				return fs.SkipDir
			}
			if dirs++; dirs > maxTree {
				return errTree
			}
		}
		return f(path, d)
	})
}

// isSource reports whether the go command looks at a file of this name.
func isSource(name string) bool {
	if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
		return false
	}
	switch strings.ToLower(filepath.Ext(name)) {
	case ".go", ".s", ".sx", ".syso", ".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".m", ".f", ".f90", ".for", ".swig", ".swigcxx":
		return true
	}
	return false
}

// changed reports whether an input has been written since in.Began.
func (in Inputs) changed() bool {
	newer := func(name string) bool {
		info, err := os.Stat(name)
		return err == nil && !info.ModTime().Before(in.Began)
	}
	for _, names := range [][]string{in.Files, in.SourceDirs} {
		for _, name := range names {
			if newer(name) {
				return true
			}
		}
	}
	for _, dir := range in.Trees {
		changed := false
		walk(dir, func(path string, d fs.DirEntry) error {
			changed = changed || newer(path)
			return nil
		})
		if changed {
			return true
		}
	}
	return false
}
