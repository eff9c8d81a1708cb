package view

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/trace"
)

// A Story is what a page tells, in the form in which the page's program reads it (web/src/story.ts). Numbers of lanes, files and steps count
// from 0 on; -1 is none.
type Story struct {
	Title   string  `json:"title"`
	Kind    string  `json:"kind"`
	Message string  `json:"message"`
	File    int     `json:"file"`
	Line    int     `json:"line"`
	Cause   string  `json:"cause"`
	Summary string  `json:"summary"`
	Stale   string  `json:"stale,omitempty"` // what is to be said about a program that has changed
	Loop    int     `json:"loop"`            // the step with which a loop begins
	Lanes   []Lane  `json:"lanes"`
	Before  []Step  `json:"before"`
	Steps   []Step  `json:"steps"`
	Stacks  []Stack `json:"stacks"`
	Waiting []Wait  `json:"waiting"` // at the end
	Files   []File  `json:"files"`

	// Starts and Ends are the functions that lanes are in before the first step and behind the last, null if that is not known.
	Starts []*Frame `json:"starts"`
	Ends   []*Frame `json:"ends"`
}

// A Lane is a goroutine, or somebody outside.
type Lane struct {
	Name    string `json:"name"`
	Full    string `json:"full"`
	Outside bool   `json:"outside,omitempty"`
}

// A Step is one step.
type Step struct {
	Lane    int         `json:"lane"`
	Action  string      `json:"action"`
	File    int         `json:"file"`
	Line    int         `json:"line"`
	Library bool        `json:"library,omitempty"`
	Package string      `json:"package,omitempty"` // of the library, for folded steps
	Weight  string      `json:"weight"`
	Switch  string      `json:"switch,omitempty"`
	Why     []string    `json:"why,omitempty"`
	Changed [][3]string `json:"changed,omitempty"`
	Sent    []Message   `json:"sent,omitempty"`
	Meets   []int       `json:"meets,omitempty"` // lanes
	After   []int       `json:"after,omitempty"` // steps
	Frame   *Frame      `json:"frame,omitempty"`
	Waits   *[]Wait     `json:"waits,omitempty"` // who waits behind it, if that is not what it was before
}

// A Message is one between lanes.
type Message struct {
	From int    `json:"from"`
	To   int    `json:"to"`
	Text string `json:"text"`
}

// A Frame is the function that the mover is in behind a step, with its variables as names and values.
type Frame struct {
	Func string      `json:"func"`
	Vars [][2]string `json:"vars"`
}

// A Wait is somebody who waits.
type Wait struct {
	Lane int    `json:"lane"`
	For  string `json:"for"`
	File int    `json:"file"`
	Line int    `json:"line"`
	By   []int  `json:"by,omitempty"` // who could end that
}

// A Stack is where somebody came from.
type Stack struct {
	Actor   string  `json:"actor"`
	Action  string  `json:"action"`
	Frames  []Place `json:"frames"`
	Started []Place `json:"started"`
}

// A Place is a function and where one stands in it.
type Place struct {
	Func    string `json:"func"`
	File    int    `json:"file"`
	Line    int    `json:"line"`
	Library bool   `json:"library,omitempty"`
}

// A File is a source file. Its text is empty if it cannot be read.
type File struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// A teller makes a story.
type teller struct {
	root  string
	t     *trace.Trace
	story *Story
	lanes map[string]int
	files map[string]int
}

// maxSource is how many bytes of source a page has.
const maxSource = 8 << 20

// Tell makes a story of a trace. Files whose names are relative are looked for in root.
func Tell(t *trace.Trace, title, root string) *Story {
	t = t.Named()
	s := &Story{
		Title: title, Kind: t.Finding.Kind, Message: t.Finding.Message, Cause: strings.TrimSpace(t.CauseText()), Summary: t.Summary(), Loop: t.Loop - 1,
		Starts: []*Frame{}, Ends: []*Frame{}, Lanes: []Lane{}, Before: []Step{}, Steps: []Step{}, Stacks: []Stack{}, Waiting: []Wait{}, Files: []File{},
	}
	w := &teller{root: root, t: t, story: s, lanes: make(map[string]int), files: make(map[string]int)}
	own, outside := t.Actors()
	if i := slices.Index(own, "main"); i > 0 { // it comes first
		own = slices.Insert(slices.Delete(own, i, i+1), 0, "main")
	}
	for _, name := range own {
		w.lane(name, false)
	}
	for _, name := range outside {
		w.lane(name, true)
	}
	s.File, s.Line = w.file(t.Finding.Pos), t.Finding.Pos.Line
	for _, e := range t.Before {
		s.Before = append(s.Before, w.event(&e))
	}
	after, meets := t.After(), t.Meets()
	for i := range t.Steps {
		step := w.step(&t.Steps[i])
		step.After = after[i]
		for _, name := range meets[i] {
			step.Meets = append(step.Meets, w.lane(name, false))
		}
		s.Steps = append(s.Steps, step)
	}
	for _, x := range t.Stacks {
		s.Stacks = append(s.Stacks, Stack{x.Actor, x.Action, w.places(x.Frames), w.places(x.Started)})
	}
	s.Waiting = w.waits(t.Waiting)
	w.read()
	s.shorten()
	return s
}

// lane is the number of an actor.
func (w *teller) lane(name string, outside bool) int {
	n, ok := w.lanes[name]
	if !ok {
		n = len(w.lanes)
		w.lanes[name] = n
		w.story.Lanes = append(w.story.Lanes, Lane{short(name), name, outside})
	}
	return n
}

// short is a name without the path of its package.
func short(name string) string {
	last := name[strings.LastIndexByte(name, '/')+1:]
	if !strings.Contains(last, ".") {
		return name // the main goroutine of one of several processes
	}
	return last
}

// shorten leaves out the package of goroutines, if it is the same one for all that have one.
func (s *Story) shorten() {
	many := make(map[string]int)
	for _, l := range s.Lanes {
		many[l.Name]++
	}
	for i := range s.Lanes {
		if l := &s.Lanes[i]; many[l.Name] > 1 { // of several processes
			l.Name = l.Full
		}
	}
	pkg := ""
	for _, l := range s.Lanes {
		before, after, ok := strings.Cut(l.Name, ".")
		if l.Outside || !ok || after == "" {
			continue
		}
		if pkg != "" && pkg != before {
			return
		}
		pkg = before
	}
	for i := range s.Lanes {
		if l := &s.Lanes[i]; pkg != "" && !l.Outside {
			l.Name = strings.TrimPrefix(l.Name, pkg+".")
		}
	}
}

// file is the number of a file.
func (w *teller) file(p diag.Pos) int {
	if p.File == "" {
		return -1
	}
	n, ok := w.files[p.File]
	if !ok {
		n = len(w.files)
		w.files[p.File] = n
		w.story.Files = append(w.story.Files, File{Name: p.File})
	}
	return n
}

// read reads the files, as far as there is room for them.
func (w *teller) read() {
	room := maxSource
	for i := range w.story.Files {
		f := &w.story.Files[i]
		name := f.Name
		if !filepath.IsAbs(name) {
			name = filepath.Join(w.root, name)
		}
		if filepath.Ext(name) != ".go" { // a trace that somebody else has made may name any file
			continue
		}
		if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() || info.Size() > int64(room) {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil || len(data) > room {
			continue
		}
		room -= len(data)
		f.Text = strings.ToValidUTF8(string(data), "�")
	}
}

// event tells what all events have.
func (w *teller) event(e *lts.Event) Step {
	s := Step{Lane: w.lane(e.Actor, false), Action: e.Action, File: w.file(e.Pos), Line: e.Pos.Line, Library: e.Library}
	if e.Library {
		s.Package = packageOf(e.Pos.File)
	}
	for _, c := range e.Changed {
		s.Changed = append(s.Changed, [3]string{c.Name, c.Old, c.New})
	}
	for _, m := range e.Messages {
		s.Sent = append(s.Sent, Message{w.lane(m.From, true), w.lane(m.To, true), m.Text})
	}
	return s
}

// packageOf is the package of a file of the standard library.
func packageOf(file string) string {
	if _, rest, ok := strings.Cut(file, "/src/"); ok {
		return path.Dir(rest)
	}
	return "" // the step is told at a place of its user
}

func (w *teller) step(x *trace.Step) Step {
	s := w.event(&x.Event)
	s.Weight = x.Weight.String()
	switch {
	case x.Preemption:
		s.Switch = "preemption"
	case x.Switch:
		s.Switch = "switch"
	}
	for _, r := range x.Why {
		s.Why = append(s.Why, r.Text)
	}
	return s
}

func (w *teller) places(list []lts.Frame) []Place {
	out := []Place{}
	for _, f := range list {
		out = append(out, Place{f.Func, w.file(f.Pos), f.Pos.Line, f.Library})
	}
	return out
}

func (w *teller) waits(list []lts.Waiting) []Wait {
	out := []Wait{}
	for _, x := range list {
		wait := Wait{Lane: w.lane(x.Actor, false), For: x.For, File: w.file(x.Pos), Line: x.Pos.Line}
		for _, name := range x.Releasers {
			wait.By = append(wait.By, w.lane(name, false))
		}
		out = append(out, wait)
	}
	return out
}

// maxLooked is how many steps at the end of a trace are looked at with variables and who waits.
const maxLooked = 20000

// Look goes along the trace once more and adds variables, and who waits for whom, to its steps. The system is at the start of the trace.
func (s *Story) Look(t *trace.Trace, root string, sys lts.System, in *execute.Inspector) {
	w := &teller{root: root, t: t, story: s, lanes: make(map[string]int), files: make(map[string]int)}
	for i, l := range s.Lanes {
		w.lanes[l.Full] = i
	}
	for i, f := range s.Files {
		w.files[f.Name] = i
	}
	teller, _ := sys.(lts.Describer)
	waiters, _ := sys.(lts.Waiters)
	known := len(s.Files)
	var last []Wait
	s.Starts = w.frames(in)
	for i, step := range t.Path {
		who := in.Mover(step)
		if i < t.Untold() || teller == nil {
			sys.Take(step)
		} else {
			teller.Describe(step) // so that things have the names of the story
		}
		if i < len(t.Path)-maxLooked {
			continue
		}
		s.Steps[i].Frame = frameOf(in, who)
		if waiters == nil {
			continue
		}
		if now := w.waits(waiters.Waiting()); i == 0 || !slices.EqualFunc(now, last, sameWait) {
			s.Steps[i].Waits, last = &now, now
		}
	}
	s.Ends = w.frames(in)
	if len(s.Files) > known {
		w.read()
	}
}

// frames tells the functions that lanes are in.
func (w *teller) frames(in *execute.Inspector) []*Frame {
	list := make([]*Frame, len(w.story.Lanes))
	for _, t := range in.Threads() {
		if n, ok := w.lanes[t.Name]; ok && n < len(list) {
			list[n] = frameOf(in, t.ID)
		}
	}
	return list
}

func sameWait(a, b Wait) bool {
	return a.Lane == b.Lane && a.For == b.For && a.File == b.File && a.Line == b.Line && slices.Equal(a.By, b.By)
}

// frameOf tells the variables of the innermost function of the user that a thread is in, nil if it is in none.
func frameOf(in *execute.Inspector, thread int) *Frame {
	for _, f := range in.Stack(thread) {
		if f.Library {
			continue
		}
		out := &Frame{Func: short(f.Func), Vars: [][2]string{}}
		for _, params := range []bool{true, false} {
			for _, v := range in.Vars(thread, f.Index, params) {
				if v.Known() {
					out.Vars = append(out.Vars, [2]string{v.Name, v.Text()})
				}
			}
		}
		return out
	}
	return nil
}
