package certify

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

// A Code is what a certificate says of a compiled program: a hash of each function,
// and of all that is not a function's own. Two programs of one code with some other
// functions differ in the bodies of these only.
type Code struct {
	Program   []cert.Pair // Go version, modules, tables, strings, lines
	Functions []cert.Pair
}

// The names of what a certificate says of a program.
const (
	codeGo      = "go"
	codeModules = "modules"
	codeTables  = "tables"  // types, variables, and functions without their bodies
	codeStrings = "strings" // the bytes of constants: how many, and a hash
	codeLines   = "lines"   // positions in the source
)

// CodeOf describes a program.
func CodeOf(prog *bytecode.Program) *Code {
	c := &Code{Functions: make([]cert.Pair, len(prog.Funcs))}
	bare, lines := *prog, bytecode.Program{Files: check.BaseNames(prog.Files)}
	bare.Files, bare.Strings = nil, nil
	bare.Funcs = make([]bytecode.Func, len(prog.Funcs))
	lines.Funcs = make([]bytecode.Func, len(prog.Funcs))
	for i := range prog.Funcs {
		f := prog.Funcs[i]
		lines.Funcs[i] = bytecode.Func{Lines: f.Lines, File: f.File, Line: f.Line}
		f.Lines, f.File, f.Line = nil, 0, 0
		c.Functions[i] = cert.Pair{Name: f.Name, Value: codeHash(&bytecode.Program{Funcs: []bytecode.Func{f}})}
		f.Code, f.Selects, f.Maps, f.Points, f.Uints, f.Frame, f.Recover = nil, nil, nil, nil, nil, 0, 0
		bare.Funcs[i] = f
	}
	c.Program = []cert.Pair{{Name: codeGo, Value: prog.GoVersion}}
	if mods := modules(prog.Files); mods != "" {
		c.Program = append(c.Program, cert.Pair{Name: codeModules, Value: mods})
	}
	c.Program = append(c.Program,
		cert.Pair{Name: codeTables, Value: codeHash(&bare)},
		cert.Pair{Name: codeStrings, Value: stringsHash(prog.Strings, len(prog.Strings))},
		cert.Pair{Name: codeLines, Value: codeHash(&lines)})
	return c
}

// The lengths of hashes. A long one has 144 bits, so that nobody can make two functions with one hash. A short one is
// its beginning, of 72 bits, and only tells changes: what a certificate is about is its identity.
const (
	longHash  = 24
	shortHash = 12
)

// codeHash is a long hash of a program.
func codeHash(prog *bytecode.Program) string {
	return longHashOf(bytecode.Encode(prog))
}

func longHashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return base64.RawURLEncoding.EncodeToString(sum[:longHash/4*3])
}

// short returns the functions with short hashes.
func (c *Code) short() []cert.Pair {
	list := slices.Clone(c.Functions)
	for i := range list {
		list[i].Value = list[i].Value[:shortHash]
	}
	return list
}

// bound reports whether a header has long hashes of all functions.
func bound(h *cert.Header) bool {
	return !slices.ContainsFunc(h.Functions, func(f cert.Pair) bool { return len(f.Value) != longHash })
}

// sameFunction reports whether a function is that of a certificate.
func sameFunction(f, old cert.Pair) bool {
	n := len(old.Value)
	return f.Name == old.Name && (n == longHash || n == shortHash) && f.Value[:n] == old.Value
}

// stringsHash is a hash of the first n bytes of constants.
func stringsHash(data []byte, n int) string {
	return fmt.Sprintf("%d:%s", n, longHashOf(data[:n]))
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

// A Difference is what has changed from one program to another.
type Difference struct {
	Functions []string // with other bodies
	Numbers   map[uint32]bool
	Lines     bool   // positions in the source
	Why       string // something else, "" if nothing
}

// Differ compares a program with that of a certificate.
func (c *Code) Differ(h *cert.Header, strings []byte) Difference {
	d := Difference{Numbers: map[uint32]bool{}}
	for _, p := range c.Program {
		old := cert.Lookup(h.Program, p.Name)
		if old == p.Value {
			continue
		}
		switch p.Name {
		case codeLines:
			d.Lines = true
		case codeStrings:
			// More constants after those that were there make no difference to these.
			n := 0
			if _, err := fmt.Sscanf(old, "%d:", &n); err != nil || n < 0 || n > len(strings) || stringsHash(strings, n) != old {
				d.Why = "constants have changed"
			}
		case codeTables:
			d.Why = "types, variables or the set of functions have changed"
		default:
			d.Why = fmt.Sprintf("%s was %q and is %q", p.Name, old, p.Value)
		}
	}
	if len(h.Functions) != len(c.Functions) {
		if d.Why == "" {
			d.Why = fmt.Sprintf("there were %d functions, and there are %d", len(h.Functions), len(c.Functions))
		}
		return c.byName(h, d)
	}
	for i, f := range c.Functions {
		if !sameFunction(f, h.Functions[i]) {
			d.Functions = append(d.Functions, f.Name)
			d.Numbers[uint32(i)] = true
		}
	}
	return d
}

// byName names what has changed where functions have other numbers.
func (c *Code) byName(h *cert.Header, d Difference) Difference {
	old := map[cert.Pair]bool{}
	for _, f := range h.Functions {
		old[f] = true
	}
	for _, f := range c.Functions {
		if !old[f] && !old[cert.Pair{Name: f.Name, Value: f.Value[:shortHash]}] {
			d.Functions = append(d.Functions, f.Name)
		}
	}
	return d
}

// String says what has changed, in a few words.
func (d *Difference) String() string {
	const most = 5
	var out []string
	switch n := len(d.Functions); {
	case n > most:
		out = append(out, fmt.Sprintf("%s and %d more functions have changed", strings.Join(d.Functions[:most], ", "), n-most))
	case n == 1:
		out = append(out, d.Functions[0]+" has changed")
	case n > 0:
		out = append(out, strings.Join(d.Functions, ", ")+" have changed")
	}
	if d.Why != "" {
		out = append(out, d.Why)
	}
	if len(out) == 0 && d.Lines {
		out = append(out, "positions in the source have changed")
	}
	if len(out) == 0 {
		out = append(out, "nothing that it has hashes of has changed")
	}
	return strings.Join(out, "; ")
}
