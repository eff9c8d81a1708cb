package cli

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
	"github.com/heddle-mc/heddle/internal/mcrl2/types"
	"github.com/heddle-mc/heddle/internal/model"
)

var cmdSim = &command{
	name:  "sim",
	args:  "MODEL",
	short: "step through an mCRL2 model by hand",
	mixed: true,
	long: `Sim shows which actions a model can do, and does those that it is told to. It
reads commands from standard input, one a line; a file or a pipe will do:

` + simHelp + `
The same commands give the same output every time; random depends on -seed alone.
On a pipe, a command that cannot be done ends the session with exit code 2.`,
	setup: func(app *App, fs *flag.FlagSet) func(context.Context, []string) (int, error) {
		var passes passList
		fs.Var(&passes, "optimise", passHelp)
		seed := fs.Uint64("seed", 0, "random steps are others for another `n`")
		from := fs.String("trace", "", "load the trace in `file` first")
		return func(ctx context.Context, args []string) (int, error) {
			name, err := oneModel(args)
			if err != nil {
				return 0, err
			}
			mod, err := model.Load(name, passes.or(model.KeepingPasses))
			if err != nil {
				return 0, err
			}
			sys, err := state.New(mod.LPS, state.Options{})
			if err != nil {
				return 0, err
			}
			s := &simulator{
				app: app, mod: mod, sys: sys, passes: passes.or(model.KeepingPasses),
				random: rand.New(rand.NewPCG(*seed, 0)), terminal: isTerminal(app.Stdin),
			}
			s.goTo(0)
			if *from != "" {
				if err := s.load(*from); err != nil {
					return 0, err
				}
			}
			return 0, s.session(app.Stdin)
		}
	},
}

const simHelp = `  list           the actions that can be done now, with their numbers
  N, step N      do the action with number N; step alone does number 1
  do ACTION      do the first action that reads so, as do send(1, true)
  random [N]     do N actions at random, 1 if it is not said
  undo, redo     one step back, and again forward
  goto N         to the state after step N of the trace; goto 0 is the start
  trace          the steps so far
  state          the values of the parameters
  eval EXPR      the value of an expression over the parameters
  save FILE      write the trace: .json for heddle replay, else one action a line
  load FILE      go along a trace of either form, from the start
  help, quit
`

// A simulator stands at a state of a model.
type simulator struct {
	app      *App
	mod      *model.Model
	sys      *state.System
	passes   []string
	random   *rand.Rand
	terminal bool

	path  lts.Path // all steps, also those that were undone
	at    int      // how many of them are done
	steps []lts.Step
}

// session obeys commands until there are no more.
func (s *simulator) session(r io.Reader) error {
	s.list()
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<24)
	for {
		if s.terminal {
			fmt.Fprintf(s.app.Stdout, "%d> ", s.at)
		}
		if !lines.Scan() {
			return lines.Err()
		}
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '%' {
			continue
		}
		quit, err := s.obey(line)
		switch {
		case quit:
			return nil
		case err != nil && s.terminal:
			fmt.Fprintln(s.app.Stdout, err)
		case err != nil:
			return err
		}
	}
}

// obey does one command.
func (s *simulator) obey(line string) (quit bool, err error) {
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	if _, err := strconv.Atoi(word); err == nil && rest == "" {
		word, rest = "step", word
	}
	switch word {
	case "quit", "exit":
		return true, nil
	case "help":
		io.WriteString(s.app.Stdout, simHelp)
	case "list":
		s.list()
	case "step":
		return false, s.step(rest)
	case "do":
		return false, s.do(rest)
	case "random":
		return false, s.walk(rest)
	case "undo", "redo":
		to := map[string]int{"undo": s.at - 1, "redo": s.at + 1}[word]
		if to < 0 || to > len(s.path) {
			return false, diag.Usagef("nothing to %s", word)
		}
		s.goTo(to)
		s.list()
	case "goto":
		n, err := strconv.Atoi(rest)
		if err != nil || n < 0 || n > len(s.path) {
			return false, diag.Usagef("goto %s: say a number from 0 to %d", rest, len(s.path))
		}
		s.goTo(n)
		s.list()
	case "trace":
		return false, s.trace()
	case "state":
		for i, v := range s.sys.Values() {
			fmt.Fprintf(s.app.Stdout, "  %s = %s\n", s.sys.Process().Params[i].Name, v)
		}
	case "eval":
		return false, s.eval(rest)
	case "save":
		return false, s.save(rest)
	case "load":
		if err := s.load(rest); err != nil {
			return false, err
		}
		s.list()
	default:
		return false, diag.Usagef("unknown command %q: say help for the list", word)
	}
	return false, nil
}

// goTo goes to the state after so many steps of the path.
func (s *simulator) goTo(n int) {
	s.sys.Reset()
	for _, step := range s.path[:n] {
		s.sys.Take(step)
	}
	s.at = n
	s.steps = s.sys.Enabled(s.steps[:0])
}

// label returns the text of a step and stays where it is.
func (s *simulator) label(step lts.Step) string {
	mark := s.sys.Save()
	text := s.sys.LabelText(s.sys.Take(step))
	s.sys.Restore(mark)
	return text
}

// list prints what can be done.
func (s *simulator) list() {
	if err := s.sys.Beyond(); err != nil {
		fmt.Fprintf(s.app.Stdout, "after %d: the steps are not known: %v\n", s.at, err)
		return
	}
	if len(s.steps) == 0 {
		fmt.Fprintf(s.app.Stdout, "after %d: nothing can be done\n", s.at)
		return
	}
	fmt.Fprintf(s.app.Stdout, "after %d:\n", s.at)
	for i, step := range s.steps {
		fmt.Fprintf(s.app.Stdout, "  %d  %s\n", i+1, s.label(step))
	}
}

// take does a step. What was undone is gone then, unless it is the same step.
func (s *simulator) take(step lts.Step) {
	if s.at == len(s.path) || s.path[s.at] != step {
		s.path = append(s.path[:s.at], step)
	}
	s.at++
	event := s.sys.Describe(step)
	fmt.Fprintf(s.app.Stdout, "%d: %s", s.at, event.Action)
	for i, c := range event.Changed {
		fmt.Fprintf(s.app.Stdout, "%s%s: %s → %s", [...]string{"    ", ", "}[min(i, 1)], c.Name, c.Old, c.New)
	}
	fmt.Fprintln(s.app.Stdout)
	s.steps = s.sys.Enabled(s.steps[:0])
}

// step does the action with a number.
func (s *simulator) step(number string) error {
	n := 1
	if number != "" {
		var err error
		if n, err = strconv.Atoi(number); err != nil {
			return diag.Usagef("step %s: say a number", number)
		}
	}
	if n < 1 || n > len(s.steps) {
		return diag.Usagef("step %d: %d can be done", n, len(s.steps))
	}
	s.take(s.steps[n-1])
	s.list()
	return nil
}

// do does the first action with a text. Blanks do not matter.
func (s *simulator) do(text string) error {
	for _, step := range s.steps {
		if sameText(s.label(step), text) {
			s.take(step)
			s.list()
			return nil
		}
	}
	return diag.Usagef("%s cannot be done", text)
}

func sameText(a, b string) bool {
	return strings.Join(strings.Fields(a), "") == strings.Join(strings.Fields(b), "")
}

// walk does actions at random.
func (s *simulator) walk(number string) error {
	n := 1
	if number != "" {
		var err error
		if n, err = strconv.Atoi(number); err != nil || n < 0 {
			return diag.Usagef("random %s: say a number", number)
		}
	}
	for ; n > 0 && len(s.steps) > 0; n-- {
		s.take(s.steps[s.random.IntN(len(s.steps))])
	}
	s.list()
	return nil
}

// eval prints the value of an expression over the parameters.
func (s *simulator) eval(text string) error {
	x, err := types.Expr(s.mod.LPS.Data, s.sys.Process().Params, text)
	if err != nil {
		return diag.Usagef("%v", err)
	}
	v, err := s.sys.Value(x)
	if err != nil {
		return diag.Usagef("%v", err)
	}
	fmt.Fprintf(s.app.Stdout, "%s\n", s.sys.Engine().Format(v, x.Sort()))
	return nil
}
