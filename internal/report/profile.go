package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
)

// A Block is a piece of source without branches, and how often it was executed.
// Lines and columns count from 1, columns in bytes; the end is behind the last
// byte.
type Block struct {
	File      string // import path of the package, slash, name of the file
	StartLine int
	StartCol  int
	EndLine   int
	EndCol    int
	Stmts     int
	Count     int64
}

// A Profile is what go tool cover reads: the blocks of the files that were
// looked at, executed or not. The zero value is an empty one that says only
// whether blocks were executed.
type Profile struct {
	Counts bool // say how often, and not only whether
	blocks map[Block]int64
}

// Add adds blocks. A block that is there already gets the sum of both counts.
func (p *Profile) Add(blocks ...Block) {
	if p.blocks == nil {
		p.blocks = map[Block]int64{}
	}
	for _, b := range blocks {
		n := b.Count
		b.Count = 0
		p.blocks[b] += n
	}
}

// Write writes the profile, ordered by file and position. Block.File must be free of
// colons and line ends, which the format cannot hold.
func (p *Profile) Write(w io.Writer) error {
	list := make([]Block, 0, len(p.blocks))
	for b, n := range p.blocks {
		if strings.ContainsAny(b.File, ":\r\n") {
			return diag.Usagef("%q: a coverage profile has no place for a file of this name", b.File)
		}
		b.Count = n
		list = append(list, b)
	}
	slices.SortFunc(list, func(a, b Block) int {
		return cmp.Or(strings.Compare(a.File, b.File),
			a.StartLine-b.StartLine, a.StartCol-b.StartCol,
			a.EndLine-b.EndLine, a.EndCol-b.EndCol, a.Stmts-b.Stmts)
	})
	var out strings.Builder
	mode := "set"
	if p.Counts {
		mode = "count"
	}
	fmt.Fprintf(&out, "mode: %s\n", mode)
	for _, b := range list {
		if !p.Counts {
			b.Count = min(b.Count, 1)
		}
		fmt.Fprintf(&out, "%s:%d.%d,%d.%d %d %d\n", b.File, b.StartLine, b.StartCol, b.EndLine, b.EndCol, b.Stmts, b.Count)
	}
	_, err := io.WriteString(w, out.String())
	return err
}
