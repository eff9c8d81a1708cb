package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/plain"
)

// Version is the version of trace.json that Write writes and Read reads. It
// changes when a field changes its meaning or is gone.
const Version = 1

// The form of trace.json. All positions are {"file","line","col"} and are left out
// where there are none; empty lists are left out.
//
//	version      1
//	program      what identifies the program that was checked
//	settings     how it was checked, by name
//	path         the steps as numbers of the system, n*k for k times n: "0*3.2"
//	loop         the number of the step with which a loop begins that goes on for ever, up to
//	             the last step; left out if there is none
//	finding      kind, message, pos
//	switches     the number of context switches, preemptions of them, and whether
//	preemptions  no path of this length or shorter has fewer
//	fewest
//	before       what went between actors and others before the first step: a list of
//	             actor, action, pos, messages
//	steps        a list; number n of the text is element n-1:
//	  actor, action, pos
//	  messages   a list of from, to, text
//	  changed    a list of name, old, new; an empty value does not exist
//	  touched    a list of thing, write
//	  switch     "switch" or "preemption" if another actor moved before
//	  weight     "key", "past" or "apart": see Weight
//	  why        a list of for (a later step's number, 0 for the end) and text
//	stacks       where the sides of a race came from, a list of actor, action, frames, started; the last two are
//	             lists of func, pos, and library if it is the standard library's, the innermost first
//	waiting      a list of actor, for, pos, releasers, on
type fileForm struct {
	Version     int               `json:"version"`
	Program     string            `json:"program"`
	Settings    map[string]string `json:"settings,omitempty"`
	Path        string            `json:"path"`
	Loop        int               `json:"loop,omitempty"`
	Finding     findingForm       `json:"finding"`
	Switches    int               `json:"switches"`
	Preemptions int               `json:"preemptions"`
	Fewest      bool              `json:"fewest"`
	Before      []beforeForm      `json:"before,omitempty"`
	Steps       []stepForm        `json:"steps"`
	Stacks      []stackForm       `json:"stacks,omitempty"`
	Waiting     []waitingForm     `json:"waiting,omitempty"`
}

type findingForm struct {
	Kind    string   `json:"kind"`
	Message string   `json:"message"`
	Pos     *posForm `json:"pos,omitempty"`
}

type posForm struct {
	File string `json:"file"`
	Line int    `json:"line,omitempty"`
	Col  int    `json:"col,omitempty"`
}

type stepForm struct {
	Actor    string        `json:"actor"`
	Action   string        `json:"action"`
	Pos      *posForm      `json:"pos,omitempty"`
	Messages []messageForm `json:"messages,omitempty"`
	Changed  []changeForm  `json:"changed,omitempty"`
	Touched  []touchForm   `json:"touched,omitempty"`
	Kept     []string      `json:"kept,omitempty"`    // who could have moved meanwhile
	Passed   int64         `json:"passed,omitempty"`  // nanoseconds
	Library  bool          `json:"library,omitempty"` // an operation of the standard library
	Switch   string        `json:"switch,omitempty"`
	Weight   string        `json:"weight"`
	Why      []reasonForm  `json:"why,omitempty"`
}

type beforeForm struct {
	Actor    string        `json:"actor"`
	Action   string        `json:"action"`
	Pos      *posForm      `json:"pos,omitempty"`
	Messages []messageForm `json:"messages,omitempty"`
}

type messageForm struct {
	From string `json:"from"`
	To   string `json:"to"`
	Text string `json:"text"`
}

type changeForm struct {
	Name string `json:"name"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

type touchForm struct {
	Thing string `json:"thing"`
	Write bool   `json:"write"`
}

type reasonForm struct {
	For  int    `json:"for"`
	Text string `json:"text"`
}

type stackForm struct {
	Actor   string      `json:"actor"`
	Action  string      `json:"action"`
	Of      string      `json:"of,omitempty"`
	Frames  []frameForm `json:"frames,omitempty"`
	Started []frameForm `json:"started,omitempty"`
}

type frameForm struct {
	Func    string   `json:"func"`
	Pos     *posForm `json:"pos,omitempty"`
	Library bool     `json:"library,omitempty"`
}

type waitingForm struct {
	Actor     string   `json:"actor"`
	For       string   `json:"for"`
	Pos       *posForm `json:"pos,omitempty"`
	Releasers []string `json:"releasers,omitempty"`
	On        []string `json:"on,omitempty"`
}

// Write writes the trace as trace.json.
func (t *Trace) Write(w io.Writer) error {
	f := fileForm{
		Version: Version, Program: t.Program, Settings: t.Settings, Path: t.Path.String(), Loop: t.Loop,
		Finding:  findingForm{t.Finding.Kind, t.Finding.Message, formPos(t.Finding.Pos)},
		Switches: t.Switches, Preemptions: t.Preemptions, Fewest: t.Fewest,
		Steps: make([]stepForm, 0, len(t.Steps)),
	}
	for _, e := range t.Before {
		f.Before = append(f.Before, beforeForm{e.Actor, e.Action, formPos(e.Pos), formMessages(e.Messages)})
	}
	for i := range t.Steps {
		f.Steps = append(f.Steps, formStep(&t.Steps[i]))
	}
	for _, s := range t.Stacks {
		f.Stacks = append(f.Stacks, stackForm{s.Actor, s.Action, s.Of, formFrames(s.Frames), formFrames(s.Started)})
	}
	for _, x := range t.Waiting {
		f.Waiting = append(f.Waiting, waitingForm{x.Actor, x.For, formPos(x.Pos), x.Releasers, x.On})
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(f)
}

func formPos(p diag.Pos) *posForm {
	if !p.IsValid() {
		return nil
	}
	return &posForm{p.File, p.Line, p.Col}
}

func formFrames(list []lts.Frame) (out []frameForm) {
	for _, fr := range list {
		out = append(out, frameForm{fr.Func, formPos(fr.Pos), fr.Library})
	}
	return out
}

func readFrames(list []frameForm) (out []lts.Frame, err error) {
	for _, x := range list {
		pos, err := x.Pos.pos()
		if err != nil {
			return nil, err
		}
		out = append(out, lts.Frame{Func: x.Func, Pos: pos, Library: x.Library})
	}
	return out, nil
}

func formMessages(list []lts.Message) []messageForm {
	var out []messageForm
	for _, m := range list {
		out = append(out, messageForm(m))
	}
	return out
}

func readMessages(list []messageForm) []lts.Message {
	var out []lts.Message
	for _, m := range list {
		out = append(out, lts.Message(m))
	}
	return out
}

func formStep(s *Step) stepForm {
	f := stepForm{Actor: s.Actor, Action: s.Action, Pos: formPos(s.Pos), Messages: formMessages(s.Messages), Kept: s.Kept, Passed: s.Passed, Library: s.Library, Weight: s.Weight.String()}
	for _, c := range s.Changed {
		f.Changed = append(f.Changed, changeForm{c.Name, c.Old, c.New})
	}
	for _, x := range s.Touched {
		f.Touched = append(f.Touched, touchForm{x.Thing, x.Write})
	}
	switch {
	case s.Preemption:
		f.Switch = "preemption"
	case s.Switch:
		f.Switch = "switch"
	}
	for _, r := range s.Why {
		f.Why = append(f.Why, reasonForm(r))
	}
	return f
}

// Read reads what Write wrote. It refuses what is damaged and other versions.
func Read(r io.Reader) (*Trace, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var head struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, damaged("%s", text(err))
	}
	if head.Version != Version {
		return nil, diag.Usagef("trace: version %d: this heddle reads version %d", head.Version, Version)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var f fileForm
	if err := d.Decode(&f); err != nil {
		return nil, damaged("%s", text(err))
	}
	return f.trace()
}

// damaged says that a file is not a trace.
func damaged(format string, args ...any) error {
	return diag.Usagef("trace: not a trace.json: "+format, args...)
}

// text returns the text of an error of package json on one line.
func text(err error) string {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Sprintf("byte %d: %s", syntax.Offset, plain.Line(syntax.Error()))
	}
	return plain.Line(err.Error())
}

// trace checks and converts what was read.
func (f *fileForm) trace() (*Trace, error) {
	path, err := lts.ParsePath(f.Path)
	if err != nil {
		return nil, damaged("%s", plain.Line(err.Error()))
	}
	if len(path) != len(f.Steps) {
		return nil, damaged("the path has %d steps, the list %d", len(path), len(f.Steps))
	}
	if f.Loop < 0 || f.Loop > len(path) {
		return nil, damaged("a loop from step %d of %d on", f.Loop, len(path))
	}
	t := &Trace{
		Program: f.Program, Settings: f.Settings, Path: path, Loop: f.Loop,
		Switches: f.Switches, Preemptions: f.Preemptions, Fewest: f.Fewest,
	}
	if len(t.Settings) == 0 {
		t.Settings = nil
	}
	t.Finding = diag.Finding{Kind: plain.Line(f.Finding.Kind), Message: plain.Line(f.Finding.Message)}
	if t.Finding.Pos, err = f.Finding.Pos.pos(); err != nil {
		return nil, err
	}
	for _, x := range f.Before {
		pos, err := x.Pos.pos()
		if err != nil {
			return nil, err
		}
		t.Before = append(t.Before, cleanEvent(lts.Event{Actor: x.Actor, Action: x.Action, Pos: pos, Messages: readMessages(x.Messages)}))
	}
	switches, preemptions := 0, 0
	for i := range f.Steps {
		s, err := f.step(i)
		if err != nil {
			return nil, err
		}
		t.Steps = append(t.Steps, s)
		if s.Switch {
			switches++
		}
		if s.Preemption {
			preemptions++
		}
	}
	if switches != t.Switches || preemptions != t.Preemptions {
		return nil, damaged("got %d switches and %d preemptions, the steps have %d and %d",
			t.Switches, t.Preemptions, switches, preemptions)
	}
	for _, x := range f.Stacks {
		s := lts.Stack{Actor: x.Actor, Action: x.Action, Of: x.Of}
		if s.Frames, err = readFrames(x.Frames); err != nil {
			return nil, err
		}
		if s.Started, err = readFrames(x.Started); err != nil {
			return nil, err
		}
		t.Stacks = append(t.Stacks, cleanStack(s))
	}
	for _, x := range f.Waiting {
		pos, err := x.Pos.pos()
		if err != nil {
			return nil, err
		}
		t.Waiting = append(t.Waiting, cleanWaiting(lts.Waiting{Actor: x.Actor, For: x.For, Pos: pos, Releasers: x.Releasers, On: x.On}))
	}
	return t, nil
}

// pos checks and converts a position.
func (p *posForm) pos() (diag.Pos, error) {
	if p == nil {
		return diag.Pos{}, nil
	}
	if p.File == "" || p.Line < 0 || p.Col < 0 {
		return diag.Pos{}, damaged("position %q:%d:%d", p.File, p.Line, p.Col)
	}
	return cleanPos(diag.Pos{File: p.File, Line: p.Line, Col: p.Col}), nil
}

// step checks and converts one step.
func (f *fileForm) step(i int) (Step, error) {
	x := &f.Steps[i]
	pos, err := x.Pos.pos()
	if err != nil {
		return Step{}, err
	}
	e := lts.Event{Actor: x.Actor, Action: x.Action, Pos: pos, Messages: readMessages(x.Messages), Kept: x.Kept, Passed: x.Passed, Library: x.Library}
	for _, c := range x.Changed {
		e.Changed = append(e.Changed, lts.Change{Name: c.Name, Old: c.Old, New: c.New})
	}
	for _, c := range x.Touched {
		e.Touched = append(e.Touched, lts.Touch{Thing: c.Thing, Write: c.Write})
	}
	weight := slices.Index(weightNames[:], x.Weight)
	if weight < 0 {
		return Step{}, damaged("step %d: weight %q", i+1, x.Weight)
	}
	s := Step{Event: cleanEvent(e), Weight: Weight(weight)}
	switch x.Switch {
	case "":
	case "preemption":
		s.Switch, s.Preemption = true, true
	case "switch":
		s.Switch = true
	default:
		return Step{}, damaged("step %d: switch %q", i+1, x.Switch)
	}
	for _, r := range x.Why {
		if r.For < 0 || r.For > len(f.Steps) {
			return Step{}, damaged("step %d: a reason for step %d of %d", i+1, r.For, len(f.Steps))
		}
		s.Why = append(s.Why, Reason{r.For, plain.Line(r.Text)})
	}
	return s, nil
}

// A File is an artefact of a finding.
type File struct {
	Name string
	Data []byte
}

// Files returns what is kept of a finding, to be written to one folder.
func (t *Trace) Files() ([]File, error) {
	var b bytes.Buffer
	if err := t.Write(&b); err != nil {
		return nil, err
	}
	told := t.Readable()
	return []File{
		{"trace.json", b.Bytes()},
		{"trace.txt", []byte(told.Text() + "\n" + told.Columns(0))},
		{"sequence.mmd", []byte(told.Mermaid())},
	}, nil
}
