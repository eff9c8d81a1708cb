package linear

import (
	"fmt"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// uniqueNames gives parameters names that differ from each other and from those
// of functions and global variables: states are told by them. Other variables
// keep their names, since whoever prints renames what clashes.
func uniqueNames(lps *spec.LPS) {
	taken := map[string]bool{}
	for _, f := range lps.Funcs {
		taken[f.Name] = true
	}
	for _, g := range lps.Globals {
		taken[g.Name] = true
	}
	counts := map[string]int{}
	for _, v := range lps.Params {
		name := v.Name
		for taken[name] {
			counts[v.Name]++
			name = fmt.Sprintf("%s_%d", v.Name, counts[v.Name])
		}
		taken[name] = true
		v.Name = name
	}
}
