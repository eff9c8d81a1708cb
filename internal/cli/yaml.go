package cli

import (
	"flag"
	"path/filepath"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/settings"
)

// applySettings gives the flags that were not set on the command line the values
// of the heddle.yaml in a folder.
func applySettings(fs *flag.FlagSet, c *checkFlags, dir string) error {
	entries, err := settings.Find(dir)
	if err != nil {
		return err
	}
	given := map[string]bool{}
	fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
	for _, e := range entries {
		switch known := fs.Lookup(e.Name) != nil; {
		case e.Name == "args":
			if len(c.args) == 0 {
				c.args = e.Values
			}
			continue
		case known && !c.isSetting(e.Name):
			return diag.Sourcef(e.Pos, "%s is for the command line only", e.Name)
		case !known:
			return diag.Sourcef(e.Pos, "unknown setting %q: the names are those of the flags that 'heddle help check' lists, and args", e.Name)
		}
		if given[e.Name] {
			continue
		}
		if e.List && e.Name != "property" && e.Name != "tags" {
			return diag.Sourcef(e.At, "%s has one value, not a list", e.Name)
		}
		if err := fs.Set(e.Name, strings.Join(e.Values, ",")); err != nil {
			return diag.Sourcef(e.At, "%s: %v", e.Name, err)
		}
	}
	return nil
}

// folderOf returns the folder of a program if it is plain from what was typed: a
// path, or files. The folder of an import path is known to the go command only.
func folderOf(dir string, patterns []string) (string, bool) {
	p := patterns[0]
	switch {
	case strings.HasSuffix(p, ".go"):
		p = filepath.Dir(p)
	case p == "." || p == ".." || strings.HasPrefix(p, "./") || strings.HasPrefix(p, "../") || filepath.IsAbs(p):
	default:
		return "", false
	}
	if !filepath.IsAbs(p) {
		p = filepath.Join(dir, p)
	}
	return p, true
}
