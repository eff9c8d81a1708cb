package load

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/progcache"
)

// inputSet collects the inputs of a program.
type inputSet struct {
	files, sourceDirs, trees map[string]bool
}

// inputs returns what a load depended on. A load with the same [Config.Key]
// gives the same program as long as they have not changed. Files of versioned
// modules are left out, since the module cache never changes them; the standard
// library is represented by its VERSION file.
func (u *universe) inputs(prog *Program) progcache.Inputs {
	in := inputSet{make(map[string]bool), make(map[string]bool), make(map[string]bool)}
	in.files[filepath.Join(u.goroot, "VERSION")] = true
	in.files[filepath.Join(u.goroot, "go.env")] = true
	in.module(u.cfg.dir())
	for _, p := range prog.Packages {
		if p.from != nil && !p.generated() && !p.immutable() {
			in.pkg(p)
		}
	}
	for _, pattern := range u.cfg.Patterns {
		// A new directory can match a wildcard.
		base, _, wild := strings.Cut(pattern, "...")
		if wild && (strings.HasPrefix(base, ".") || filepath.IsAbs(base)) {
			if !filepath.IsAbs(base) {
				base = filepath.Join(u.cfg.dir(), base)
			}
			in.trees[filepath.Clean(base)] = true
		}
	}
	return progcache.Inputs{
		Files:      sorted(in.files),
		SourceDirs: sorted(in.sourceDirs),
		Trees:      sorted(in.trees),
		Began:      u.began,
	}
}

func sorted(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }

// generated reports whether the package is the main package of a test binary.
func (p *Package) generated() bool {
	return p.Path == "main" && strings.HasSuffix(p.ID, ".test")
}

// immutable reports whether the package's files cannot change: they belong to
// the standard library (unless that is the module being worked on) or to a
// module version in the module cache.
func (p *Package) immutable() bool {
	m := p.from.Module
	if m == nil {
		return p.Standard
	}
	if m.Replace != nil {
		m = m.Replace
	}
	// A vendored package has a version too, but lies in the user's tree.
	return m.Version != "" && strings.Contains(p.Dir, "@"+m.Version)
}

// pkg adds the files and directories of one package, and the module files
// that decide what it is.
func (in *inputSet) pkg(p *Package) {
	m := p.from
	for _, files := range [][]string{m.GoFiles, m.OtherFiles, m.IgnoredFiles, m.EmbedFiles} {
		for _, f := range files {
			in.files[f] = true
		}
	}
	if m.Dir != "" {
		in.sourceDirs[m.Dir] = true
		in.module(m.Dir)
	}
	for _, pattern := range m.EmbedPatterns {
		// The part before the first wildcard holds all matches.
		pattern = strings.TrimPrefix(pattern, "all:")
		if i := strings.IndexAny(pattern, `*?[\`); i >= 0 {
			in.trees[filepath.Join(m.Dir, filepath.Dir(pattern[:i]))] = true
		} else if path := filepath.Join(m.Dir, pattern); isDir(path) {
			in.trees[path] = true
		}
	}
}

// module adds the module and workspace files that apply in dir: the nearest
// go.mod and go.work with their companions, and their absence on the way up.
func (in *inputSet) module(dir string) {
	module, workspace := false, false
	for {
		if !module {
			in.files[filepath.Join(dir, "go.mod")] = true
			if module = isFile(filepath.Join(dir, "go.mod")); module {
				in.files[filepath.Join(dir, "go.sum")] = true
				in.files[filepath.Join(dir, "vendor", "modules.txt")] = true
			}
		}
		if !workspace {
			in.files[filepath.Join(dir, "go.work")] = true
			if workspace = isFile(filepath.Join(dir, "go.work")); workspace {
				in.files[filepath.Join(dir, "go.work.sum")] = true
			}
		}
		parent := filepath.Dir(dir)
		if parent == dir || module && workspace {
			return
		}
		dir = parent
	}
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
