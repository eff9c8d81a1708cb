package report

import (
	"cmp"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
)

// A Hit is a place that was executed. With a column it counts for the block
// that it lies in. Without one (0) it counts for the first block that has a
// statement on the line: of "if x { f() }" it says that x was evaluated, and
// nothing about f.
type Hit struct {
	Line, Col int
	Count     int64
}

// Blocks cuts a Go file into the blocks that go test -cover has, so that go tool
// cover shows both alike, and counts hits. A block was executed as often as the
// first place in it that was. Line directives are not followed. The name is that
// of Block.File; errors are those of the syntax.
func Blocks(name string, src []byte, hits []Hit) ([]Block, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, syntaxError(err)
	}
	c := &cutter{src: src, file: fset.File(file.FileStart)}
	c.cut(file)
	slices.SortStableFunc(c.pieces, func(a, b piece) int { return cmp.Compare(a.start, b.start) })
	blocks := make([]Block, len(c.pieces))
	lines := make([][]span, len(c.pieces)) // of the statements, by block
	for i, p := range c.pieces {
		start, end := c.position(p.start), c.position(p.end)
		blocks[i] = Block{name, start.Line, start.Column, end.Line, end.Column, len(p.units), 0}
		for _, u := range p.units {
			lines[i] = append(lines[i], span{c.position(u.start).Line, c.position(u.end).Line})
		}
	}
	count(blocks, lines, hits)
	return blocks, nil
}

// A span is a range of lines, both ends included.
type span struct{ first, last int }

// count sets the counts of blocks.
func count(blocks []Block, lines [][]span, hits []Hit) {
	first := make([]Hit, len(blocks)) // of each block
	for _, h := range hits {
		i := slices.IndexFunc(blocks, func(b Block) bool { return b.contains(h) })
		if h.Col == 0 {
			i = slices.IndexFunc(lines, func(stmts []span) bool {
				return slices.ContainsFunc(stmts, func(s span) bool { return s.first <= h.Line && h.Line <= s.last })
			})
		}
		if i < 0 || h.Count <= 0 {
			continue
		}
		switch order := comparePlaces(h, first[i]); {
		case first[i].Count == 0 || order < 0:
			first[i] = h
		case order == 0:
			first[i].Count += h.Count
		}
		blocks[i].Count = first[i].Count
	}
}

func (b *Block) contains(h Hit) bool {
	return comparePlaces(h, Hit{Line: b.StartLine, Col: b.StartCol}) >= 0 &&
		comparePlaces(h, Hit{Line: b.EndLine, Col: b.EndCol}) < 0
}

func comparePlaces(a, b Hit) int { return cmp.Or(a.Line-b.Line, a.Col-b.Col) }

// syntaxError gives the first error of a parser its position.
func syntaxError(err error) error {
	if list, ok := err.(scanner.ErrorList); ok && len(list) > 0 {
		return diag.Sourcef(diag.FromToken(list[0].Pos), "%s", list[0].Msg)
	}
	return diag.Usagef("%v", err)
}
