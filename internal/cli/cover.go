package cli

import (
	"cmp"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/report"
)

// A coverage collects what the searches of a run have executed: the files of the
// program's own module, without those of tests.
type coverage struct {
	profile report.Profile
	hits    map[check.File]map[[2]int]int64 // by line and column
	root    string                          // of the module
	mu      sync.Mutex                      // packages may be checked side by side
}

// add adds what the systems of one search have executed.
func (c *coverage) add(t *target, list []lts.System) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.hits == nil {
		c.hits = map[check.File]map[[2]int]int64{}
		c.root = cmp.Or(c.root, moduleRoot(t.dir))
	}
	names := map[string]check.File{}
	for _, f := range t.prog.Files {
		if !strings.HasPrefix(f.Name, c.root+"/") || strings.HasSuffix(f.Name, "_test.go") || path.Base(f.Name) == "_testmain.go" {
			continue
		}
		if f.Pkg == "main" {
			f.Pkg = t.pkg
		}
		names[f.Name] = f
		if c.hits[f] == nil {
			c.hits[f] = map[[2]int]int64{}
		}
	}
	for _, sys := range list {
		s, ok := sys.(interface {
			Covered(yield func(file string, line, col int, count int64))
		})
		if !ok {
			continue
		}
		s.Covered(func(file string, line, col int, count int64) {
			if f, ok := names[file]; ok {
				c.hits[f][[2]int{line, col}] += count
			}
		})
	}
}

// finish cuts the files into blocks.
func (c *coverage) finish() (*report.Profile, error) {
	for f, places := range c.hits {
		blocks, err := blocksOf(f, places)
		if err != nil {
			return nil, err
		}
		c.profile.Add(blocks...)
	}
	return &c.profile, nil
}

// blocksOf cuts a file into blocks.
func blocksOf(f check.File, places map[[2]int]int64) ([]report.Block, error) {
	src, err := os.ReadFile(f.Name)
	if err != nil {
		return nil, diag.Usagef("-coverprofile: %v", err)
	}
	hits := make([]report.Hit, 0, len(places))
	for at, n := range places {
		hits = append(hits, report.Hit{Line: at[0], Col: at[1], Count: n})
	}
	slices.SortFunc(hits, func(a, b report.Hit) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Col - b.Col
	})
	return report.Blocks(path.Join(f.Pkg, filepath.Base(f.Name)), src, hits)
}

// moduleRoot returns the folder with the go.mod of a package, or the package's
// own.
func moduleRoot(dir string) string {
	for d := dir; ; d = filepath.Dir(d) {
		if info, err := os.Stat(filepath.Join(d, "go.mod")); err == nil && info.Mode()&fs.ModeDir == 0 {
			return d
		}
		if d == filepath.Dir(d) {
			return dir
		}
	}
}
