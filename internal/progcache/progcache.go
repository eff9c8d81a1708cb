// Package progcache keeps compiled programs on disk, the way the go command
// keeps its build results, so that a program that has not changed starts
// without being loaded from source.
//
// What a program depends on is known only after loading it, so a lookup takes
// two steps, as with the action and output entries of the go command's cache:
//
//	key (command line, environment) ─► index: names of the inputs
//	key + names + contents now       ─► payload: the compiled program
//
// Nothing is compared with remembered times or sizes. If an input has another
// content, the second step asks for a payload of another name. An entry that
// is damaged or truncated counts as missing. Writes go to a temporary file
// that is renamed, so that processes can share the directory.
//
// The package does not know what a payload means.
package progcache

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"os"
	"path/filepath"

	"github.com/heddle-mc/heddle/internal/diag"
)

// A Cache is a directory of entries. It may be used from several goroutines
// and shared with other processes.
type Cache struct {
	dir string

	// Limit is the size in bytes above which old entries are removed.
	Limit int64
}

// DefaultLimit is the size limit of a cache that does not set another.
const DefaultLimit = 1 << 30

// A Key names what is looked up, but for the contents of the inputs.
type Key [sha256.Size]byte

// KeyOf returns the key for a list of strings: whatever decides which program
// is loaded and how it is compiled. The running binary is always part of it.
func KeyOf(parts ...string) Key {
	h := sha256.New()
	writeString(h, buildID())
	for _, part := range parts {
		writeString(h, part)
	}
	return Key(h.Sum(nil))
}

// writeString hashes a string so that no two lists hash alike.
func writeString(h interface{ Write([]byte) (int, error) }, s string) {
	var n [8]byte
	binary.LittleEndian.PutUint64(n[:], uint64(len(s)))
	h.Write(n[:])
	h.Write([]byte(s))
}

// DefaultDir returns $HEDDLE_CACHE or, if that is not set, the directory
// heddle in the user's cache directory.
func DefaultDir() (string, error) {
	if dir := os.Getenv("HEDDLE_CACHE"); dir != "" {
		if !filepath.IsAbs(dir) {
			return "", diag.Usagef("HEDDLE_CACHE is %q: want an absolute path", dir)
		}
		return dir, nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", diag.Usagef("no cache directory: set HEDDLE_CACHE (%v)", err)
	}
	return filepath.Join(dir, "heddle"), nil
}

// Open returns the cache in dir, which need not exist yet, or in the default
// directory if dir is "".
func Open(dir string) (*Cache, error) {
	if dir == "" {
		var err error
		if dir, err = DefaultDir(); err != nil {
			return nil, err
		}
	}
	if buildID() == "" {
		return nil, diag.Usagef("no cache: the running binary cannot be identified")
	}
	return &Cache{dir: dir, Limit: DefaultLimit}, nil
}

// Lookup returns the payload stored under key if no input of it has changed.
func (c *Cache) Lookup(key Key) ([]byte, bool) {
	name := c.file(key, "i")
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, false
	}
	in, err := decodeIndex(data)
	if err != nil {
		return nil, false
	}
	id, err := in.digest(key)
	if err != nil {
		return nil, false
	}
	file := c.file(id, "p")
	if data, err = os.ReadFile(file); err != nil {
		return nil, false
	}
	payload, err := decodePayload(id, data)
	if err != nil {
		return nil, false
	}
	touch(name)
	touch(file)
	return payload, true
}

// Store keeps a payload for the key and the present state of the inputs. If an
// input has been written since in.Began, the payload may belong to its former
// content and is not stored. A failure to store is returned but does no harm.
func (c *Cache) Store(key Key, in Inputs, payload []byte) error {
	if in.changed() {
		return nil
	}
	id, err := in.digest(key)
	if err != nil {
		return err
	}
	// The payload comes first: an index without payload is a miss, and costs
	// the hashing of its inputs.
	if err := c.write(c.file(id, "p"), encodePayload(id, payload)); err != nil {
		return err
	}
	if err := c.write(c.file(key, "i"), encodeIndex(in)); err != nil {
		return err
	}
	return c.trimSometimes()
}

// file returns the name of an entry. Entries are spread over 256 directories.
func (c *Cache) file(key Key, suffix string) string {
	name := hex.EncodeToString(key[:])
	return filepath.Join(c.dir, name[:2], name+"-"+suffix)
}

// write creates a file atomically.
func (c *Cache) write(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(name), tempPrefix+"*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}

const tempPrefix = "tmp-"
