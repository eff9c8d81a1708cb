package progcache

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"
)

const (
	trimInterval  = time.Hour      // how often a store looks at the size of the cache
	touchInterval = time.Hour      // how exact the times of last use are
	tempAge       = 24 * time.Hour // when an abandoned temporary file is removed
)

// touch marks an entry as used now. Errors do not matter.
func touch(name string) {
	now := time.Now()
	if info, err := os.Stat(name); err == nil && now.Sub(info.ModTime()) > touchInterval {
		os.Chtimes(name, now, now)
	}
}

// trimSometimes trims the cache if that has not been done lately.
func (c *Cache) trimSometimes() error {
	stamp := filepath.Join(c.dir, "trim")
	if info, err := os.Stat(stamp); err == nil && time.Since(info.ModTime()) < trimInterval {
		return nil
	}
	if err := os.WriteFile(stamp, nil, 0o666); err != nil {
		return err
	}
	return c.Trim()
}

// Trim removes the entries that have not been used for longest until the
// cache is not larger than its limit.
func (c *Cache) Trim() error {
	type entry struct {
		name string
		size int64
		used time.Time
	}
	var entries []entry
	var total int64
	err := c.visit(func(name string, info fs.FileInfo) {
		if strings.HasPrefix(filepath.Base(name), tempPrefix) {
			if time.Since(info.ModTime()) > tempAge {
				os.Remove(name)
			}
			return
		}
		entries = append(entries, entry{name, info.Size(), info.ModTime()})
		total += info.Size()
	})
	if err != nil {
		return err
	}
	sort.Slice(entries, func(i, j int) bool { return entries[i].used.Before(entries[j].used) })
	for _, e := range entries {
		if total <= c.Limit {
			break
		}
		// Another process may have been faster.
		if err := os.Remove(e.name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		total -= e.size
	}
	return nil
}

// Clean removes all entries, and the directory if nothing else is in it.
func (c *Cache) Clean() error {
	var failed error
	err := c.visit(func(name string, _ fs.FileInfo) {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) && failed == nil {
			failed = err
		}
	})
	if err != nil || failed != nil {
		return errors.Join(err, failed)
	}
	os.Remove(filepath.Join(c.dir, "trim"))
	for i := range 256 {
		os.Remove(c.subdir(i)) // fails if it is not empty
	}
	os.Remove(c.dir)
	return nil
}

// visit calls f for all files that this package has created. It looks at no
// others: the directory could have been set to one that holds more.
func (c *Cache) visit(f func(name string, info fs.FileInfo)) error {
	for i := range 256 {
		entries, err := os.ReadDir(c.subdir(i))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		for _, e := range entries {
			name := e.Name()
			isEntry := len(name) == 2*len(Key{})+2 && (strings.HasSuffix(name, "-i") || strings.HasSuffix(name, "-p"))
			if !isEntry && !strings.HasPrefix(name, tempPrefix) {
				continue
			}
			if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
				f(filepath.Join(c.subdir(i), name), info)
			}
		}
	}
	return nil
}

const hexDigits = "0123456789abcdef"

func (c *Cache) subdir(i int) string {
	return filepath.Join(c.dir, string([]byte{hexDigits[i>>4], hexDigits[i&15]}))
}
