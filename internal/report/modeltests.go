package report

import (
	"fmt"
	"strings"
)

// Tests are those that were made of a model.
type Tests struct {
	List []ModelTest `json:"tests"`
	// Transitions of the model that can be observed, and how many of them may have been those that were. If Whole
	// is false the model has more.
	Covered     int  `json:"covered"`
	Transitions int  `json:"transitions"`
	Whole       bool `json:"whole"`
}

// A ModelTest is how a test went.
type ModelTest struct {
	Steps   int    `json:"steps"`   // of the program
	Actions int    `json:"actions"` // that were observed
	New     int    `json:"new"`     // transitions of the model that no test before has covered
	Failed  bool   `json:"failed"`
	End     string `json:"end"`
}

// write tells how each test ended.
func (t *Tests) write(b *strings.Builder) {
	if t == nil {
		return
	}
	for i, x := range t.List {
		word := "passed"
		if x.Failed {
			word = "failed"
		}
		fmt.Fprintf(b, "test %d %s: %s, %s, %s: %s\n", i+1, word, counted(x.Steps, "step"), counted(x.Actions, "action"), counted(x.New, "new transition"), oneLine(x.End))
	}
	fmt.Fprintf(b, "%s\n", t.words())
}

// words says how much of the model was covered.
func (t *Tests) words() string {
	of := fmt.Sprint(t.Transitions)
	if !t.Whole {
		of = "more than " + of
	}
	return fmt.Sprintf("%s made from the model: %d of %s transitions of the model covered", counted(len(t.List), "test"), t.Covered, of)
}

// counted is a number of things.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
