package ignore

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/nearest"
)

// A Baseline is a file of findings that do not count. A finding is known by its kind, what it says, and where it is: the function
// and the text of the line. So it stays known when lines move, and another one on another line is another one. One without a
// place would be known in every program, so there is none in a baseline.
type Baseline struct {
	Version  int     `json:"heddle_baseline"`
	Findings []Entry `json:"findings"`
	name     string
}

// An Entry is a finding of a baseline.
type Entry struct {
	Kind    string  `json:"kind"`
	Message string  `json:"message"` // without positions
	At      []Place `json:"at"`
	Reason  string  `json:"reason"`
	used    bool
}

// A Place is a line of a program.
type Place struct {
	File string `json:"file"` // relative to the folder of the baseline, or below libraryName or modulesName
	Line int    `json:"line"` // for who reads it: it is not compared
	Func string `json:"func"` // the second init of a file is "init #2"
	Text string `json:"text"`
	Nth  int    `json:"nth"` // of the lines with this text in the function
}

const (
	version     = 1
	maxBaseline = 64 << 20
	usualReason = "was there when the baseline was written"
	libraryName = "$GOROOT/src/"
	modulesName = "$GOMODCACHE/"
)

// load reads a baseline, once.
func (r *Rules) load(name string) (*Baseline, error) {
	name, err := filepath.Abs(name)
	if err != nil {
		return nil, diag.Usagef("-baseline: %v", err)
	}
	if b := r.baselines[name]; b != nil {
		return b, nil
	}
	b, err := readBaseline(name)
	if err != nil {
		return nil, diag.Usagef("-baseline: %v", err)
	}
	for i := range b.Findings {
		e := &b.Findings[i]
		if e.Reason == "" {
			return nil, diag.Usagef("-baseline: %s: %s at %s has no reason: say why it does not count", name, e.Kind, e.where())
		}
		if !slices.Contains(r.Kinds, e.Kind) && r.Refused[e.Kind] == "" {
			return nil, diag.Usagef("-baseline: %s: there is no kind %s%s say one of %s", name, e.Kind, nearest.Colon(e.Kind, r.Kinds), strings.Join(r.Kinds, ", "))
		}
		if why, ok := r.Refused[e.Kind]; ok {
			return nil, diag.Usagef("-baseline: %s: %s: %s", name, e.Kind, why)
		}
		if len(e.At) == 0 {
			return nil, diag.Usagef("-baseline: %s: %s: %s: it has no place, and cannot be ignored: take it out", name, e.Kind, e.Message)
		}
	}
	if r.baselines == nil {
		r.baselines = make(map[string]*Baseline)
	}
	r.baselines[name] = b
	return b, nil
}

func readBaseline(name string) (*Baseline, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxBaseline+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > maxBaseline:
		return nil, fmt.Errorf("%s: larger than %d bytes", name, maxBaseline)
	}
	b := &Baseline{name: name}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(b); err != nil {
		return nil, fmt.Errorf("%s: not a baseline, as -write-baseline writes one: %v", name, err)
	}
	if b.Version != version {
		return nil, fmt.Errorf("%s: heddle_baseline is %d: this heddle reads %d", name, b.Version, version)
	}
	return b, nil
}

// find returns the entry that is like another, nil if there is none.
func (b *Baseline) find(e Entry) *Entry {
	key := e.key()
	for i := range b.Findings {
		if b.Findings[i].key() == key {
			return &b.Findings[i]
		}
	}
	return nil
}

// find returns the entry of a baseline that a finding has, nil if there is none.
func (r *Rules) find(b *Baseline, f diag.Finding, places []diag.Pos) *Entry {
	if e, ok := r.entry(f, places, filepath.Dir(b.name)); ok {
		return b.find(e)
	}
	return nil
}

// key is what makes two entries the same.
func (e *Entry) key() string {
	text := e.Kind + "\x00" + e.Message
	for _, p := range e.At {
		text += fmt.Sprintf("\x00%s\x00%s\x00%s\x00%d", p.File, p.Func, p.Text, p.Nth)
	}
	return text
}

func (e *Entry) where() string {
	if len(e.At) == 0 {
		return "-"
	}
	return fmt.Sprintf("%s:%d", e.At[0].File, e.At[0].Line)
}

// positions are what messages say of places.
var positions = regexp.MustCompile(`\S+\.go:\d+(:\d+)?`)

// entry describes a finding for a baseline in a folder. It reports whether there can be one.
func (r *Rules) entry(f diag.Finding, places []diag.Pos, dir string) (e Entry, ok bool) {
	e = Entry{Kind: f.Kind, Message: strings.TrimSpace(positions.ReplaceAllString(f.Message, "…")), At: []Place{}, Reason: usualReason}
	for _, p := range places {
		at := r.place(p, dir)
		if at.Text == "" { // there is no place, or it is in what the go command has made
			return e, false
		}
		e.At = append(e.At, at)
	}
	return e, len(places) > 0
}

// place describes a line. It has no text if it cannot be read.
func (r *Rules) place(p diag.Pos, dir string) Place {
	src := r.source(p.File)
	out := Place{File: r.fileName(p.File, dir), Line: p.Line, Text: src.line(p.Line), Nth: 1}
	from, to := 1, len(src.lines)
	for _, f := range src.funcs {
		if f.from <= p.Line && p.Line <= f.to {
			out.Func, from, to = f.name, f.from, f.to
		}
	}
	for n := from; n < min(p.Line, to+1); n++ {
		if src.line(n) == out.Text {
			out.Nth++
		}
	}
	return out
}

// fileName names a file such that it has the same name on another machine, and no other file has it. Without a folder the name
// stays.
func (r *Rules) fileName(name, dir string) string {
	slashed := filepath.ToSlash(name)
	if dir == "" {
		return slashed
	}
	for library := range r.libraries {
		if rest, ok := strings.CutPrefix(slashed, library); ok {
			return libraryName + rest
		}
	}
	// What lies in the cache of modules is the same everywhere. Its folders have versions.
	const cache = "/pkg/mod/"
	if i := strings.LastIndex(slashed, cache); i >= 0 && strings.Contains(slashed[i:], "@v") {
		return modulesName + slashed[i+len(cache):]
	}
	if rel, err := filepath.Rel(dir, name); err == nil {
		return filepath.ToSlash(rel)
	}
	return slashed
}

// moved names a file of a baseline in one folder for one in another.
func (r *Rules) moved(name, from, to string) string {
	if strings.HasPrefix(name, libraryName) || strings.HasPrefix(name, modulesName) {
		return name
	}
	if name = filepath.FromSlash(name); !filepath.IsAbs(name) {
		name = filepath.Join(from, name)
	}
	return r.fileName(name, to)
}

// A source is the text of a file and where its functions are.
type source struct {
	lines []string
	funcs []function
}

type function struct {
	name     string
	from, to int
}

func (s *source) line(n int) string {
	if n < 1 || n > len(s.lines) {
		return ""
	}
	return s.lines[n-1]
}

// source reads a file, once.
func (r *Rules) source(name string) *source {
	if s := r.sources[name]; s != nil {
		return s
	}
	s := new(source)
	if r.sources == nil {
		r.sources = make(map[string]*source)
	}
	r.sources[name] = s
	text, err := os.ReadFile(name)
	if err != nil {
		return s
	}
	for l := range strings.Lines(string(text)) {
		code, _, _ := strings.Cut(l, directive)
		s.lines = append(s.lines, strings.Join(strings.Fields(code), " "))
	}
	fset := token.NewFileSet()
	file, _ := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if file == nil {
		return s
	}
	same := make(map[string]int) // there may be several functions init
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			name := funcName(f)
			if same[name]++; same[name] > 1 {
				name = fmt.Sprintf("%s #%d", name, same[name])
			}
			s.funcs = append(s.funcs, function{name, fset.PositionFor(f.Pos(), false).Line, fset.PositionFor(f.End(), false).Line})
		}
	}
	return s
}

func funcName(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return f.Name.Name
	}
	t, star := f.Recv.List[0].Type, ""
	if p, ok := t.(*ast.StarExpr); ok {
		t, star = p.X, "*"
	}
	switch x := t.(type) {
	case *ast.IndexExpr:
		t = x.X
	case *ast.IndexListExpr:
		t = x.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return "(" + star + id.Name + ")." + f.Name.Name
	}
	return f.Name.Name
}

// keep notes a finding that is to become part of a baseline, and reports whether it can. Which folder that is in is not known yet.
func (r *Rules) keep(f diag.Finding, places []diag.Pos) bool {
	e, ok := r.entry(f, places, "")
	if !ok {
		return false
	}
	if r.found == nil {
		r.found = make(map[string]Entry)
	}
	r.found[e.key()] = e
	return true
}

// Write writes what was found, with All, as a baseline, and what an earlier one that was in use still has to say. Those that
// are in the file already keep their reasons. It returns how many findings it has.
func (r *Rules) Write(name string) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	name, err := filepath.Abs(name)
	if err != nil {
		return 0, err
	}
	old, _ := readBaseline(name) // there need not be one
	all := make(map[string]Entry)
	for _, e := range r.found {
		e.At = slices.Clone(e.At)
		for i := range e.At {
			e.At[i].File = r.fileName(filepath.FromSlash(e.At[i].File), filepath.Dir(name))
		}
		all[e.key()] = e
	}
	for _, b := range r.baselines {
		for _, e := range b.Findings {
			if e.used {
				e.At = slices.Clone(e.At)
				for i := range e.At {
					e.At[i].File = r.moved(e.At[i].File, filepath.Dir(b.name), filepath.Dir(name))
				}
				all[e.key()] = e
			}
		}
	}
	out := Baseline{Version: version, Findings: []Entry{}}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		e := all[key]
		if old != nil {
			if o := old.find(e); o != nil && o.Reason != "" {
				e.Reason = o.Reason
			}
		}
		out.Findings = append(out.Findings, e)
	}
	slices.SortStableFunc(out.Findings, func(a, b Entry) int { return cmp.Compare(a.where(), b.where()) })
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(out); err != nil {
		return 0, err
	}
	return len(out.Findings), os.WriteFile(name, text.Bytes(), 0o666)
}
