// Package recheck is the command certcheck, a second checker of certificates: it examines what a certificate
// claims in the plainest way that there is.
//
// It is for who does not want to believe heddle certify, and is small enough to be read
// in an evening. It has the machine in common with it that executes the program, and
// nothing else: no reduction, no guesses, nothing foreseen, no compiled code from a
// cache, no fingerprints of less than 256 bits. So it does not follow the search
// script, which says in which order somebody else has seen the states: it sees all of them
// itself, by every step of each. What it takes from the certificate is what it is
// about (file.go), which has to be what is to be shown, and what peers said (claim.go). Then the program is
// searched, and it is looked at what cannot be seen in any one
// state (search.go).
//
// A model in mCRL2 is searched the same way, without any transformation of it, for deadlocks, actions and states that violate an invariant (model.go). A formula
// is a game (formula.go), and a certificate has what the player chooses who wants it to hold: that is played against all that the other one can do (game.go). It is about the
// transformed model, so it is looked whether that does the same.
//
// That takes as long as a search without reduction. A certificate of a reduced search has fewer
// states; one of a search without (heddle check -reduce=false) has to have as many.
//
// Exit codes: 0 certified, 1 refused or a violation, 2 usage, 3 not examined to the end.
package recheck

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/heddle-mc/heddle/internal/diag"
)

// options are what the command line says.
type options struct {
	states int    // the limit
	test   string // the test that is to be shown, "" for a program
	server words  // packages that are servers, each with its arguments
	peers  bool   // what was recorded of peers may be believed
	look   looks  // what is looked for in a model
	file   string // the certificate

	source, args []string // the program, and its arguments
}

// Run is the command. It returns the exit code.
func Run(args []string, stdout, stderr io.Writer) int {
	text := ""
	o, err := parse(args, stderr)
	if err == nil {
		text, err = examine(o)
	}
	var no refusal
	switch {
	case err == flag.ErrHelp:
		return diag.ExitOK
	case err == nil:
		fmt.Fprintln(stdout, printable(text))
		return diag.ExitOK
	case errors.As(err, &no):
		fmt.Fprintln(stdout, printable(no.Error()))
		return diag.ExitFinding
	}
	fmt.Fprintln(stderr, "certcheck: "+printable(err.Error()))
	return diag.ExitCode(err)
}

// printable returns a text with question marks for what a terminal would not show as it is.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || r == '\n' {
			return r
		}
		return '?'
	}, text)
}

// parse reads the command line.
func parse(args []string, stderr io.Writer) (*options, error) {
	o := &options{}
	fs := flag.NewFlagSet("certcheck", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.IntVar(&o.states, "states", 1_000_000, "give up after `n` states")
	fs.StringVar(&o.test, "run", "", "the certificate has to be about the test of this `name`")
	fs.Var(&o.server, "server-package", "a `package` that is a server, with its arguments")
	fs.Func("allow", "`peers`: the certificate may rest on what peers said, which nobody can know", func(text string) error {
		if o.peers = text == "peers"; !o.peers {
			return fmt.Errorf("nothing but peers can be allowed")
		}
		return nil
	})
	fs.BoolFunc("deadlock", "of a model: no deadlock; this is so if nothing else is looked for", o.look.deadlocks)
	fs.Func("action", "of a model: no action of this `name`", o.look.flag(&o.look.actions, "action "))
	fs.Func("invariant", "of a model: this `condition` holds in each state", o.look.flag(&o.look.invariants, "violation of "))
	fs.Func("formula", "of a model: the formula in this `file` holds", o.look.flag(&o.look.formulas, "violation of "))
	fs.Usage = func() {
		fmt.Fprintln(stderr, "usage: certcheck [flags] CERT PACKAGE...|FILES.go|MODEL.mcrl2 [-- ARGS]")
		fs.PrintDefaults()
	}
	if i := slices.Index(args, "--"); i >= 0 {
		args, o.args = args[:i], args[i+1:]
	}
	if err := fs.Parse(args); err == flag.ErrHelp {
		return nil, err
	} else if err != nil {
		return nil, diag.Usagef("%v", err)
	}
	if fs.NArg() < 2 {
		return nil, diag.Usagef("name a certificate and the program that it is about")
	}
	o.file, o.source = fs.Arg(0), fs.Args()[1:]
	switch single := isModel(o.source[0]) || strings.HasSuffix(o.source[0], ".go") || o.test != ""; {
	case single && len(o.server) > 0, !isModel(o.source[0]) && len(o.look.said) > 0, isModel(o.source[0]) && len(o.source)+len(o.args) > 1, o.test != "" && len(o.source) > 1:
		return nil, diag.Usagef("name one model, or one package of a test, or packages")
	}
	return o, nil
}

// words are texts of a flag that may be given several times.
type words []string

func (w *words) String() string { return strings.Join(*w, ", ") }

// Set adds a text. Quotes would have to be understood as heddle does.
func (w *words) Set(text string) error {
	if len(strings.Fields(text)) == 0 || strings.ContainsAny(text, "\"'\\") {
		return fmt.Errorf("give a package, and arguments without quotes")
	}
	*w = append(*w, text)
	return nil
}

// examine examines a certificate. Without error the text is the verdict.
func examine(o *options) (string, error) {
	c, err := readFile(o.file)
	if err != nil {
		return "", err
	}
	if isModel(o.source[0]) {
		return c.examineModel(o)
	}
	p, err := c.program(o)
	if err != nil {
		return "", err
	}
	g, err := p.search(o.states)
	if err != nil {
		return "", err
	}
	if err := cmp.Or(p.besides(g, o.states), g.compare(c, p.settings.Known.Views.String())); err != nil {
		return "", err
	}
	return c.certified(p.name, g, strings.Join(properties(), ", ")+p.believed), nil
}

// certified is the verdict if nothing is wrong.
func (c *certificate) certified(name string, g *graph, looked string) string {
	return fmt.Sprintf("certified: every step of every state of %s: %d states, %d transitions; no %s; the certificate has %d and %d",
		name, len(g.number), g.transitions, looked, c.States, c.Transitions)
}

// A refusal is why a certificate is not accepted: it is not that of the program, or something
// is wrong with the program.
type refusal struct{ text string }

func (r refusal) Error() string { return r.text }

func refuse(format string, args ...any) error {
	return refusal{"refused: " + fmt.Sprintf(format, args...)}
}
