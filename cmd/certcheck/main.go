// Certcheck examines what a certificate claims in the plainest way that there is:
//
//	certcheck [flags] CERT PACKAGE...|FILES.go|MODEL.mcrl2 [-- ARGS]
//
// It is for who does not want to believe heddle certify, and is small enough to be read
// in an evening. It has the machine in common with it that executes the program, and
// nothing else: no reduction, no guesses, nothing foreseen, no compiled code from a
// cache, no fingerprints of less than 256 bits. So it does not follow the search
// script, which says in which order somebody else has seen the states: it sees all of them
// itself, by every step of each. What it takes from the certificate is what it is
// about (file.go), which has to be what is to be shown (claim.go). Then the program is
// searched (search.go), and it is looked at what cannot be seen in any one
// state (time.go). A model in mCRL2 is searched the same way, without any transformation of
// it, for deadlocks (model.go).
//
// That takes as long as a search without reduction. A certificate of a reduced search has fewer
// states; one of a search without (heddle check -reduce=false) has to have as many.
//
// Exit codes: 0 certified, 1 refused or a violation, 2 usage, 3 not examined to the end.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// options are what the command line says.
type options struct {
	states int    // the limit
	test   string // the test that is to be shown, "" for a program
	server words  // packages that are servers, each with its arguments
	file   string // the certificate
	source []string
	args   []string // of the program
}

// run is the command. It returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	if err == flag.ErrHelp {
		return diag.ExitOK
	}
	if err != nil {
		fmt.Fprintf(stderr, "certcheck: %v\n", err)
		return diag.ExitCode(err)
	}
	text, err := examine(o)
	var no refusal
	switch {
	case err == nil:
		fmt.Fprintln(stdout, text)
		return diag.ExitOK
	case asRefusal(err, &no):
		fmt.Fprintln(stdout, no.Error())
		return diag.ExitFinding
	}
	fmt.Fprintf(stderr, "certcheck: %v\n", err)
	return diag.ExitCode(err)
}

// parse reads the command line.
func parse(args []string, stderr io.Writer) (*options, error) {
	o := &options{}
	fs := flag.NewFlagSet("certcheck", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.IntVar(&o.states, "states", 1_000_000, "give up after `n` states")
	fs.StringVar(&o.test, "run", "", "the certificate has to be about the test of this `name`")
	fs.Var(&o.server, "server-package", "a `package` that is a server, with its arguments")
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
	case single && len(o.server) > 0, isModel(o.source[0]) && len(o.source)+len(o.args) > 1, o.test != "" && len(o.source) > 1:
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
	if err := p.besides(g, o.states); err != nil {
		return "", err
	}
	if err := g.compare(c, p.settings.Known.Views.String()); err != nil {
		return "", err
	}
	return fmt.Sprintf("certified: every step of every state of %s: %d states, %d transitions; no %s; the certificate has %d and %d",
		p.name, g.states(), g.transitions, strings.Join(properties(), ", "), c.States, c.Transitions), nil
}

// A refusal is why a certificate is not accepted: it is not that of the program, or something
// is wrong with the program.
type refusal struct{ text string }

func (r refusal) Error() string { return r.text }

func refuse(format string, args ...any) error {
	return refusal{"refused: " + fmt.Sprintf(format, args...)}
}

func asRefusal(err error, to *refusal) bool {
	r, ok := err.(refusal)
	*to = r
	return ok
}
