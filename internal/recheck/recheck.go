// Package recheck is the command certcheck, a second checker of certificates: it examines what a certificate claims in the plainest
// way that there is. It is for who does not want to believe heddle certify, and is small enough to be read in an evening.
//
// It has the machine in common with it that executes the program, and nothing else: no reduction, no guesses, nothing foreseen, no
// compiled code from a cache, no fingerprints of less than 256 bits. So it does not follow the search script, which says in which
// order somebody else has seen the states: it sees all of them itself, by every step of each. What it takes from the certificate is
// what it is about (file.go), which has to be what is to be shown, and what peers said (claim.go). Then the program is searched, and it
// is looked at what cannot be seen in any one state (search.go). Tests of a package are programs, too: one, or all of them, whose
// certificates are in an archive (tests.go).
//
// A model in mCRL2 is searched the same way, without any transformation of it, for deadlocks, actions and states that violate an
// invariant (model.go). Formulas are looked up in the whole graph by what they are defined to mean, without the evidence that a
// certificate has (formula.go).
//
// That takes as long as a search without reduction. A certificate of a reduced search has fewer states; one of a search without
// (heddle check -reduce=false) has to have as many.
//
// Exit codes: 0 certified, 1 refused or a violation, 2 usage, 3 not examined to the end.
package recheck

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/heddle-mc/heddle/internal/diag"
)

// Whatever keeps a certificate from being certified ends the examination at once: as a panic, up to attempt.
type stopped struct{ error }

// stop ends the examination if there is an error.
func stop(err error) {
	if err != nil {
		panic(stopped{err})
	}
}

// must returns a value if there is no error.
func must[T any](value T, err error) T {
	stop(err)
	return value
}

// attempt returns what ended a part of the examination, if it was not done to its end.
func attempt[T any](part func() T) (value T, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case stopped:
			err = r.error
		default:
			panic(r)
		}
	}()
	return part(), nil
}

// A refusal is why a certificate is not accepted: it is not that of the program, or something is wrong with the program.
type refusal struct{ text string }

func (r refusal) Error() string { return r.text }

func refuse(format string, args ...any) { stop(refusal{"refused: " + fmt.Sprintf(format, args...)}) }

// accept returns what was read of a certificate, if there is no error.
func accept[T any](value T, err error) T {
	if err != nil {
		refuse("%v", err)
	}
	return value
}

// violated refuses a certificate because of something that is wrong with the program, if there is anything.
func violated(name string, wrong ...diag.Finding) {
	if len(wrong) > 0 {
		stop(refusal{"violation: " + name + ": " + wrong[0].Error()})
	}
}

// giveUp ends the examination without a verdict.
func giveUp(name, format string, args ...any) {
	stop(diag.Incompletef("%s: %s", name, fmt.Sprintf(format, args...)))
}

// Run is the command. It returns the exit code.
func Run(args []string, stdout, stderr io.Writer) int {
	text, err := attempt(func() string { return parse(args, stderr).examine() })
	var no refusal
	switch {
	case err == flag.ErrHelp:
		return diag.ExitOK
	case err == nil:
		fmt.Fprintln(stdout, printable(text))
		return diag.ExitOK
	case errors.As(err, &no):
		fmt.Fprintln(stdout, printable(no.text))
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

// options are what the command line says.
type options struct {
	states int      // the limit
	test   string   // the test that is to be shown, "" for a program, or for all tests in an archive
	server []string // packages that are servers, each with its arguments
	allow  string   // "peers" if what was recorded of them may be believed
	look   looks    // what is looked for in a model
	file   string   // the certificate

	source, args []string // the program, and its arguments
}

// parse reads the command line.
func parse(args []string, stderr io.Writer) *options {
	o := &options{}
	fs := flag.NewFlagSet("certcheck", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.IntVar(&o.states, "states", 1_000_000, "give up after `n` states")
	fs.StringVar(&o.test, "run", "", "the certificate has to be about the test of this `name`")
	fs.Func("server-package", "a `package` that is a server, with its arguments", func(text string) error {
		if len(strings.Fields(text)) == 0 || strings.ContainsAny(text, "\"'\\") {
			return errors.New("give a package, and arguments without quotes")
		}
		o.server = append(o.server, text)
		return nil
	})
	fs.StringVar(&o.allow, "allow", "", "`peers`: the certificate may rest on what peers said, which nobody can know")
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
		stop(err)
	} else if err != nil {
		stop(diag.Usagef("%v", err))
	} else if fs.NArg() < 2 || o.allow != "" && o.allow != "peers" {
		stop(diag.Usagef("name a certificate and the program that it is about, and allow nothing but peers"))
	}
	o.file, o.source = fs.Arg(0), fs.Args()[1:]
	model, tests := isModel(o.source[0]), o.tests()
	single := model || tests || strings.HasSuffix(o.source[0], ".go")
	if single && len(o.server) > 0 || !model && len(o.look.said) > 0 || model && (tests || len(o.source)+len(o.args) > 1) || tests && len(o.source) > 1 {
		stop(diag.Usagef("name one model, or one package of tests, or packages"))
	}
	return o
}

// examine examines a certificate, or an archive of them, and returns the verdict.
func (o *options) examine() string {
	data := readFile(o.file)
	if o.archive() {
		return o.examineTests(data)
	}
	c := read(data)
	if isModel(o.source[0]) {
		return c.examineModel(o)
	}
	p := o.build()
	if o.test != "" {
		p.choose(o.test, o)
	}
	return p.examine(c, o)
}

// examine examines a program, or a test that was chosen.
func (p program) examine(c *certificate, o *options) string {
	p.claimed(c, o)
	g := p.search(o.states)
	p.besides(g, o.states)
	g.compare(c, p.settings.Known.Views.String())
	return c.certified(p.name, g, strings.Join(properties(), ", ")+"; with the usual bounds"+p.notes)
}

// certified is the verdict if nothing is wrong.
func (c *certificate) certified(name string, g *graph, looked string) string {
	return fmt.Sprintf("certified: every step of every state of %s: %d states, %d transitions; no %s; the certificate has %d and %d",
		name, len(g.number), g.transitions, looked, c.States, c.Transitions)
}
