package certify

import (
	"os"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/diag"
)

// A File is an open certificate.
type File struct {
	*cert.Reader
	file *os.File
}

// Close closes the file.
func (f *File) Close() error { return f.file.Close() }

// Open opens a certificate. It understands all of its header, and reads its end, not what is between.
func Open(name string) (*File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, diag.Usagef("%v", err)
	}
	if !info.Mode().IsRegular() { // to open a pipe would wait
		return nil, diag.Usagef("%s is no regular file", name)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, diag.Usagef("%v", err)
	}
	r, err := cert.Open(file, info.Size())
	if err != nil {
		file.Close()
		return nil, diag.Usagef("%v", err)
	}
	if err := readable(r); err != nil {
		file.Close()
		return nil, diag.Usagef("%v", err)
	}
	return &File{r, file}, nil
}
