package gosuite

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed refused.txt
var refusedText string

// Known returns the programs that are refused, with words of what the machine
// says then.
func Known() map[string]string {
	known := make(map[string]string)
	for line := range strings.Lines(refusedText) {
		line = strings.TrimSpace(line)
		if name, reason, ok := strings.Cut(line, " "); ok && !strings.HasPrefix(line, "#") {
			known[name] = strings.TrimSpace(reason)
		}
	}
	return known
}

// Unexpected says what is wrong with a result: a program must pass, or be
// refused for the right reason if it is known to be. It is "" if nothing is.
func Unexpected(known map[string]string, r Result) string {
	want, reason := Pass, known[r.Name]
	if reason != "" {
		want = Refused
	}
	if r.Verdict == want && strings.Contains(r.Detail, reason) {
		return ""
	}
	return strings.TrimSpace(fmt.Sprintf("%s: got %s want %s %s\n%s", r.Name, r.Verdict, want, reason, r.Detail))
}
