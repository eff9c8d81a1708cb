package execute

import (
	"path/filepath"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
)

// A folder is what positions are relative to when they are told, if they are below it. The zero folder
// leaves them as they are.
type folder struct {
	root string // with a slash at its end, or ""
	made string // the file that the go command has made for a test binary, or ""
}

// folderOf returns the folder that settings name. The file that the go command has made for a
// test binary lies in its cache, under a name that says nothing.
func folderOf(s Settings) folder {
	f := folder{made: s.made}
	if s.Root != "" {
		f.root = strings.TrimSuffix(filepath.ToSlash(s.Root), "/") + "/"
	}
	return f
}

// pos makes a position relative.
func (f folder) pos(p diag.Pos) diag.Pos {
	if f.made != "" && p.File == f.made {
		p.File = "_testmain.go"
	} else if f.root != "" {
		p.File = strings.TrimPrefix(p.File, f.root)
	}
	return p
}

// text makes the positions in a text relative.
func (f folder) text(t string) string {
	if f.root == "" {
		return t
	}
	return strings.ReplaceAll(t, f.root, "")
}
