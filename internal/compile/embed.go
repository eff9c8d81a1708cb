package compile

import (
	"cmp"
	"encoding/binary"
	"go/types"
	"os"
	"path"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/load"
)

// embeds initialises the variables of a package that embed files, before its
// initialiser runs.
func (g *gen) embeds(p *load.Package) {
	for _, e := range p.Embeds {
		v, ok := p.SSA.Members[e.Var.Name()].(*ssa.Global)
		if !ok {
			continue
		}
		g.pos = e.Var.Pos()
		to := place{kind: placeStatic, static: g.c.global(v)}
		switch u := e.Var.Type().Underlying().(type) {
		case *types.Basic:
			g.storeAt(to, g.text(g.embedded(e)), e.Var.Type())
		case *types.Slice:
			// The program may write to the bytes.
			r := g.newPtrReg(3, []uint64{1})
			g.op(bytecode.OpStrbytes, r, g.text(g.embedded(e)), reg{}, 0)
			g.storeAt(to, r, e.Var.Type())
		case *types.Struct:
			g.storeAt(to, g.pointerWord(int64(g.embedFS(e.Files))), u.Field(0).Type())
		}
	}
}

// embedded is the content of the only file of a string or []byte.
func (g *gen) embedded(e load.Embed) string {
	if len(e.Files) != 1 {
		g.fail("%d files in one //go:embed variable of type %s", len(e.Files), e.Var.Type())
	}
	return g.readEmbed(e.Files[0])
}

func (g *gen) readEmbed(f load.EmbedFile) string {
	data, err := os.ReadFile(f.Path)
	if err != nil {
		g.fail("embedding %s: %v", f.Name, err)
	}
	return string(data)
}

// text is a register with a string literal.
func (g *gen) text(s string) reg {
	r := g.newPtrReg(2, []uint64{1})
	if s == "" {
		g.zero(r, 2)
		return r
	}
	g.op(bytecode.OpStr, r, reg{}, reg{}, g.c.str(s))
	return r
}

// embedFS makes the static list of files behind an embed.FS: files and the
// directories they are in, which have a slash at the end of their names, sorted
// by directory and then by name. A file is its name, its data, and 16 bytes of
// hash, which the package does not use.
func (g *gen) embedFS(files []load.EmbedFile) uint64 {
	data := make(map[string]string)
	for _, f := range files {
		data[f.Name] = g.readEmbed(f)
		for dir := path.Dir(f.Name); dir != "."; dir = path.Dir(dir) {
			data[dir+"/"] = ""
		}
	}
	names := make([]string, 0, len(data))
	for name := range data {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		a, b = strings.TrimSuffix(a, "/"), strings.TrimSuffix(b, "/")
		return cmp.Or(strings.Compare(path.Dir(a), path.Dir(b)), strings.Compare(path.Base(a), path.Base(b)))
	})
	var list []byte
	for _, name := range names {
		list = g.c.staticString(list, name)
		list = g.c.staticString(list, data[name])
		list = append(list, make([]byte, 16)...)
	}
	header := binary.LittleEndian.AppendUint64(nil, g.c.static(list))
	header = binary.LittleEndian.AppendUint64(header, uint64(len(names)))
	header = binary.LittleEndian.AppendUint64(header, uint64(len(names)))
	return g.c.static(header)
}
