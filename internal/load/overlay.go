package load

import (
	"os"
	"path/filepath"
	"slices"
)

// An overlaid file replaces a file of the standard library, or adds to it.
type overlaid struct {
	name   string // below GOROOT/src
	reason string
	source string
	adds   bool // the source comes after what the file holds
}

// overlays are the files of the standard library that are replaced. They have
// the same imports and export the same names as the originals. One more is in testdeps.go.
var overlays = []overlaid{{
	name: "internal/abi/abi_amd64.go",
	reason: "package reflect marshals the arguments of calls for the compiler's register convention; " +
		"the machine has no such registers, so the constants are those of the stack-based convention",
	source: `package abi

const (
	IntArgRegs            = 0
	FloatArgRegs          = 0
	EffectiveFloatRegSize = 0
)
`,
}, {
	name:   "internal/sync/hashtriemap.go",
	reason: "the shape of the trie under sync.Map depends on hashes of addresses; a map of the machine is canonical",
	source: hashTrieMap,
}, {
	name:   "unique/canonmap.go",
	reason: "the shape of the trie under package unique depends on hashes and collections; a map of the machine is canonical",
	source: canonMap,
}, {
	name: "internal/poll/fd_poll_runtime.go",
	reason: "the network poller is there from the start, as it is in every process that has used it once; " +
		"who of several goroutines is the first to need it tells nothing of the program",
	source: "func init() { serverInit.Do(runtime_pollServerInit) }\n",
	adds:   true,
}}

// overlayFor returns the contents that replace the named file, or nil. User
// overlays come first.
func (u *universe) overlayFor(file string) []byte {
	if src, ok := u.cfg.Overlay[file]; ok {
		return src
	}
	if u.overlay == nil && u.goroot != "" {
		u.overlay = make(map[string][]byte)
		for _, o := range overlays {
			name := filepath.Join(u.goroot, "src", filepath.FromSlash(o.name))
			source := []byte(o.source)
			if o.adds {
				original, err := os.ReadFile(name)
				if err != nil {
					continue // whoever needs the file will say so
				}
				source = slices.Concat(original, []byte("\n"), source)
			}
			u.overlay[name] = source
		}
	}
	return u.overlay[file]
}

// replaced returns the first replaced file of a package, or nil. Files that are added to keep what they have.
func (u *universe) replaced(p *Package) *overlaid {
	for i, o := range overlays {
		name := filepath.Join(u.goroot, "src", filepath.FromSlash(o.name))
		if !o.adds && slices.Contains(p.goFiles, name) {
			return &overlays[i]
		}
	}
	return nil
}

// read returns the contents of a file, or what replaces them.
func (u *universe) read(file string) ([]byte, error) {
	if src := u.overlayFor(file); src != nil {
		return src, nil
	}
	return os.ReadFile(file)
}
