package execute_test

import (
	"fmt"
	"testing"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/trace"
)

// TestStacks: both sides of a race tell how they came there, also if they have returned from there since, and after a path of no
// steps.
func TestStacks(t *testing.T) {
	for _, test := range []struct{ name, src, want string }{
		{"returned", `package main

import "bytes"

var b bytes.Buffer

func fill() { b.WriteString("x") }

func start(done chan bool) {
	go func() {
		fill()
		done <- true
	}()
}

func main() {
	done := make(chan bool)
	start(done)
	start(done)
	<-done
	<-done
}
`, `write by main.start.func1:
  bytes.(*Buffer).WriteString
  main.fill 7
  main.start.func1 11
started:
  main.start 10
  main.main 18
write by main.start.func1#2:
  bytes.(*Buffer).WriteString
  main.fill 7
  main.start.func1 11
started:
  main.start 10
  main.main 19
`},
		{"start", `package main

func main() {
	n := 0
	go func() { n = 1 }()
	n = 2
	_ = &n
	select {}
}
`, `write by main.main.func1:
  main.main.func1 5
started:
  main.main 5
write by main:
  main.main 6
`},
	} {
		t.Run(test.name, func(t *testing.T) {
			prog := compileText(t, test.src)
			var w way
			w.Stacks = true
			s, _, err := searchOnce(prog, w)
			if err != nil {
				t.Fatal(err)
			}
			sys, err := execute.NewSystem(prog, execute.Process{Env: []string{}, Dir: "/"}, w.Settings)
			if err != nil {
				t.Fatal(err)
			}
			defer sys.Close()
			tr, err := trace.Record(sys, s.Findings[0].Path, s.Findings[0].Finding)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, st := range tr.Stacks {
				got += fmt.Sprintf("%s by %s:\n%s", st.Action, st.Actor, framesText(st.Frames))
				if len(st.Started) > 0 {
					got += "started:\n" + framesText(st.Started)
				}
			}
			if got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
			if len(tr.Waiting) > 0 && test.name == "returned" {
				t.Errorf("got %v, want nobody blocked", tr.Waiting)
			}
		})
	}
}

func framesText(list []lts.Frame) (text string) {
	for _, fr := range list {
		if text += "  " + fr.Func; !fr.Library { // its lines are those of one version of Go
			text += fmt.Sprintf(" %d", fr.Pos.Line)
		}
		text += "\n"
	}
	return text
}
