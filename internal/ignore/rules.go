// Package ignore knows which findings somebody has said do not count: by a
// comment beside a line of the program, or by a baseline, a file of findings that
// were there before.
//
//	n++ //heddle:ignore race only for statistics
//
//	//heddle:ignore leak,deadlock the process ends with the connection
//	<-done
//
// A comment is about the line that it stands on or, if it stands alone, about the
// next one. It names kinds of findings, and says why. It knows nothing about
// how findings are made: who makes them asks [Noted.Ignores], which notes what it
// was asked about, so that each finding that does not count is told.
package ignore

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/heddle-mc/heddle/internal/diag"
)

// Rules are the comments of programs, and baselines. Programs that are checked
// side by side share them.
type Rules struct {
	// Kinds are those that can be ignored, and Refused says why others cannot.
	Kinds   []string
	Refused map[string]string
	// Root is the folder that positions are told relative to, where the program is worked on.
	Root string
	// All ignores everything that nothing else ignores: what there is is to become a baseline.
	All bool

	mu        sync.Mutex
	read      map[string]error // files whose comments are known
	marks     map[line][]*mark
	baselines map[string]*Baseline
	sources   map[string]*source
	libraries map[string]bool  // the folders of the standard library, with slashes
	found     map[string]Entry // with All: what there is
}

// A line of a file.
type line struct {
	file string
	n    int
}

// A mark is a comment.
type mark struct {
	pos    diag.Pos
	kinds  []string
	reason string
	used   bool
}

// A File is a source file of a program.
type File struct {
	Name string // absolute
	Pkg  string // import path
}

// Read reads the comments of a program. Those of the standard library and of other
// modules do not count: nobody else may say what is ignored in a program. Errors
// are those of comments that cannot be right, with their positions.
func (r *Rules) Read(files []File) error {
	library := ""
	for _, f := range files {
		if f.Pkg == "runtime" {
			library = strings.TrimSuffix(filepath.Dir(f.Name), "runtime")
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if library != "" {
		if r.libraries == nil {
			r.libraries = make(map[string]bool)
		}
		r.libraries[filepath.ToSlash(library)] = true
	}
	var list diag.List
	for _, f := range files {
		if library != "" && strings.HasPrefix(f.Name, library) || r.foreign(f) {
			continue
		}
		if _, ok := r.read[f.Name]; !ok {
			if r.read == nil {
				r.read, r.marks = make(map[string]error), make(map[line][]*mark)
			}
			r.read[f.Name] = r.comments(f.Name)
		}
		if l, ok := r.read[f.Name].(diag.List); ok {
			list = append(list, l...)
		}
	}
	list.Sort()
	return list.Err()
}

// cached is how a folder of the cache of modules is called.
var cached = regexp.MustCompile(`@v[0-9]+\.[0-9]+\.[0-9]+`)

// foreign reports whether a file is of a module that somebody else has written: it lies in the cache of modules, or is a copy of such a
// file, in a folder vendor with a list of modules. The folders that one works in may have any name.
func (r *Rules) foreign(f File) bool {
	if strings.Contains("/"+f.Pkg, "/vendor/") { // without modules
		return true
	}
	for dir := filepath.Dir(f.Name); !within(dir, r.Root); dir = filepath.Dir(dir) {
		switch base := filepath.Base(dir); {
		case cached.MatchString(base):
			return true
		case base == "vendor":
			if _, err := os.Stat(filepath.Join(dir, "modules.txt")); err == nil {
				return true
			}
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return false
}

// within reports whether a folder is another one, or lies below it.
func within(dir, folder string) bool {
	rel, err := filepath.Rel(dir, folder)
	return err == nil && filepath.IsLocal(rel)
}

// Marks is how many comments there are.
func (r *Rules) Marks() (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, list := range r.marks {
		n += len(list)
	}
	return n
}

// near makes a position relative to the root.
func (r *Rules) near(p diag.Pos) diag.Pos {
	if rel, err := filepath.Rel(r.Root, p.File); err == nil && filepath.IsLocal(rel) {
		p.File = rel
	}
	return p
}

// Unused tells of each comment, and each finding of a baseline, that has ignored nothing, if it is about a kind
// that was looked for.
func (r *Rules) Unused(looked []string) (list []diag.Finding) {
	r.mu.Lock()
	defer r.mu.Unlock()
	on := func(kind string) bool { return slices.Contains(looked, kind) }
	for _, marks := range r.marks {
		for _, m := range marks {
			if !m.used && slices.ContainsFunc(m.kinds, on) {
				list = append(list, diag.Finding{Kind: strings.Join(m.kinds, ","), Pos: r.near(m.pos), Message: "this comment ignores nothing: there is no such finding at its line"})
			}
		}
	}
	for _, b := range r.baselines {
		for i := range b.Findings {
			if e := &b.Findings[i]; !e.used && on(e.Kind) {
				list = append(list, diag.Finding{Kind: e.Kind, Pos: r.near(diag.Pos{File: b.name}), Message: "this finding is not there any more: " + e.where() + ": " + e.Message})
			}
		}
	}
	slices.SortFunc(list, func(a, b diag.Finding) int {
		return cmp.Or(a.Pos.Compare(b.Pos), strings.Compare(a.Kind, b.Kind), strings.Compare(a.Message, b.Message))
	})
	return list
}

// A Hit is a finding that does not count.
type Hit struct {
	diag.Finding
	Reason string
	By     diag.Pos // of the comment, or the file of the baseline
	InFile bool     // it is a baseline
	Orders bool     // it is about two accesses that nothing orders
}

// Noted is what was ignored of one program.
type Noted struct {
	rules    *Rules
	baseline *Baseline // nil for none
	mu       sync.Mutex
	seen     map[asked]bool
	hits     []Hit
}

// asked is what makes two questions the same.
type asked struct {
	kind, message string
	pos           diag.Pos
}

// Noted returns what notes what is ignored of a program, by the comments that were read and by a baseline, if it has a name.
func (r *Rules) Noted(baseline string) (*Noted, error) {
	n := &Noted{rules: r, seen: make(map[asked]bool)}
	if baseline == "" {
		return n, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	var err error
	n.baseline, err = r.load(baseline)
	return n, err
}

// Ignores reports whether a finding does not count. The places are where it is, as files are named to Read: a race has two. One
// without a place counts always.
// It may be asked by several at once.
func (n *Noted) Ignores(f diag.Finding, places ...diag.Pos) bool {
	key := asked{f.Kind, f.Message, f.Pos}
	n.mu.Lock()
	defer n.mu.Unlock()
	if is, ok := n.seen[key]; ok {
		return is
	}
	h, is := n.rules.judge(n.baseline, f, places)
	if n.seen[key] = is; is {
		h.Finding, h.Orders = f, len(places) > 1
		n.hits = append(n.hits, h)
	}
	return is
}

// judge looks for what says that a finding does not count.
func (r *Rules) judge(b *Baseline, f diag.Finding, places []diag.Pos) (h Hit, is bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range places {
		for _, m := range r.marks[line{p.File, p.Line}] {
			if !slices.Contains(m.kinds, f.Kind) {
				continue
			}
			if m.used = true; !is {
				h, is = Hit{Reason: m.reason, By: r.near(m.pos)}, true
			}
		}
	}
	if is {
		return h, true
	}
	if b == nil && !r.All {
		return h, false
	}
	if _, refused := r.Refused[f.Kind]; refused {
		return h, false
	}
	if b != nil {
		if e := r.find(b, f, places); e != nil {
			e.used = true
			return Hit{Reason: e.Reason, By: r.near(diag.Pos{File: b.name}), InFile: true}, true
		}
	}
	if r.All && r.keep(f, places) {
		return Hit{Reason: usualReason, InFile: true}, true
	}
	return h, false
}

// Hits returns what was ignored, in the order of places.
func (n *Noted) Hits() []Hit {
	n.mu.Lock()
	defer n.mu.Unlock()
	list := slices.Clone(n.hits)
	slices.SortFunc(list, func(a, b Hit) int {
		return cmp.Or(a.Pos.Compare(b.Pos), strings.Compare(a.Kind, b.Kind), strings.Compare(a.Message, b.Message))
	})
	return list
}
