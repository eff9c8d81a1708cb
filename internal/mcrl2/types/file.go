package types

import (
	"os"
	"path/filepath"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/syntax"
)

// LoadFile reads and checks a specification with the files that it includes.
// Names of included files are relative to the file that includes them. A file
// that is included several times, also by itself, is read once.
func LoadFile(path string) (*spec.Spec, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, diag.Usagef("%v", err)
	}
	tree := &syntax.Spec{}
	r := &fileReader{seen: map[string]bool{filepath.Clean(path): true}, tree: tree}
	r.read(path, text)
	r.errs.Sort()
	if len(r.errs) > syntax.MaxErrors {
		r.errs = r.errs[:syntax.MaxErrors]
	}
	if err := r.errs.Err(); err != nil {
		return nil, err
	}
	return Check(path, tree)
}

// A fileReader puts the sections of several files together.
type fileReader struct {
	seen map[string]bool
	tree *syntax.Spec
	errs diag.List
}

// read adds a file after those that it includes.
func (r *fileReader) read(path string, text []byte) {
	t, err := syntax.Parse(path, text)
	if err != nil {
		r.errs = append(r.errs, err.(diag.List)...)
		return
	}
	for _, i := range t.Includes {
		name := i.Path
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(path), name)
		}
		name = filepath.Clean(name)
		if r.seen[name] {
			continue
		}
		r.seen[name] = true
		text, err := os.ReadFile(name)
		if err != nil {
			r.errs = append(r.errs, diag.Sourcef(i.At, "include: %v", err))
			continue
		}
		r.read(name, text)
	}
	all := r.tree
	all.Sorts = append(all.Sorts, t.Sorts...)
	all.Cons = append(all.Cons, t.Cons...)
	all.Maps = append(all.Maps, t.Maps...)
	all.Eqns = append(all.Eqns, t.Eqns...)
	all.Globals = append(all.Globals, t.Globals...)
	all.Actions = append(all.Actions, t.Actions...)
	all.Procs = append(all.Procs, t.Procs...)
	if t.Init != nil {
		if all.Init != nil {
			r.errs = append(r.errs, diag.Sourcef(t.InitAt, "second init: the first is at %s", all.InitAt))
			return
		}
		all.Init, all.InitAt = t.Init, t.InitAt
	}
}
