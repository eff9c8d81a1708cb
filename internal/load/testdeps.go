package load

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A test binary has a third of its packages for two things that few tests do: to fuzz, and
// to write profiles that are asked for with a flag. They come by package testdeps. If no test binary has a
// fuzz target, testdeps is loaded without what imports them; the methods that are left
// out panic, and nobody calls them without such a flag.
//
// Package regexp comes by it too, for the patterns of -run, and brings all tables of package unicode. If
// the machine can match patterns itself, it is left out as well.

const (
	testdeps = "testing/internal/testdeps"
	match    = "match" // the function that the machine has, see [Config.Intrinsic]
)

// rarelyImported are the imports of testdeps that are left out.
var rarelyImported = []string{"context", "internal/fuzz", "os/signal", "runtime/pprof"}

// matching is what testdeps has in place of package regexp.
const (
	matchBody = ` result, fault := match(pat, str); if fault != "" { err = matchFault(fault) }; return result, err `
	matching  = `
// match reports whether a pattern matches, or what is wrong with it.
func match(pat, str string) (result bool, fault string)

type matchFault string

func (f matchFault) Error() string { return string(f) }
`
)

var (
	fuzzTarget  = regexp.MustCompile(`\{"Fuzz[^"]*", _x?test\.Fuzz`)
	corpusEntry = regexp.MustCompile(`(?ms)^type CorpusEntry = (struct \{\n.*?\n\})`)
)

// trimTestdeps replaces the file of testdeps, and cuts its imports in the list, if all test binaries among
// the packages that were found can do without.
func (u *universe) trimTestdeps(found []*listing) {
	var deps *listing
	for _, m := range found {
		if !strings.HasSuffix(m.ID, ".test") || m.Name != "main" {
			continue
		}
		for _, file := range m.GoFiles {
			if text, err := u.read(file); err != nil || fuzzTarget.Match(text) {
				return
			}
		}
		if m := m.Imports[testdeps]; m != nil && m.ID == testdeps {
			deps = m
		}
	}
	if deps == nil || len(deps.GoFiles) != 1 || u.pkgs[testdeps] != nil || u.cfg.Overlay[deps.GoFiles[0]] != nil {
		return
	}
	src, err := os.ReadFile(deps.GoFiles[0])
	if err != nil {
		return
	}
	entry, err := os.ReadFile(filepath.Join(u.goroot, "src", "internal", "fuzz", "fuzz.go"))
	if err != nil {
		return
	}
	left := rarelyImported
	if u.cfg.Intrinsic != nil && u.cfg.Intrinsic(testdeps+"."+match) {
		left = append(left[:len(left):len(left)], "regexp")
	}
	if src = withoutImports(src, entry, left); src == nil {
		return // it is not what we know
	}
	u.overlayFor("") // there is a table now
	u.overlay[deps.GoFiles[0]] = src
	for _, path := range left {
		delete(deps.Imports, path)
	}
}

// withoutImports returns the source of testdeps without the given imports, with all lines where they
// were, or nil if it cannot be. The other source is that of package fuzz.
func withoutImports(src, fuzz []byte, imports []string) []byte {
	entry := corpusEntry.FindSubmatch(fuzz)
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "", src, parser.SkipObjectResolution)
	if entry == nil || err != nil {
		return nil
	}
	var out []byte
	copied := 0 // of src
	replace := func(from, to token.Pos, text string) {
		begin, end := set.Position(from).Offset, set.Position(to).Offset
		out = slices.Concat(out, src[copied:begin], []byte(text), bytes.Repeat([]byte("\n"), bytes.Count(src[begin:end], []byte("\n"))))
		copied = end
	}
	gone := map[string]bool{}
	for _, imp := range f.Imports {
		path, err := strconv.Unquote(imp.Path.Value)
		if err != nil || imp.Name != nil {
			return nil
		}
		if slices.Contains(imports, path) {
			gone[path[strings.LastIndex(path, "/")+1:]] = true
			replace(imp.Pos(), imp.End(), "")
		}
	}
	for _, decl := range f.Decls {
		fn, isFunc := decl.(*ast.FuncDecl)
		left, matches := true, false
		ast.Inspect(decl, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if id, ok := sel.X.(*ast.Ident); ok && gone[id.Name] {
				if isFunc && fn.Body != nil && sel.Pos() < fn.Body.Lbrace && sel.Sel.Name == "CorpusEntry" {
					replace(sel.Pos(), sel.End(), "corpusEntry")
				} else {
					left, matches = false, id.Name == "regexp"
				}
			}
			return true
		})
		switch {
		case left:
		case matches && isFunc && fn.Name.Name == "MatchString":
			replace(fn.Body.Lbrace+1, fn.Body.Rbrace, matchBody)
		case matches && !isFunc && len(decl.(*ast.GenDecl).Specs) == 1:
			replace(decl.Pos(), decl.End(), "") // the variable of MatchString
		case matches:
			return nil
		case isFunc && fn.Body != nil:
			replace(fn.Body.Lbrace+1, fn.Body.Rbrace, ` panic("not in this test binary") `)
		default:
			return nil
		}
	}
	out = slices.Concat(out, src[copied:], []byte("\ntype corpusEntry = "), entry[1], []byte("\n"))
	if gone["regexp"] {
		out = append(out, matching...)
	}
	return out
}
