package certify

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/diag"
)

// The types of the files that keys are in.
const (
	privateType = "PRIVATE KEY"
	publicType  = "PUBLIC KEY"
)

// OwnKey returns the key of the user, with which heddle signs what only this user is to believe. It is
// made at its first use, in a folder of the user's that others cannot read.
func OwnKey() (ed25519.PrivateKey, error) {
	config, err := os.UserConfigDir()
	if err != nil {
		return nil, diag.Usagef("the key of this user: %v", err)
	}
	dir := filepath.Join(config, "heddle")
	name := filepath.Join(dir, "own.key")
	if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		return ReadPrivateKey(name)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, diag.Usagef("the key of this user: %v", err)
	}
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, diag.Usagef("the key of this user: %v", err)
	}
	// It is there as a whole or not at all, and the first one stays.
	file, err := os.CreateTemp(dir, "own.key.*")
	if err != nil {
		return nil, diag.Usagef("the key of this user: %v", err)
	}
	defer os.Remove(file.Name())
	if err := writePEM(file, privateType, cert.AppendPrivateKey(nil, key)); err != nil {
		return nil, err
	}
	if err := os.Link(file.Name(), name); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, diag.Usagef("the key of this user: %v", err)
	}
	return ReadPrivateKey(name)
}

// WriteKeys makes a pair of keys and writes it to name.key and name.pub. Keys are not overwritten.
func WriteKeys(name string) (ed25519.PublicKey, error) {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, diag.Usagef("%v", err)
	}
	for _, f := range []struct {
		suffix, kind string
		mode         os.FileMode
		data         []byte
	}{{".key", privateType, 0o600, cert.AppendPrivateKey(nil, private)}, {".pub", publicType, 0o644, cert.AppendPublicKey(nil, public)}} {
		file, err := os.OpenFile(name+f.suffix, os.O_WRONLY|os.O_CREATE|os.O_EXCL, f.mode)
		if err != nil {
			return nil, diag.Usagef("%v", err)
		}
		if err := writePEM(file, f.kind, f.data); err != nil {
			return nil, err
		}
	}
	return public, nil
}

// writePEM writes a file with one block, and closes it.
func writePEM(file *os.File, kind string, data []byte) error {
	err := pem.Encode(file, &pem.Block{Type: kind, Bytes: data})
	if cerr := file.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return diag.Usagef("%v", err)
	}
	return nil
}

// ReadPrivateKey reads a key that signs.
func ReadPrivateKey(name string) (ed25519.PrivateKey, error) {
	block, err := readPEM(name, privateType)
	if err != nil {
		return nil, err
	}
	key, ok := cert.ReadPrivateKey(block)
	if !ok {
		return nil, diag.Usagef("%s: not a key that signs certificates: heddle cert keygen makes one", name)
	}
	return key, nil
}

// ReadPublicKey reads the key of who signs.
func ReadPublicKey(name string) (ed25519.PublicKey, error) {
	block, err := readPEM(name, publicType)
	if err != nil {
		return nil, err
	}
	key, ok := cert.ReadPublicKey(block)
	if !ok {
		return nil, diag.Usagef("%s: not a key that signs certificates", name)
	}
	return key, nil
}

// readPEM reads a file with one block.
func readPEM(name, kind string) ([]byte, error) {
	if name == "" {
		return nil, diag.Usagef("give -key and a file")
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, diag.Usagef("%v", err)
	}
	block, _ := pem.Decode(data)
	if block == nil || block.Type != kind {
		return nil, diag.Usagef("%s: not a %s", name, strings.ToLower(kind))
	}
	return block.Bytes, nil
}
