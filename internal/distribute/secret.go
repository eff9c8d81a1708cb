package distribute

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/heddle-mc/heddle/internal/diag"
)

// A secret is what a coordinator alone knows of a job: the seed of its fingerprints, and
// the tickets of its tasks, are made of it. It is kept in a folder of this machine and
// never in the queue, so that what is found there can be told from what others have put.
type secret struct {
	bytes []byte
	file  string // where it is kept, or ""
}

// openSecret returns the secret of a job by its name, from a folder, "" for none. One that
// is not there is made.
func openSecret(folder, name string) (*secret, error) {
	s := &secret{bytes: make([]byte, 32)}
	rand.Read(s.bytes) // it does not fail
	if folder == "" {
		return s, nil
	}
	s.file = filepath.Join(folder, "secret-"+name)
	switch data, err := os.ReadFile(s.file); {
	case err == nil && len(data) == len(s.bytes):
		s.bytes = data
		return s, nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, diag.Usagef("-distribute: %v", err)
	}
	err := os.MkdirAll(folder, 0o700)
	if err == nil {
		err = os.WriteFile(s.file, s.bytes, 0o600)
	}
	if err != nil {
		return nil, diag.Usagef("-distribute: %v", err)
	}
	return s, nil
}

// forget removes it when the job has ended.
func (s *secret) forget() {
	if s.file != "" {
		os.Remove(s.file)
	}
}

func (s *secret) of(what string) []byte {
	m := hmac.New(sha256.New, s.bytes)
	m.Write([]byte(what))
	return m.Sum(nil)
}

// seed is that of fingerprints.
func (s *secret) seed() uint64 { return binary.LittleEndian.Uint64(s.of("seed")) }

// ticket is what a task is given with, and answered with.
func (s *secret) ticket(task string) string { return hex.EncodeToString(s.of("ticket " + task)[:16]) }
