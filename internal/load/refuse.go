package load

import (
	"go/parser"
	"go/token"
	"go/version"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
)

// position converts a position; files below the current directory get short names.
func position(p token.Position) diag.Pos {
	pos := diag.FromToken(p)
	pos.File = shorten(pos.File)
	return pos
}

// shorten makes a file name relative to the current directory if it is below.
func shorten(file string) string {
	if cwd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(cwd, file); err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	return file
}

// listErrors returns what the go command says is wrong with a package.
func (u *universe) listErrors(p *Package) diag.List {
	if p.from == nil || len(p.from.Errors) == 0 {
		return nil
	}
	if cgo := u.cgoErrors(p); len(cgo) > 0 {
		return cgo
	}
	var errs diag.List
	for _, e := range p.from.Errors {
		errs = append(errs, listError(e))
	}
	return errs
}

// listError converts an error of the go command.
func listError(e listedError) *diag.Error {
	msg := oneLine(e.Err)
	pos := parsePos(e.Pos)
	// Some messages carry their position in the text.
	if head, rest, ok := strings.Cut(msg, ": "); ok && !pos.IsValid() && strings.Contains(head, ".go:") {
		pos, msg = parsePos(head), rest
	}
	return diag.Sourcef(pos, "%s", msg)
}

// parsePos parses file:line:col as the go command prints it.
func parsePos(s string) diag.Pos {
	if s == "" || s == "-" {
		return diag.Pos{}
	}
	var n [2]int // the last two numbers, last first
	count := 0
	for count < len(n) {
		i := strings.LastIndexByte(s, ':')
		if i < 0 {
			break
		}
		v, err := strconv.Atoi(s[i+1:])
		if err != nil {
			break
		}
		n[count], s = v, s[:i]
		count++
	}
	pos := diag.Pos{File: shorten(s)}
	switch count {
	case 1:
		pos.Line = n[0]
	case 2:
		pos.Line, pos.Col = n[1], n[0]
	}
	return pos
}

// cgoErrors returns an error for each import of "C" in the files that the go
// command left out of the package. It is asked only for packages that have
// errors: one that also builds without cgo is fine.
func (u *universe) cgoErrors(p *Package) diag.List {
	if p.from == nil || p.Standard {
		return nil
	}
	return u.cgoImports(p.from.IgnoredFiles)
}

// cgoImports returns an error for each import of "C" in those of the files that
// are Go files.
func (u *universe) cgoImports(files []string) diag.List {
	var errs diag.List
	for _, file := range files {
		if filepath.Ext(file) != ".go" {
			continue
		}
		if !filepath.IsAbs(file) {
			file = filepath.Join(u.cfg.dir(), file)
		}
		src, err := u.read(file)
		if err != nil {
			continue
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, file, src, parser.ImportsOnly)
		if f == nil || err != nil {
			continue
		}
		for _, imp := range f.Imports {
			if imp.Path.Value == `"C"` {
				errs = append(errs, diag.Unsupportedf(position(fset.Position(imp.Pos())), `cgo (import "C")`))
			}
		}
	}
	return errs
}

// refuse returns an error for each import of a package that the machine cannot
// provide.
func (u *universe) refuse(p *Package) diag.List {
	if p.Standard {
		return nil
	}
	var errs diag.List
	for _, f := range p.files {
		for _, imp := range f.Imports {
			if imp.Path.Value == `"plugin"` {
				errs = append(errs, diag.Unsupportedf(position(u.fset.Position(imp.Pos())), `import "plugin"`))
			}
		}
	}
	return errs
}

// checkVersion refuses a standard library that is newer than the type checker
// built into this binary.
func (u *universe) checkVersion() error {
	have, mine := goVersion(u.goroot), runtime.Version()
	if version.IsValid(have) && version.IsValid(mine) && version.Compare(version.Lang(have), version.Lang(mine)) > 0 {
		return diag.Usagef("%s has %s but heddle was built with %s: rebuild heddle with the newer Go", u.goroot, have, mine)
	}
	return nil
}
