package load

import (
	"go/ast"
	"go/types"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// An Embed is a variable with a //go:embed directive. Its type (string, []byte
// or embed.FS) says how it holds the files.
type Embed struct {
	Var   *types.Var
	Files []EmbedFile // sorted by name
}

// An EmbedFile is a file to embed.
type EmbedFile struct {
	Name string // as the program sees it: slashes, relative to the package's directory
	Path string // where it is
}

// embeds records the //go:embed variables of a type-checked package. The go
// command has already resolved the patterns of the whole package and refused
// bad ones; what is left is to tell which file belongs to which variable.
func (u *universe) embeds(p *Package) {
	if p.from == nil || len(p.from.EmbedFiles) == 0 {
		return
	}
	for _, f := range p.files {
		for _, decl := range f.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range gen.Specs {
				v, ok := spec.(*ast.ValueSpec)
				if !ok || len(v.Names) != 1 {
					continue
				}
				doc := v.Doc
				if doc == nil && !gen.Lparen.IsValid() {
					doc = gen.Doc
				}
				patterns := embedPatterns(doc)
				obj, ok := p.info.Defs[v.Names[0]].(*types.Var)
				if len(patterns) == 0 || !ok {
					continue
				}
				p.Embeds = append(p.Embeds, Embed{obj, p.embedFiles(patterns)})
			}
		}
	}
}

// embedPatterns returns the patterns of the //go:embed lines of a comment.
func embedPatterns(doc *ast.CommentGroup) []string {
	if doc == nil {
		return nil
	}
	var patterns []string
	for _, c := range doc.List {
		args, ok := strings.CutPrefix(c.Text, "//go:embed ")
		if !ok {
			continue
		}
		for args = strings.TrimSpace(args); args != ""; args = strings.TrimSpace(args) {
			if quoted, err := strconv.QuotedPrefix(args); err == nil {
				pattern, _ := strconv.Unquote(quoted)
				patterns = append(patterns, pattern)
				args = args[len(quoted):]
				continue
			}
			end := strings.IndexAny(args, " \t")
			if end < 0 {
				end = len(args)
			}
			patterns = append(patterns, args[:end])
			args = args[end:]
		}
	}
	return patterns
}

// embedFiles returns the package's embedded files that the patterns select.
func (p *Package) embedFiles(patterns []string) []EmbedFile {
	var files []EmbedFile
	for _, file := range p.from.EmbedFiles {
		rel, err := filepath.Rel(p.Dir, file)
		if err != nil {
			continue
		}
		name := filepath.ToSlash(rel)
		for _, pattern := range patterns {
			if matchEmbed(pattern, name) {
				files = append(files, EmbedFile{name, file})
				break
			}
		}
	}
	return files
}

// matchEmbed reports whether a pattern selects a file: it matches its name, or
// the name of a directory that holds it. Files below a matched directory that
// start with a dot or underscore need the prefix "all:".
func matchEmbed(pattern, name string) bool {
	pattern, all := strings.CutPrefix(pattern, "all:")
	pattern = path.Clean(pattern)
	if pattern == "." {
		return all || !hidden(name)
	}
	depth := strings.Count(pattern, "/") + 1
	elems := strings.Split(name, "/")
	if len(elems) < depth {
		return false
	}
	ok, err := path.Match(pattern, strings.Join(elems[:depth], "/"))
	return err == nil && ok && (all || !hidden(strings.Join(elems[depth:], "/")))
}

// hidden reports whether an element of the path starts with a dot or an
// underscore.
func hidden(name string) bool {
	for _, elem := range strings.Split(name, "/") {
		if strings.HasPrefix(elem, ".") || strings.HasPrefix(elem, "_") {
			return true
		}
	}
	return false
}
