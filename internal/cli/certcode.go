package cli

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/check"
)

// A code is what a certificate says of a compiled program: a hash of each function,
// and of all that is not a function's own. Two programs of one code with some other
// functions differ in the bodies of these only.
type code struct {
	program   []cert.Pair // Go version, modules, tables, strings, lines
	functions []cert.Pair
}

// The names of what a certificate says of a program.
const (
	codeGo      = "go"
	codeModules = "modules"
	codeTables  = "tables"  // types, variables, and functions without their bodies
	codeStrings = "strings" // the bytes of constants: how many, and a hash
	codeLines   = "lines"   // positions in the source
)

// codeOf describes a program.
func codeOf(prog *bytecode.Program) *code {
	c := &code{functions: make([]cert.Pair, len(prog.Funcs))}
	bare, lines := *prog, bytecode.Program{Files: check.BaseNames(prog.Files)}
	bare.Files, bare.Strings = nil, nil
	bare.Funcs = make([]bytecode.Func, len(prog.Funcs))
	lines.Funcs = make([]bytecode.Func, len(prog.Funcs))
	for i := range prog.Funcs {
		f := prog.Funcs[i]
		lines.Funcs[i] = bytecode.Func{Lines: f.Lines, File: f.File, Line: f.Line}
		f.Lines, f.File, f.Line = nil, 0, 0
		c.functions[i] = cert.Pair{Name: f.Name, Value: codeHash(&bytecode.Program{Funcs: []bytecode.Func{f}})}
		f.Code, f.Selects, f.Maps, f.Points, f.Uints, f.Frame, f.Recover = nil, nil, nil, nil, nil, 0, 0
		bare.Funcs[i] = f
	}
	c.program = []cert.Pair{{Name: codeGo, Value: prog.GoVersion}}
	if mods := modules(prog.Files); mods != "" {
		c.program = append(c.program, cert.Pair{Name: codeModules, Value: mods})
	}
	c.program = append(c.program,
		cert.Pair{Name: codeTables, Value: codeHash(&bare)},
		cert.Pair{Name: codeStrings, Value: stringsHash(prog.Strings, len(prog.Strings))},
		cert.Pair{Name: codeLines, Value: codeHash(&lines)})
	return c
}

// codeHash is a hash of 64 bits: it tells changes, and keeps nobody from making two
// functions with one hash. What a certificate is about is its identity.
func codeHash(prog *bytecode.Program) string {
	sum := sha256.Sum256(bytecode.Encode(prog))
	return base64.RawURLEncoding.EncodeToString(sum[:8])
}

// stringsHash is a hash of the first n bytes of constants.
func stringsHash(data []byte, n int) string {
	sum := sha256.Sum256(data[:n])
	return fmt.Sprintf("%d:%s", n, base64.RawURLEncoding.EncodeToString(sum[:8]))
}

// modules lists the modules that functions come from, with their versions: those of
// the module cache, whose folders have them in their names.
func modules(files []string) string {
	seen := map[string]bool{}
	for _, f := range files {
		_, rest, ok := strings.Cut(f, "/pkg/mod/")
		at := strings.Index(rest, "@")
		if !ok || at < 0 {
			continue
		}
		version, _, _ := strings.Cut(rest[at:], "/")
		seen[rest[:at]+version] = true
	}
	return strings.Join(slices.Sorted(maps.Keys(seen)), " ")
}

// A difference is what has changed from one program to another.
type difference struct {
	functions []string // with other bodies
	numbers   map[uint32]bool
	lines     bool   // positions in the source
	why       string // something else, "" if nothing
}

// differ compares a program with that of a certificate.
func (c *code) differ(h *cert.Header, strings []byte) difference {
	d := difference{numbers: map[uint32]bool{}}
	for _, p := range c.program {
		old := cert.Lookup(h.Program, p.Name)
		if old == p.Value {
			continue
		}
		switch p.Name {
		case codeLines:
			d.lines = true
		case codeStrings:
			// More constants after those that were there make no difference to these.
			n := 0
			if _, err := fmt.Sscanf(old, "%d:", &n); err != nil || n < 0 || n > len(strings) || stringsHash(strings, n) != old {
				d.why = "constants have changed"
			}
		case codeTables:
			d.why = "types, variables or the set of functions have changed"
		default:
			d.why = fmt.Sprintf("%s was %q and is %q", p.Name, old, p.Value)
		}
	}
	if len(h.Functions) != len(c.functions) {
		if d.why == "" {
			d.why = fmt.Sprintf("there were %d functions, and there are %d", len(h.Functions), len(c.functions))
		}
		return c.byName(h, d)
	}
	for i, f := range c.functions {
		if h.Functions[i] != f {
			d.functions = append(d.functions, f.Name)
			d.numbers[uint32(i)] = true
		}
	}
	return d
}

// byName names what has changed where functions have other numbers.
func (c *code) byName(h *cert.Header, d difference) difference {
	old := map[cert.Pair]bool{}
	for _, f := range h.Functions {
		old[f] = true
	}
	for _, f := range c.functions {
		if !old[f] {
			d.functions = append(d.functions, f.Name)
		}
	}
	return d
}

// String says what has changed, in a few words.
func (d *difference) String() string {
	const most = 5
	var out []string
	switch n := len(d.functions); {
	case n > most:
		out = append(out, fmt.Sprintf("%s and %d more functions have changed", strings.Join(d.functions[:most], ", "), n-most))
	case n == 1:
		out = append(out, d.functions[0]+" has changed")
	case n > 0:
		out = append(out, strings.Join(d.functions, ", ")+" have changed")
	}
	if d.why != "" {
		out = append(out, d.why)
	}
	if len(out) == 0 && d.lines {
		out = append(out, "positions in the source have changed")
	}
	if len(out) == 0 {
		out = append(out, "nothing that it has hashes of has changed")
	}
	return strings.Join(out, "; ")
}
