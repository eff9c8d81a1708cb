package load

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// Key returns everything but the contents of files that decides what a load
// with cfg gives: the configuration, the go command and its settings. Two
// loads with equal keys and equal inputs give the same program. It runs no
// other process.
func (cfg *Config) Key() []string {
	key := []string{
		"dir", cfg.dir(),
		"tests", fmt.Sprint(cfg.Tests),
		"go", goCommand(),
		"tags", strings.Join(cfg.tags(), ","),
	}
	add := func(word string, list []string) {
		key = append(key, word, fmt.Sprint(len(list)))
		key = append(key, list...)
	}
	add("patterns", cfg.importPaths())
	add("also", cfg.Also)
	add("env", settings(cfg.environ()))
	for _, file := range slices.Sorted(maps.Keys(cfg.Overlay)) {
		key = append(key, file, fmt.Sprintf("%x", sha256.Sum256(cfg.Overlay[file])))
	}
	return key
}

// importPaths returns the patterns, with folders of the module in which the go command runs
// told by their import paths: a program is the same one under both names.
func (cfg *Config) importPaths() []string {
	list := slices.Clone(cfg.Patterns)
	env := cfg.environ()
	if getenv(env, "GO111MODULE") == "off" || strings.Contains(getenv(env, "GOFLAGS"), "-modfile") {
		return list
	}
	root, module := moduleOf(cfg.dir())
	for i, p := range list {
		local := p == "." || p == ".." || strings.HasPrefix(p, "./") || strings.HasPrefix(p, "../") || filepath.IsAbs(p)
		if !local || strings.Contains(p, "...") || strings.HasSuffix(p, ".go") || module == "" {
			continue
		}
		dir := p
		if !filepath.IsAbs(p) {
			dir = filepath.Join(cfg.dir(), p)
		}
		if r, _ := moduleOf(dir); r != root {
			continue
		}
		if rel, err := filepath.Rel(root, dir); err == nil {
			list[i] = path.Join(module, filepath.ToSlash(rel))
		}
	}
	return list
}

// moduleOf returns the folder with the go.mod file that a folder belongs to, and the path of
// that module, "" if there is none.
func moduleOf(dir string) (root, module string) {
	for {
		if text, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil {
			return dir, modfile.ModulePath(text)
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", ""
		}
		dir = up
	}
}

// goCommand identifies the go command that a load would run.
func goCommand() string {
	name, err := exec.LookPath("go")
	if err != nil {
		return "none"
	}
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	info, err := os.Stat(name)
	if err != nil {
		return name
	}
	return fmt.Sprintf("%s %d %d", name, info.Size(), info.ModTime().UnixNano())
}

// settings returns the variables of env, and of the file that "go env -w"
// writes, that the go command listens to. Variables that only tune a running
// program are left out.
func settings(env []string) []string {
	last := make(map[string]string)
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		switch name {
		case "GOGC", "GOMEMLIMIT", "GOMAXPROCS", "GOTRACEBACK", "GODEBUG", "GORACE":
			continue
		}
		if strings.HasPrefix(name, "GO") || name == "CGO_ENABLED" || name == "HOME" || name == "XDG_CONFIG_HOME" {
			last[name] = value
		}
	}
	var list []string
	for _, name := range slices.Sorted(maps.Keys(last)) {
		list = append(list, name+"="+last[name])
	}
	file := last["GOENV"]
	if file == "" {
		if dir, err := os.UserConfigDir(); err == nil {
			file = filepath.Join(dir, "go", "env")
		}
	}
	if text, err := os.ReadFile(file); err == nil && file != "off" {
		list = append(list, string(text))
	}
	return list
}
