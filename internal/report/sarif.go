package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
)

// The parts of SARIF 2.1.0 (OASIS standard) that are used, with the standard's
// names. Findings are results; a step of the way to one is a location in the
// threadFlow of its actor, and executionOrder puts the threadFlows together.
// What was not covered is a notification, because a result is about a place in
// the source.
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool                `json:"tool"`
	Invocations []sarifInvocation        `json:"invocations"`
	BaseIDs     map[string]sarifArtifact `json:"originalUriBaseIds"`
	// Columns of Go count bytes, for which the standard has no name; in lines
	// of ASCII they are code points.
	ColumnKind string        `json:"columnKind"`
	Results    []sarifResult `json:"results"`
	Properties sarifRunBag   `json:"properties"`
}

// A sarifRunBag has what the standard has no place for.
type sarifRunBag struct {
	Verdict    Verdict       `json:"verdict"`
	Bounds     object        `json:"bounds"`
	Properties object        `json:"properties"`
	Settings   object        `json:"settings"`
	Targets    []sarifTarget `json:"targets"`
}

// A sarifTarget says how a target has ended, as in the text.
type sarifTarget struct {
	Target   string  `json:"target"`
	Verdict  Verdict `json:"verdict"`
	Sentence string  `json:"sentence"`
	Hunt     *Hunt   `json:"hunt,omitempty"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version,omitempty"`
	URI     string      `json:"informationUri"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID   string       `json:"id"`
	Text sarifMessage `json:"shortDescription"`
}

type sarifMessage struct {
	Text string `json:"text"`
}

// say makes a message. The standard (section 3.11.5) wants braces doubled, since
// single ones are places for arguments, and takes "[…](…)" for a link; and no
// message may be empty.
func say(text string) sarifMessage {
	if text == "" {
		text = "-"
	}
	return sarifMessage{sarifLiteral.Replace(text)}
}

var sarifLiteral = strings.NewReplacer("{", "{{", "}", "}}", "](", "] (")

type sarifInvocation struct {
	CommandLine   string              `json:"commandLine"`
	Successful    bool                `json:"executionSuccessful"`
	ExitCode      int                 `json:"exitCode"`
	Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level      string            `json:"level"`
	Message    sarifMessage      `json:"message"`
	Properties sarifNoticeTarget `json:"properties"`
}

type sarifNoticeTarget struct {
	Target string   `json:"target"`
	Reason []string `json:"reasons"` // those of left in -json
}

type sarifResult struct {
	RuleID       string             `json:"ruleId"`
	RuleIndex    int                `json:"ruleIndex"`
	Level        string             `json:"level"`
	Message      sarifMessage       `json:"message"`
	Locations    []sarifLocation    `json:"locations"`
	Fingerprints map[string]string  `json:"partialFingerprints"`
	Stacks       []sarifStack       `json:"stacks,omitempty"`
	CodeFlows    []sarifCodeFlow    `json:"codeFlows,omitempty"`
	Suppressions []sarifSuppression `json:"suppressions,omitempty"`
	Properties   sarifProperties    `json:"properties"`
}

type sarifProperties struct {
	Target string `json:"target"`
	Replay string `json:"replay,omitempty"`
	Folder string `json:"folder,omitempty"`
}

type sarifLocation struct {
	Physical *sarifPhysical `json:"physicalLocation,omitempty"`
	Message  *sarifMessage  `json:"message,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI         string        `json:"uri,omitempty"`
	BaseID      string        `json:"uriBaseId,omitempty"`
	Description *sarifMessage `json:"description,omitempty"`
}

type sarifRegion struct {
	Line   int `json:"startLine"`
	Column int `json:"startColumn,omitempty"`
}

type sarifStack struct {
	Message sarifMessage `json:"message"`
	Frames  []sarifFrame `json:"frames"`
}

type sarifFrame struct {
	Location sarifFramePlace `json:"location"`
}

type sarifFramePlace struct {
	Physical *sarifPhysical `json:"physicalLocation,omitempty"`
	Logical  []sarifLogical `json:"logicalLocations"`
}

type sarifLogical struct {
	Name string `json:"fullyQualifiedName"`
	Kind string `json:"kind"`
}

type sarifCodeFlow struct {
	Message     sarifMessage      `json:"message"`
	ThreadFlows []sarifThreadFlow `json:"threadFlows"`
}

type sarifThreadFlow struct {
	ID        string           `json:"id"`
	Message   sarifMessage     `json:"message"`
	Locations []sarifFlowPlace `json:"locations"`
}

type sarifFlowPlace struct {
	Order      int                     `json:"executionOrder"`
	Importance string                  `json:"importance"`
	Location   sarifLocation           `json:"location"`
	State      map[string]sarifMessage `json:"state,omitempty"`
}

const (
	sarifSchema = "https://json.schemastore.org/sarif-2.1.0.json"
	sarifRoot   = "%SRCROOT%"
	homepage    = "https://github.com/heddle-mc/heddle"
)

// writeSARIF writes the run as a SARIF log. Files below root, and those with
// relative names, get addresses relative to it.
func writeSARIF(w io.Writer, run *Run, root string) error {
	rootText := say("The directory that heddle was run in.")
	out := sarifRun{
		BaseIDs:    map[string]sarifArtifact{sarifRoot: {Description: &rootText}},
		ColumnKind: "unicodeCodePoints",
		Results:    []sarifResult{},
		Properties: sarifRunBag{Verdict: run.Verdict(), Bounds: run.Bounds, Properties: propertiesJSON(run.Properties), Settings: run.Settings, Targets: []sarifTarget{}},
	}
	inv := sarifInvocation{CommandLine: run.Command, Successful: true, ExitCode: run.ExitCode()}
	rules := ruleSet{index: map[string]int{}}
	for _, r := range run.Reports {
		about := sarifNoticeTarget{Target: r.Target, Reason: []string{}}
		for _, l := range r.Left {
			about.Reason = append(about.Reason, l.Reason)
		}
		if r.Err != nil {
			inv.Successful = false
			inv.Notifications = append(inv.Notifications, sarifNotification{"error", say(run.Sentence(r)), about})
		} else if len(r.Left) > 0 {
			inv.Notifications = append(inv.Notifications, sarifNotification{"warning", say(run.Sentence(r)), about})
		}
		out.Properties.Targets = append(out.Properties.Targets, sarifTarget{r.Target, r.Verdict, run.Sentence(r), r.Hunt})
		for i := range r.Findings {
			f := &r.Findings[i]
			out.Results = append(out.Results, sarifOf(f, r.Target, rules.number(f.Kind), root))
		}
		for i := range r.Ignored {
			f := &r.Ignored[i]
			out.Results = append(out.Results, f.sarif(r.Target, rules.number(f.Kind), root))
		}
	}
	out.Invocations = []sarifInvocation{inv}
	out.Tool.Driver = sarifDriver{Name: "heddle", Version: run.Version, URI: homepage, Rules: append([]sarifRule{}, rules.list...)}
	return writeIndented(w, sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{out}})
}

// A ruleSet numbers the kinds of findings that occur.
type ruleSet struct {
	list  []sarifRule
	index map[string]int
}

func (s *ruleSet) number(kind string) int {
	n, ok := s.index[kind]
	if !ok {
		n = len(s.list)
		s.index[kind] = n
		text := kindTexts[kind]
		if text == "" {
			text = "A violation of kind " + kind + "."
		}
		s.list = append(s.list, sarifRule{kind, say(text)})
	}
	return n
}

var kindTexts = map[string]string{
	"deadlock":  "All goroutines are blocked, or the main goroutine is for ever.",
	"leak":      "A goroutine other than main is blocked forever.",
	"panic":     "The program panics.",
	"race":      "Two goroutines access a variable without synchronisation, and one of them writes it.",
	"fatal":     "The Go runtime ends the program with a fatal error.",
	"assert":    "An assertion of the program does not hold.",
	"invariant": "A condition that the program says always holds does not.",
	"exit":      "The program exits with a code other than 0.",
	"test":      "A test fails.",
	"liveness":  "Something that the program says will happen never does.",
	"livelock":  "Goroutines go around in a loop and get nowhere.",
}

func sarifOf(f *Finding, target string, rule int, root string) sarifResult {
	res := sarifResult{
		RuleID: f.Kind, RuleIndex: rule, Level: "error",
		Message:      say(f.Headline()),
		Locations:    []sarifLocation{},
		Fingerprints: map[string]string{"heddle/v1": fingerprint(f, root)},
		Properties:   sarifProperties{Target: target, Replay: f.Replay, Folder: f.Folder},
	}
	if p := mainPos(f); p.IsValid() {
		res.Locations = append(res.Locations, sarifLocation{Physical: physical(p, root)})
	}
	for _, s := range f.Stacks {
		res.Stacks = append(res.Stacks, stackOf(s.Action+" by "+s.Actor, s.Frames, root))
		if len(s.Started) > 0 {
			res.Stacks = append(res.Stacks, stackOf(s.Actor+" was started here", s.Started, root))
		}
	}
	if flows := threadFlows(f, root); len(flows) > 0 {
		text := fmt.Sprintf("%s to the %s, in the order of execution", plural(int64(len(f.Steps)), "step"), f.Kind)
		res.CodeFlows = []sarifCodeFlow{{say(text), flows}}
	}
	return res
}

func stackOf(text string, frames []Frame, root string) sarifStack {
	out := sarifStack{Message: say(text), Frames: []sarifFrame{}}
	for _, fr := range frames {
		l := sarifFramePlace{Logical: []sarifLogical{{fr.Func, "function"}}}
		if fr.Pos.IsValid() {
			l.Physical = physical(fr.Pos, root)
		}
		out.Frames = append(out.Frames, sarifFrame{l})
	}
	return out
}

// mainPos returns where a finding is shown: at its position or, if it has none,
// where somebody is blocked or where the last step was.
func mainPos(f *Finding) diag.Pos {
	if f.Pos.IsValid() {
		return f.Pos
	}
	for _, b := range f.Blocked {
		if b.Pos.IsValid() {
			return b.Pos
		}
	}
	for i := len(f.Steps) - 1; i >= 0; i-- {
		if f.Steps[i].Pos.IsValid() {
			return f.Steps[i].Pos
		}
	}
	return diag.Pos{}
}

// threadFlows returns one flow for each actor, in the order of their first steps.
// Where an actor is blocked at the end, its flow ends there; actors that are
// blocked without having moved come last.
func threadFlows(f *Finding, root string) []sarifThreadFlow {
	var flows []sarifThreadFlow
	index := map[string]int{}
	add := func(actor string, p sarifFlowPlace) {
		i, ok := index[actor]
		if !ok {
			i = len(flows)
			index[actor] = i
			flows = append(flows, sarifThreadFlow{ID: actor, Message: say(actor)})
		}
		flows[i].Locations = append(flows[i].Locations, p)
	}
	last := 0
	for _, s := range f.Steps {
		p := sarifFlowPlace{Order: s.N, Importance: "important"}
		text := s.Action
		if s.Matters != "" {
			p.Importance = "essential"
			text += " (" + s.Matters + ")"
		}
		p.Location = flowLocation(s.Pos, text, root)
		for _, c := range s.Changed {
			if p.State == nil {
				p.State = map[string]sarifMessage{}
			}
			p.State[c.Name] = say(cmp.Or(c.New, "gone"))
		}
		last = max(last, s.N)
		add(s.Actor, p)
	}
	for _, b := range f.Blocked {
		add(b.Actor, sarifFlowPlace{Order: last + 1, Importance: "essential", Location: flowLocation(b.Pos, "blocked: "+b.For, root)})
	}
	return flows
}

func flowLocation(p diag.Pos, text, root string) sarifLocation {
	message := say(text)
	l := sarifLocation{Message: &message}
	if p.IsValid() {
		l.Physical = physical(p, root)
	}
	return l
}

func physical(p diag.Pos, root string) *sarifPhysical {
	out := &sarifPhysical{Artifact: artifact(p.File, root)}
	if p.Line > 0 {
		out.Region = &sarifRegion{p.Line, p.Col}
	}
	return out
}

// artifact returns the address of a file: relative to the root, or absolute if
// the file is elsewhere. Without a root, relative names stay what they are.
func artifact(file, root string) sarifArtifact {
	if !filepath.IsAbs(file) {
		file = filepath.Join(root, file)
	}
	rel, err := filepath.Rel(root, file)
	if err == nil && (root == "" || !leadsOut(rel)) {
		return sarifArtifact{URI: (&url.URL{Path: filepath.ToSlash(rel)}).String(), BaseID: sarifRoot}
	}
	return sarifArtifact{URI: (&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String()}
}

func leadsOut(rel string) bool {
	return rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// fingerprint tells findings apart in a way that outlives changes of lines
// elsewhere in the file.
func fingerprint(f *Finding, root string) string {
	file := ""
	if p := mainPos(f); p.IsValid() {
		file = artifact(p.File, root).URI
	}
	sum := sha256.Sum256([]byte(f.Kind + "\x00" + file + "\x00" + f.Message))
	return hex.EncodeToString(sum[:16])
}
