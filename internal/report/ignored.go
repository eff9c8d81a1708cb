package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
)

// An Ignored is something wrong with the target that somebody has said does not
// count. A target that has such a finding is not verified, whatever else is shown.
type Ignored struct {
	Kind    string
	Message string
	Pos     diag.Pos
	Reason  string   // why it does not count, in the words of who said so
	By      diag.Pos // the comment that says so, or the file of the baseline
	InFile  bool     // it is a baseline
}

// toldIgnored is how many of them the verdict names. All are told before it.
const toldIgnored = 3

// ignoredWords says what is ignored, as the verdict tells it.
func (r *Report) ignoredWords() string {
	var list []string
	more := 0
	for _, f := range r.Ignored {
		p := f.Pos
		p.Col = 0
		switch text := fmt.Sprintf("%s: %s: %s", p, f.Kind, oneLine(f.Reason)); {
		case slices.Contains(list, text): // two accesses on one line race in several ways
		case len(list) == toldIgnored:
			more++
		default:
			list = append(list, text)
		}
	}
	if more > 0 {
		list = append(list, fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf("%s ignored (%s)", plural(int64(len(r.Ignored)), "finding"), strings.Join(list, "; "))
}

// alsoIgnored is what the other verdicts say of it.
func (r *Report) alsoIgnored() string {
	if len(r.Ignored) == 0 {
		return ""
	}
	return "; " + r.ignoredWords()
}

// writeIgnored writes a line for each finding that does not count.
func writeIgnored(b *strings.Builder, r *Report, p paint) {
	for _, f := range r.Ignored {
		where := ""
		if f.Pos.IsValid() {
			where = p.bold(f.Pos.String()+":") + " "
		}
		by := "comment"
		if f.InFile {
			by = "baseline"
		}
		// The place does not come first: matchers of problems take such a line for a finding.
		fmt.Fprintf(b, "%s %s%s: %s\n  %s: %s\n", p.with("1;33", "ignored:"), where, f.Kind, oneLine(f.Message), by, oneLine(f.Reason))
	}
}

type jsonIgnored struct {
	Target  string  `json:"target"`
	Kind    string  `json:"kind"`
	Message string  `json:"message"`
	Pos     jsonPos `json:"pos"`
	Reason  string  `json:"reason"`
	By      jsonPos `json:"by"`
	In      string  `json:"in"` // comment or baseline
}

// A jsonUnused is a comment, or a line of a baseline, that has ignored nothing.
type jsonUnused struct {
	Kind    string  `json:"kind"`
	Pos     jsonPos `json:"pos"`
	Message string  `json:"message"`
}

func (f *Ignored) json(target string) jsonIgnored {
	out := jsonIgnored{target, f.Kind, f.Message, jsonPos(f.Pos), f.Reason, jsonPos(f.By), "comment"}
	if f.InFile {
		out.In = "baseline"
	}
	return out
}

// A sarifSuppression says that a result does not count (section 3.35).
type sarifSuppression struct {
	Kind     string         `json:"kind"`
	Reason   string         `json:"justification"`
	Location *sarifLocation `json:"location,omitempty"`
}

func (f *Ignored) sarif(target string, rule int, root string) sarifResult {
	res := sarifOf(&Finding{Kind: f.Kind, Message: f.Message, Pos: f.Pos}, target, rule, root)
	s := sarifSuppression{Kind: "inSource", Reason: f.Reason}
	if f.InFile {
		s.Kind = "external"
	}
	if f.By.IsValid() {
		s.Location = &sarifLocation{Physical: physical(f.By, root)}
	}
	res.Suppressions = []sarifSuppression{s}
	return res
}
