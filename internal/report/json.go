package report

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
)

// The object is documented in docs/json.md. It has one shape for one target and
// for many, so that a reader need not ask which command printed it.
type jsonRun struct {
	Heddle     string        `json:"heddle"`
	Command    string        `json:"command"`
	Verdict    Verdict       `json:"verdict"`
	ExitCode   int           `json:"exit_code"`
	Counts                   // of all targets
	Bounds     object        `json:"bounds"`
	Properties object        `json:"properties"`
	Settings   object        `json:"settings"`
	Findings   []jsonFinding `json:"findings"`
	Ignored    []jsonIgnored `json:"ignored,omitempty"`
	Unused     []jsonUnused  `json:"unused_ignores,omitempty"`
	Left       []jsonLeft    `json:"left"`
	Targets    []jsonTarget  `json:"targets"`
	Packages   []jsonPackage `json:"packages"`
}

type jsonTarget struct {
	Target   string  `json:"target"`
	Package  string  `json:"package"`
	Test     string  `json:"test"`
	Verdict  Verdict `json:"verdict"`
	Sentence string  `json:"sentence"`
	Counts
	Findings   int        `json:"findings"`
	More       int64      `json:"more_findings"`
	Ignored    int        `json:"ignored,omitempty"`
	Stopped    bool       `json:"stopped"`
	Skipped    bool       `json:"skipped"`
	SkipsSome  bool       `json:"skips_some,omitempty"`
	Functions  int        `json:"functions,omitempty"`
	SkippedFun int        `json:"skipped_functions,omitempty"`
	Differ     []Varying  `json:"differ"`
	Advice     []string   `json:"advice,omitempty"`
	Hunt       *Hunt      `json:"hunt,omitempty"`
	Tests      *Tests     `json:"model_tests,omitempty"`
	Estimate   *Estimate  `json:"estimate,omitempty"`
	Executed   []Executed `json:"executed,omitempty"`
	Error      string     `json:"error"`
	Traffic    *Traffic   `json:"traffic,omitempty"`
	Outcomes   []string   `json:"outcomes,omitempty"`
	*jsonClaim            // if it is not that of the run
}

// A jsonPackage counts the tests of a package.
type jsonPackage struct {
	Package      string   `json:"package"`
	Verdict      Verdict  `json:"verdict"`
	Line         string   `json:"line"`
	Seconds      float64  `json:"seconds"`
	Shuffle      string   `json:"shuffle"`
	Tests        int      `json:"tests"`
	Verified     int      `json:"verified"`
	Failed       int      `json:"failed"`
	Ignored      int      `json:"ignored,omitempty"`
	Inconclusive int      `json:"inconclusive"`
	Skipped      int      `json:"skipped"`
	NotChecked   int      `json:"not_checked"`
	Others       []string `json:"others"`
}

type jsonClaim struct {
	Bounds     object `json:"bounds"`
	Properties object `json:"properties"`
	Settings   object `json:"settings"`
}

type jsonFinding struct {
	Target  string        `json:"target"`
	Kind    string        `json:"kind"`
	Message string        `json:"message"`
	Cause   string        `json:"cause,omitempty"`
	Pos     jsonPos       `json:"pos"`
	Before  []jsonStep    `json:"before"`
	Trace   []jsonStep    `json:"trace"`
	Loop    int           `json:"loop"`
	Blocked []jsonBlocked `json:"blocked"`
	Stacks  []jsonStack   `json:"stacks,omitempty"`
	Replay  string        `json:"replay"`
	Folder  string        `json:"folder"`
	// Evidence is of formulas.
	Evidence *Evidence `json:"evidence,omitempty"`
}

type jsonPos struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Col  int    `json:"col"`
}

type jsonStep struct {
	N          int       `json:"n"`
	Actor      string    `json:"actor"`
	Pos        jsonPos   `json:"pos"`
	Action     string    `json:"action"`
	Messages   []Message `json:"messages"`
	Changed    []Change  `json:"changed"`
	Switch     bool      `json:"switch"`
	Preemption bool      `json:"preemption"`
	Matters    string    `json:"matters"`
}

type jsonBlocked struct {
	Actor     string   `json:"actor"`
	For       string   `json:"for"`
	Pos       jsonPos  `json:"pos"`
	Releasers []string `json:"releasers"`
}

type jsonStack struct {
	Actor   string      `json:"actor"`
	Action  string      `json:"action"`
	Frames  []jsonFrame `json:"frames"`
	Started []jsonFrame `json:"started"`
}

type jsonFrame struct {
	Func string  `json:"func"`
	Pos  jsonPos `json:"pos"`
}

type jsonLeft struct {
	Target string   `json:"target"`
	Reason string   `json:"reason"`
	Count  int64    `json:"count"`
	Text   string   `json:"text"`
	Replay string   `json:"replay"`
	Folder string   `json:"folder"`
	Diff   string   `json:"diff"`
	Rules  []string `json:"rules"`
}

// An object is a JSON object whose members keep their order.
type object []Setting

func (o object) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, s := range o {
		if i > 0 {
			b = append(b, ',')
		}
		name, err := json.Marshal(s.Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(s.Value)
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, name...), ':'), value...)
	}
	return append(b, '}'), nil
}

// writeJSON writes the run as one object.
func writeJSON(w io.Writer, run *Run) error {
	out := jsonRun{
		Heddle:   run.Version,
		Command:  run.Command,
		Verdict:  run.Verdict(),
		ExitCode: run.ExitCode(),
		Counts:   rounded(run.total()),
		Bounds:   run.Bounds,
		Settings: run.Settings,
		Findings: []jsonFinding{},
		Left:     []jsonLeft{},
		Targets:  []jsonTarget{},
		Packages: []jsonPackage{},
	}
	out.Properties = propertiesJSON(run.Properties)
	for _, r := range run.Reports {
		t := jsonTarget{
			Target: r.Target, Package: r.Package, Test: r.Test,
			Verdict: r.Verdict, Sentence: run.Sentence(r), Counts: rounded(r.Counts),
			Findings: len(r.Findings), More: r.More, Ignored: len(r.Ignored), Stopped: r.Stopped, Skipped: r.Skipped, SkipsSome: r.SkipsSome, Functions: r.Functions, SkippedFun: r.SkippedFunctions,
			Differ: append([]Varying{}, mostFirst(r.Differ)...), Advice: r.Advice, Hunt: r.Hunt, Tests: r.Tests, Estimate: r.Estimate, Executed: r.Executed, Traffic: r.Traffic, Outcomes: r.Outcomes,
		}
		if r.Err != nil {
			t.Error = r.Err.Error()
		}
		if r.Own != nil || len(r.Met) > 0 {
			c := run.claim(r)
			t.jsonClaim = &jsonClaim{c.Bounds, propertiesJSON(c.Properties), c.Settings}
		}
		out.Targets = append(out.Targets, t)
		for i := range r.Findings {
			out.Findings = append(out.Findings, toJSON(r, &r.Findings[i]))
		}
		for i := range r.Ignored {
			out.Ignored = append(out.Ignored, r.Ignored[i].json(r.Target))
		}
		for _, l := range r.Left {
			out.Left = append(out.Left, jsonLeft{r.Target, l.Reason, l.Count, l.Text, l.Replay, l.Folder, l.Diff, append([]string{}, l.Rules...)})
		}
	}
	for _, u := range run.Unused {
		out.Unused = append(out.Unused, jsonUnused{u.Kind, jsonPos(u.Pos), u.Message})
	}
	for _, p := range run.Packages {
		out.Packages = append(out.Packages, p.json(run))
	}
	return writeIndented(w, out)
}

func (p *Package) json(run *Run) jsonPackage {
	t, of := p.tally(), Run{Reports: p.reports}
	word, rest := p.line(run)
	return jsonPackage{
		Package: p.Path, Verdict: of.Verdict(), Line: word + rest, Seconds: rounded(Counts{Seconds: p.Seconds}).Seconds, Shuffle: p.Shuffle,
		Tests: t.tests(), Verified: t.verified, Failed: t.failed, Ignored: t.ignored, Inconclusive: t.inconclusive, Skipped: t.skipped, NotChecked: t.notChecked, Others: append([]string{}, p.Others...),
	}
}

func propertiesJSON(list []Property) (out object) {
	for _, p := range list {
		out = append(out, Setting{Name: p.Name, Value: p.On})
	}
	return out
}

func toJSON(r *Report, f *Finding) jsonFinding {
	out := jsonFinding{
		Target: r.Target, Kind: f.Kind, Message: f.Message, Cause: f.Cause, Pos: jsonPos(f.Pos),
		Before: []jsonStep{}, Trace: []jsonStep{}, Loop: f.Loop, Blocked: []jsonBlocked{}, Replay: f.Replay, Folder: f.Folder, Evidence: f.Evidence.json(),
	}
	for _, s := range f.Before {
		out.Before = append(out.Before, stepJSON(s))
	}
	for _, s := range f.Steps {
		out.Trace = append(out.Trace, stepJSON(s))
	}
	for _, s := range f.Stacks {
		out.Stacks = append(out.Stacks, jsonStack{s.Actor, s.Action, framesJSON(s.Frames), framesJSON(s.Started)})
	}
	for _, b := range f.Blocked {
		out.Blocked = append(out.Blocked, jsonBlocked{b.Actor, b.For, jsonPos(b.Pos), append([]string{}, b.Releasers...)})
	}
	return out
}

func framesJSON(list []Frame) []jsonFrame {
	out := []jsonFrame{}
	for _, fr := range list {
		out = append(out, jsonFrame{fr.Func, jsonPos(fr.Pos)})
	}
	return out
}

func stepJSON(s Step) jsonStep {
	return jsonStep{
		N: s.N, Actor: s.Actor, Pos: jsonPos(s.Pos), Action: s.Action, Messages: append([]Message{}, s.Messages...),
		Changed: append([]Change{}, s.Changed...), Switch: s.Switch, Preemption: s.Preemption, Matters: s.Matters,
	}
}

// rounded cuts times to microseconds, which is finer than anybody measures.
func rounded(c Counts) Counts {
	c.Seconds = math.Round(c.Seconds*1e6) / 1e6
	c.CPUSeconds = math.Round(c.CPUSeconds*1e6) / 1e6
	return c
}

// writeIndented writes a value as JSON for people to read too: characters such
// as < and & stand for themselves.
func writeIndented(w io.Writer, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}
