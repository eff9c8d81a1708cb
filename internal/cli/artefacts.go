package cli

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/graph"
	"github.com/heddle-mc/heddle/internal/trace"
)

// outFolder is the folder for files about violations, below which each target
// has one of its own.
const outFolder = "heddle-out"

// writeFiles writes the files about a violation to a folder. Those in outFolder
// are not for a repository.
func writeFiles(folder string, files []trace.File) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return diag.Usagef("%v", err)
	}
	if strings.HasPrefix(folder, outFolder+"/") {
		if err := os.WriteFile(filepath.Join(outFolder, ".gitignore"), []byte("*\n"), 0o666); err != nil {
			return diag.Usagef("%v", err)
		}
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(folder, f.Name), f.Data, 0o666); err != nil {
			return diag.Usagef("%v", err)
		}
	}
	return nil
}

// A graphFile is the file that the explored graph goes to.
type graphFile struct {
	name    string
	dot     bool
	file    *os.File
	builder graph.Builder
}

// openGraph creates the file before the search, so that a name that cannot be
// written to is known then.
func openGraph(name string) (*graphFile, error) {
	g := &graphFile{name: name}
	switch filepath.Ext(name) {
	case ".dot":
		g.dot = true
	case ".aut":
	default:
		return nil, diag.Usagef("-lts %s: the name has to end in .aut or .dot", name)
	}
	var err error
	if g.file, err = os.Create(name); err != nil {
		return nil, diag.Usagef("-lts: %v", err)
	}
	return g, nil
}

// write writes the graph.
func (g *graphFile) write() error {
	built := g.builder.Graph()
	err := error(nil)
	if g.dot {
		err = built.WriteDot(g.file)
	} else {
		err = built.WriteAut(g.file)
	}
	if cerr := g.file.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return diag.Usagef("-lts %s: %v", g.name, err)
	}
	return nil
}

// folderName is the name of the folder of a target: its directory relative to
// the working directory or, if it is elsewhere, the last part of its name.
func folderName(root, dir, name string) string {
	if rel, err := filepath.Rel(root, dir); err == nil && rel != "." && filepath.IsLocal(rel) {
		return rel
	}
	return filepath.Base(strings.TrimSuffix(name, ".go"))
}
