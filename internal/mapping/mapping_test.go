package mapping

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
	"github.com/heddle-mc/heddle/internal/model"
)

// written writes a file and returns its name.
func written(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestRead(t *testing.T) {
	m, err := Read(written(t, "map.yaml", `actions:
- call: main.put
  action: put(arg0)
- return: main.get
  in: main.main
  if: {arg0: "^[0-9]+$"}
  action: get
- print: ^done (.*)$
  action: done($1)
- send-on: main.c
  action: put(value)
hide: [tick, tock]
values:
  Colour: [red, green]
  State: {7: last}
`))
	if err != nil {
		t.Fatal(err)
	}
	rules := m.Observe.Rules
	if len(rules) != 4 {
		t.Fatalf("got %d rules, want 4", len(rules))
	}
	if r := rules[0]; r.Func != "main.put" || r.Return || r.Action != "put(arg0)" || r.Pos.Line != 2 {
		t.Errorf("call: got %+v", r)
	}
	if r := rules[1]; r.Func != "main.get" || !r.Return || r.In != "main.main" || len(r.If) != 1 || r.If[0].Place != "arg0" || !r.If[0].Match.MatchString("12") {
		t.Errorf("return: got %+v", r)
	}
	if r := rules[2]; r.Func != "os.(*File).Write" || !r.Lines || r.Match == nil || len(r.If) != 1 || r.If[0].Match.MatchString("/dev/stdin") {
		t.Errorf("print: got %+v", r)
	}
	if r := rules[3]; r.Chan != "main.c" || !r.Send {
		t.Errorf("send-on: got %+v", r)
	}
	if got := m.Observe.Values; got["Colour"]["1"] != "green" || got["State"]["7"] != "last" {
		t.Errorf("got values %v", got)
	}
	var names []string
	for _, n := range slices.Concat(m.actions, m.hidden) {
		names = append(names, n.name)
	}
	if got := strings.Join(names, " "); got != "put get done put tick tock" {
		t.Errorf("got names %s", got)
	}
}

// TestReadErrors: what is wrong with a file is said with its place.
func TestReadErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "map.yaml: the file is empty: actions are expected"},
		{"hide: [a]\n", "map.yaml: no operation is an action: actions are expected"},
		{"- a\n", "map.yaml:1:1: the file: lines of the form name: value are expected"},
		{"action: []\n", `map.yaml:1:1: unknown name "action": there are actions, hide, inputs and values`},
		{"actions: x\n", "map.yaml:1:10: actions: a list is expected"},
		{"hide: x\n", "map.yaml:1:7: hide: a list of names of actions is expected"},
		{"actions:\n- call: f\n", "map.yaml:2:3: action is missing"},
		{"actions:\n- action: a\n", "map.yaml:2:3: one of call, return, print, send, receive, send-on and receive-on is expected"},
		{"actions:\n- call: f\n  return: f\n  action: a\n", "map.yaml:2:3: one of call, return, print, send, receive, send-on and receive-on is expected"},
		{"actions:\n- call: f\n  text: arg0\n  action: a\n", "map.yaml:2:3: text and match go together"},
		{"actions:\n- print: (\n  action: a\n", "map.yaml:2:10: print: error parsing regexp: missing closing ): `(`"},
		{"actions:\n- call:\n  action: a\n", "map.yaml:2:8: call: a value is expected"},
		{"actions:\n- call: f\n  colour: red\n", `map.yaml:3:3: unknown name "colour": there are call, return, print, send, receive, send-on, receive-on, in, if, text, match and action`},
	} {
		file := written(t, "map.yaml", test.text)
		_, err := Read(file)
		if err == nil {
			t.Errorf("%q: got no error, want %s", test.text, test.want)
			continue
		}
		if got := strings.ReplaceAll(err.Error(), filepath.Dir(file)+string(filepath.Separator), ""); got != test.want || diag.ExitCode(err) != diag.ExitUsage {
			t.Errorf("%q: got %s (exit %d), want %s", test.text, got, diag.ExitCode(err), test.want)
		}
	}
	if _, err := Read(filepath.Join(t.TempDir(), "none.yaml")); diag.ExitCode(err) != diag.ExitUsage {
		t.Errorf("no file: got %v, want a usage error", err)
	}
}

const clock = "act tick, tock; put: Nat;\nproc P = (tick|put(3)) . tick . tau . put(1) . P;\ninit P;\n"

// TestFits: actions that the model does not have are refused, and those that are both.
func TestFits(t *testing.T) {
	mod, err := model.Load(written(t, "clock.mcrl2", clock), model.UsualPasses)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ text, want string }{
		{"actions:\n- {call: f, action: put(1)}\nhide: [tick]\n", ""},
		{"actions:\n- {call: f, action: get}\n", "has no action get"},
		{"actions:\n- {call: f, action: put(1)}\nhide: [bell]\n", "has no action bell"},
		{"actions:\n- {call: f, action: put(1)}\nhide: [put]\n", "put is hidden, and an operation is that action"},
	} {
		m, err := Read(written(t, "map.yaml", test.text))
		if err != nil {
			t.Fatal(err)
		}
		switch err := m.fits(mod); {
		case test.want == "" && err != nil, test.want != "" && (err == nil || !strings.HasSuffix(err.Error(), test.want)):
			t.Errorf("%q: got %v, want %q", test.text, err, test.want)
		}
	}
}

// TestTyped: arguments are as many as the action has, and of its sorts.
func TestTyped(t *testing.T) {
	mod, err := model.Load(written(t, "sorts.mcrl2", `sort Colour = struct red | green;
  Pair = struct pair(left: Nat, right: Colour) | none;
  Plain;
map  p: Plain;
act  tick; put: Nat; put: Nat # Colour; move: Pair # List(Colour); say: Bool # Int # Plain; both: Set(Nat);
init tick . put(0) . put(1, red) . move(none, []) . say(true, -1, p) . both({});
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	number, truth := execute.Hole{Kind: execute.HoleNumber, Type: "int"}, execute.Hole{Kind: execute.HoleBool, Type: "bool"}
	colour := execute.Hole{Kind: execute.HoleNumber, Type: "main.colour", Names: []string{"green", "red"}}
	nilColour := colour
	nilColour.None = "blue"
	list := func(h execute.Hole) execute.Hole {
		return execute.Hole{Kind: execute.HoleList, Type: "[]" + h.Type, Elem: &h}
	}
	for _, test := range []struct {
		action string // {} are the holes
		holes  []execute.Hole
		want   string // is a part of the message, "" if it fits
	}{
		{"tick", nil, ""},
		{"tick()", nil, ""},
		{"tick(1)", nil, "tick has no arguments, not 1: act tick at "},
		{"put", nil, "put has 1 argument, not 0: act put: Nat at "},
		{"put(3, green)", nil, ""},
		{"put(3, blue)", nil, "put has 1 argument, not 2"}, // the first declaration is told
		{"put(-1)", nil, "argument 1 of put: -1 is no Nat, as the model prints it"},
		{"put(1 + 1)", nil, "1 + 1 is no Nat, as the model prints it"},
		{"put({})", []execute.Hole{number}, ""},
		{"put({})", []execute.Hole{{}}, ""},
		{"put(1{})", []execute.Hole{number}, ""},
		{"put({})", []execute.Hole{truth}, "{} is true or false (bool), and a Nat is expected"},
		{"put({}, {})", []execute.Hole{number, colour}, ""},
		{"put({})", []execute.Hole{colour}, "{} is a main.colour, of which values has the name green: green is no Nat"},
		{"move(pair({}, {}), [])", []execute.Hole{number, colour}, ""},
		{"move(pair(1, _), _)", nil, ""},
		{"move(none, [{}, red])", []execute.Hole{colour}, ""},
		{"move(none, {})", []execute.Hole{list(colour)}, ""},
		{"move(none, {})", []execute.Hole{list(number)}, "{} is a number (int), and a Colour is expected; name the values of int under values"},
		{"move(none, {})", []execute.Hole{colour}, "green is no List(Colour)"},
		{"move({}, [])", []execute.Hole{list(number)}, "{} is a list ([]int), and a Pair is expected"},
		{"move(pair(1), [])", nil, "pair has 2 arguments, not 1"},
		{"move(pair(1, 2), [])", nil, "2 is no Colour, which is red, green"},
		{"move(single, [])", nil, "single is no Pair, which is pair, none"},
		{"move(none, [blue])", nil, "blue is no Colour"},
		{"move(none, {})", []execute.Hole{list(nilColour)}, "where a pointer is nil: blue is no Colour"},
		{"say({}, {}, p)", []execute.Hole{truth, number}, ""},
		{"say(yes, 1, p)", nil, "yes is no Bool"},
		{"say(true, -3, q)", nil, "q is no Plain, which is p"},
		{"both(_)", nil, ""},
		{"move(none, )", nil, "an argument is empty: _ is any"},
		{"put(1", nil, "a ) is missing at the end"},
		{"move(pair(1, red, [])", nil, "brackets do not match"},
	} {
		rest := test.holes
		for at := 0; len(rest) > 0; rest = rest[1:] {
			rest[0].At = at + strings.Index(test.action[at:], "{}")
			rest[0].End = rest[0].At + 2
			at = rest[0].End
		}
		name, _, _ := strings.Cut(test.action, "(")
		x := typer{mod, named{name: name}, test.action, test.holes}
		switch err := x.check(); {
		case test.want == "" && err != nil, test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s: got %v, want %q", test.action, err, test.want)
		}
	}
}

// TestAction follows a model and looks at what is left of its labels.
func TestAction(t *testing.T) {
	mod, err := model.Load(written(t, "clock.mcrl2", clock), model.UsualPasses)
	if err != nil {
		t.Fatal(err)
	}
	sys, err := state.New(mod.LPS, state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := Read(written(t, "map.yaml", "actions:\n- {call: f, action: put(1)}\nhide: [tick]\n"))
	if err != nil {
		t.Fatal(err)
	}
	action := m.action(sys)
	var got []string
	for range 4 {
		steps := sys.Enabled(nil)
		if len(steps) != 1 {
			t.Fatalf("got %d steps after %q, want 1", len(steps), got)
		}
		var l lts.Label = sys.Take(steps[0])
		got = append(got, action(l))
	}
	if want := []string{"put(3)", "", "", "put(1)"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPartEnd(t *testing.T) {
	for text, want := range map[string]int{"a|b": 1, "a(f(1|2), 3)|b": 12, "a": 1, "": 0} {
		if got := partEnd(text, 0); got != want {
			t.Errorf("%s: got %d, want %d", text, got, want)
		}
	}
}
