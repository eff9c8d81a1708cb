package report

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestMatcher: the problem matcher of the GitHub Action finds the findings in what is printed, and nothing else.
func TestMatcher(t *testing.T) {
	data, err := os.ReadFile("../../.github/heddle-matcher.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		ProblemMatcher []struct {
			Pattern []struct {
				Regexp                            string
				File, Line, Column, Code, Message int
			}
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	p := file.ProblemMatcher[0].Pattern[0]
	match := regexp.MustCompile(p.Regexp)
	text := `--- FAIL: TestTransfer (0.02s): deadlock; 26 states, 25 transitions, depth 24, up to the first finding
    bank.go:26:11: deadlock: TestTransfer holds a.mu since step 1 and wants b.mu
    TestTransfer waits in:
      Total         bank.go:26
        1 * TestTransfer        bank.go:24  lock a.mu
    blocked:
      TestTransfer        bank.go:26  lock b.mu (= from.mu); could have been released by TestTransfer.func1
      replay: heddle replay heddle-out/abba/TestTransfer
internal/a/b.go:4: panic: nil map
ignored: internal/a/b.go:9:1: race: read races with write at internal/a/b.go:12:2
  comment: for statistics
unused: internal/a/b.go:9:1: race: this comment ignores nothing
violation: .: panic; 9 states, 8 transitions, depth 8, up to the first finding
`
	want := []string{"bank.go|26|11|deadlock|TestTransfer holds a.mu since step 1 and wants b.mu", "internal/a/b.go|4||panic|nil map"}
	var got []string
	for line := range strings.Lines(text) {
		if m := match.FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil {
			got = append(got, strings.Join([]string{m[p.File], m[p.Line], m[p.Column], m[p.Code], m[p.Message]}, "|"))
		}
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
