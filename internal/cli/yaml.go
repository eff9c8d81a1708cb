package cli

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/nearest"
	"github.com/heddle-mc/heddle/internal/settings"
)

// applySettings gives the flags that were not set on the command line the values
// of the heddle.yaml in a folder.
func applySettings(fs *flag.FlagSet, c *checkFlags, dir string) error {
	entries, err := settings.Find(nearDir(dir))
	if err != nil {
		return err
	}
	given := map[string]bool{}
	fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
	for _, e := range entries {
		if e.Name == "peers" && fs.Lookup("server") != nil {
			if err := c.peersFromYAML(e, dir); err != nil {
				return err
			}
			continue
		}
		if e.Name == "udp" && e.Nested() {
			text, err := udpOf(e)
			if err != nil {
				return err
			}
			if !given[e.Name] {
				c.Model.UDP = text
			}
			continue
		}
		if e.Name == "hosts" && e.Nested() && fs.Lookup("host") != nil {
			hosts := map[string]string{}
			if err := e.Decode(&hosts); err != nil {
				return err
			}
			if !given["host"] {
				for _, name := range slices.Sorted(maps.Keys(hosts)) {
					c.Peers.Hosts = append(c.Peers.Hosts, name+"="+hosts[name])
				}
			}
			continue
		}
		if e.Nested() {
			return diag.Sourcef(e.At, "%s: a value or a list of values is expected", e.Name)
		}
		switch known := fs.Lookup(e.Name) != nil; {
		case e.Name == "args":
			if len(c.Program.Args) == 0 {
				c.Program.Args = e.Values
			}
			continue
		case known && !isSetting(e.Name):
			return diag.Sourcef(e.Pos, "%s is for the command line only", e.Name)
		case !known:
			return diag.Sourcef(e.Pos, "unknown setting %q%s the names are those of the flags that 'heddle help check' lists, and args", e.Name, nearest.Colon(e.Name, settingNames(fs)))
		}
		if e.Name == "env" { // flags add to it
			c.Program.Env = append(slices.Clone(e.Values), c.Program.Env...)
			continue
		}
		if given[e.Name] {
			continue
		}
		if f, ok := fs.Lookup(e.Name).Value.(*textList); ok {
			*f = append(*f, e.Values...)
			continue
		}
		if e.List && e.Name != "property" && e.Name != "tags" {
			return diag.Sourcef(e.At, "%s has one value, not a list", e.Name)
		}
		if err := fs.Set(e.Name, strings.Join(e.Values, ",")); err != nil {
			return diag.Sourcef(e.At, "%s: %v", e.Name, err)
		}
		if e.Name == "baseline" && !filepath.IsAbs(c.Search.Baseline) { // it is seen from the folder of the file
			c.Search.Baseline = filepath.Join(dir, c.Search.Baseline)
		}
	}
	return nil
}

// settingNames lists what heddle.yaml may have.
func settingNames(fs *flag.FlagSet) []string {
	return append(slices.DeleteFunc(flagNames(fs), func(name string) bool { return !isSetting(name) }), "args", "peers", "hosts")
}

// nearDir returns a folder relative to the working directory, if it is below it.
func nearDir(dir string) string {
	if root, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(root, dir); err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	return dir
}
