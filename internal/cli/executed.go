package cli

import (
	"maps"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/report"
)

// ofFiles is the package of a program that is files, for the go command.
const ofFiles = "command-line-arguments"

// executed counts the statements that the search of a target has executed, for each package of its module, the target's own first. What cannot
// be read is left out: it is not what the user asked for. Of several programs side by side nothing is said.
func (c *coverage) executed(t *target, list []lts.System) (all []report.Executed) {
	if strings.Contains(t.pkg, " ") {
		return nil
	}
	c.add(t, list)
	for _, name := range t.files { // those too that nothing of is compiled because nothing can call it
		if f := (check.File{Name: name, Pkg: t.pkg}); c.hits[f] == nil {
			c.hits[f] = map[[2]int]int64{}
		}
	}
	blocks := map[string][]report.Block{}
	for f, places := range c.hits {
		b, err := blocksOf(f, places)
		if err != nil {
			return nil
		}
		blocks[f.Pkg] = append(blocks[f.Pkg], b...)
	}
	for _, pkg := range slices.Sorted(maps.Keys(blocks)) {
		e := report.ExecutedIn(pkg, blocks[pkg])
		switch {
		case pkg == t.pkg && e.Statements == 0:
			return nil // what others have would be taken for it
		case pkg == t.pkg:
			all = slices.Insert(all, 0, e)
		default:
			all = append(all, e)
		}
	}
	if len(all) == 0 || all[0].Package != t.pkg {
		return nil
	}
	if t.pkg == ofFiles {
		all[0].Package = "main"
	}
	return all
}
