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

// openRegular opens a file that is not a pipe or the like, and returns how large it is.
func openRegular(name string) (*os.File, int64, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, 0, diag.Usagef("%v", err)
	}
	if !info.Mode().IsRegular() { // to open a pipe would wait
		return nil, 0, diag.Usagef("%s is no regular file", name)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, 0, diag.Usagef("%v", err)
	}
	return file, info.Size(), nil
}

// Open opens a certificate. It understands all of its header, and reads its end, not what is between.
func Open(name string) (*File, error) {
	file, size, err := openRegular(name)
	if err != nil {
		return nil, err
	}
	r, err := cert.Open(file, size)
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
