package cli

import (
	"context"
	"crypto/ed25519"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/certcheck"
	"github.com/heddle-mc/heddle/internal/certify"
	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/model"
	"github.com/heddle-mc/heddle/internal/plain"
	"github.com/heddle-mc/heddle/internal/report"
)

var cmdCertify = &command{
	name:  "certify",
	noted: true,
	args:  "CERT PACKAGE...|FILES.go|MODEL.mcrl2 [-- ARGS]",
	short: "examine a program or a model again, as a certificate directs",
	mixed: true,
	long: `Certify follows the search script of a certificate with the program itself, and
believes nothing that it says: each step is taken, each state is examined. It ends
in one of these:

  certified   the certificate is that of the program, and nothing is wrong (exit
              code 0)
  refused     the certificate is not that of the program: why, and where (1)
  violation   a property does not hold: how it comes about (1)

What is shown is what you ask for, by the flags of heddle check: without any, that
no property is violated, with the usual bounds, without arguments of the program
and in the standard environment. A certificate of anything else is refused, unless
-allow or -bounds let it be as it is, which is printed. Arguments of the program
follow --, and -run says which test is to be shown. For a networked program
the certificate has what the peers said: -allow peers.

With -trustful only the way to each state is gone, which is faster; the
certificate is then believed that there are no other states. That is for
certificates which somebody has signed whom one trusts (-key), or for one's own
(-trust-unsigned). docs/certificate.md describes the format.

With -part a single part is examined, which heddle cert partition -o has written
and somebody has handed out: certify -part FILE PACKAGE. The result goes back to
him, and -results DIR puts results together.`,
	setup: func(app *App, fs *flag.FlagSet) func(context.Context, []string) (int, error) {
		c := certifier{app: app}
		sourceFlags(fs, &c.src)
		fs.IntVar(&c.workers, "workers", 1, "examine with `n` workers at once; with -distribute, those parts that are examined here")
		fs.BoolVar(&c.trustful, "trustful", false, "go to each state once and believe that there are no others")
		fs.BoolVar(&c.unsigned, "trust-unsigned", false, "of -trustful: the certificate need not be signed")
		fs.StringVar(&c.key, "key", "", "the certificate has to be signed by the owner of the public key in `file`")
		c.claim.declare(fs)
		fs.BoolVar(&c.look.Deadlock, model.Deadlock, false, "of models: look for states without steps; this is what is looked for if nothing is said")
		fs.Var((*textList)(&c.look.Invariants), model.Invariant, "of models: look for states in which `expr` does not hold; may be repeated")
		fs.Var((*tagList)(&c.look.Actions), model.Action, "of models: look for actions with these `names`, separated by commas")
		fs.Var((*textList)(&c.look.Formulas), model.Formula, "of models: the formula of the modal mu-calculus in `file` (.mcf) has to hold, by the evidence of the certificate; may be repeated")
		fs.BoolVar(&c.all, "all", false, "go on after the first finding")
		fs.StringVar(&c.folder, "o", "", "write the files about a violation to `dir`, instead of "+outFolder+"/PACKAGE")
		fs.StringVar(&c.statement, "statement", "", "write what was certified to `file`, as an in-toto statement")
		fs.StringVar(&c.sign, "sign", "", "of -statement: sign it with the private key in `file`")
		fs.BoolVar(&c.verbose, "v", false, "print time and memory on standard error")
		c.handout.declare(fs)
		c.distribute.declare(fs)
		return c.certify
	},
}

// A certifier certifies one program.
type certifier struct {
	app                *App
	src                Source
	workers            int
	trustful, unsigned bool
	key                string
	claim              claimFlags
	look               model.Spec // of models
	all, verbose       bool
	folder             string
	statement, sign    string // files
	distribute         certDistribute
	handout            handout
	skipped            []string // tests that were certified, and skip themselves
	packed             bool     // the certificates are those of the tests of a package
	stated             []*certify.Statement
}

// certify takes the arguments of the command.
func (c *certifier) certify(ctx context.Context, args []string) (int, error) {
	switch {
	case c.handout.part != "":
		return c.certifyPart(ctx, args)
	case c.handout.result != "":
		return 0, diag.Usagef("-result is for -part: give a part, too")
	case len(args) < 2:
		return 0, diag.Usagef("name a certificate and the program that it is about")
	case len(c.handout.results) > 0 && (c.distribute.on || c.trustful):
		return 0, diag.Usagef("-results has what others have said already: leave out -distribute and -trustful")
	case c.workers < 1:
		return 0, diag.Usagef("-workers %d: at least one is needed", c.workers)
	case c.sign != "" && c.statement == "":
		return 0, diag.Usagef("-sign is for -statement: give a file for it, too")
	case c.unsigned && !c.trustful:
		return 0, diag.Usagef("-trust-unsigned is for -trustful: without that nothing is trusted anyway")
	}
	if err := c.distribute.check(); err != nil {
		return 0, err
	}
	if _, err := c.claim.spec.System(); err != nil {
		return 0, err
	}
	if info, err := os.Stat(args[0]); err != nil {
		return 0, diag.Usagef("%v", err)
	} else if !info.Mode().IsRegular() {
		return 0, diag.Usagef("%s is no regular file", args[0])
	}
	if isPacked(args[0]) {
		return c.certifyPackage(ctx, args)
	}
	file, err := certify.Open(args[0])
	if err != nil {
		return c.refuse(args[0], certify.Refuse(err))
	}
	defer file.Close()
	if err := c.trust(file.Reader); err != nil {
		return 0, err
	}
	if err := c.readResults(file.Reader); err != nil {
		return 0, err
	}
	return c.certifyOpen(ctx, args, file.Reader)
}

// certifyOpen certifies what a certificate that is open is about, or a part of one. The first argument is its name.
func (c *certifier) certifyOpen(ctx context.Context, args []string, file *cert.Reader) (int, error) {
	if model.Is(args[1]) {
		if len(args) > 2 || c.claim.spec.Model.Only != nil {
			return 0, diag.Usagef("name one model; what is looked for is given by -deadlock, -invariant, -action and -formula")
		}
		return c.certifyModel(ctx, args[0], file, args[1])
	}
	if len(c.look.Looked()) > 0 {
		return 0, diag.Usagef("-deadlock, -invariant, -action and -formula are for models: of programs, say -property")
	}
	patterns, own, err := splitArgs(args[1:])
	if err != nil {
		return 0, err
	}
	return c.certifyProgram(ctx, args[0], file, patterns, own)
}

// certifyFile certifies the test that a certificate in a file is about.
func (c *certifier) certifyFile(ctx context.Context, name string, patterns, args []string) (int, error) {
	file, err := certify.Open(name)
	if err != nil {
		return c.refuse(filepath.Base(name), certify.Refuse(err))
	}
	defer file.Close()
	if err := c.trust(file.Reader); err != nil {
		return 0, err
	}
	return c.certifyProgram(ctx, filepath.Base(name), file.Reader, patterns, args)
}

// certifyProgram certifies a program, or several side by side, or a test. The certificate has a name, and the program
// patterns and arguments.
func (c *certifier) certifyProgram(ctx context.Context, name string, file *cert.Reader, patterns, own []string) (int, error) {
	c.src.Patterns = patterns
	t := &target{}
	spec, known, allowed, err := c.bind(ctx, file, t, own)
	if err != nil {
		return c.refuse(name, err)
	}
	if t.name = strings.Join(patterns, " "); t.test != "" {
		t.name += "." + t.test
	} else if n := len(c.src.Patterns) - len(patterns); n > 0 {
		t.name += " with " + strings.Join(c.src.Patterns[:n], ", ")
	}
	p, err := certify.NewProgram(file, t.name, spec, known)
	if err != nil {
		return c.refuse(name, err)
	}
	p.Package = t.pkg
	if p.Code, err = c.build(ctx, t, p.Settings.Access); err != nil {
		return c.refuse(name, err)
	}
	if err := p.Same(&file.Header); err != nil {
		return c.refuse(name, err)
	}
	return c.examine(ctx, name, file, t, p, allowed)
}

// build builds the program, or the tests of the package, which has to have the one that is to be shown.
func (c *certifier) build(ctx context.Context, t *target, access bool) (*check.Code, error) {
	o := BuildOptions{Source: c.src, Test: t.test != "", Access: access}
	if t.test == "" {
		return c.app.Backend.Build(ctx, o)
	}
	names, _, code, err := c.app.listTests(ctx, o, TestPackage{Path: t.pkg, Dir: t.dir})
	if err == nil && !slices.Contains(names, t.test) {
		err = certify.Refuse(diag.Usagef("the package has no test %s", plain.Word(t.test)))
	}
	return code, err
}

// trust looks whether who is trusted has signed.
func (c *certifier) trust(r *cert.Reader) error {
	if c.key == "" {
		if c.trustful && !c.unsigned {
			return diag.Usagef("-trustful: give -key and the public key of who has signed, or -trust-unsigned")
		}
		return nil
	}
	key, err := certify.ReadPublicKey(c.key)
	if err != nil {
		return err
	}
	if !r.SignedBy(key) {
		return diag.Usagef("the owner of %s has not signed the certificate", c.key)
	}
	return nil
}

// refuse tells why a certificate is refused. Other errors stay what they are.
func (c *certifier) refuse(name string, err error) (int, error) {
	var r *certify.Refusal
	if !errors.As(err, &r) {
		return 0, err
	}
	fmt.Fprintf(c.app.Stdout, "refused: %s: %s\n", name, plain.Line(err.Error()))
	return diag.ExitFinding, nil
}

// options say how a certificate is examined.
func (c *certifier) options(name string, in *interrupt) certify.Options {
	o := certify.Options{File: name, Workers: c.workers, Trustful: c.trustful, All: c.all, Stop: in.poll, Tags: c.src.Tags}
	if c.distribute.on {
		o.Others = &certify.Others{
			Options: c.distribute.options(c.app, name, "parts"), Heddle: version(),
			Assurance: c.distribute.assurance, Slice: c.distribute.slice,
		}
	}
	if len(c.handout.list) > 0 {
		o.Results = &certify.Results{List: c.handout.list, Say: c.say, Assurance: c.distribute.assurance}
	}
	return o
}

// until returns a context that ends when the user wishes so, if it is others who examine.
func (c *certifier) until(ctx context.Context) (context.Context, func()) {
	if !c.distribute.on {
		return ctx, func() {}
	}
	return untilSignal(ctx)
}

// examine examines the program.
func (c *certifier) examine(ctx context.Context, name string, r *cert.Reader, t *target, p *certify.Program, allowed []certify.Exception) (int, error) {
	ch, _, err := c.app.newChecker(&outputFlags{})
	if err != nil {
		return 0, err
	}
	defer ch.interrupt.stop()
	ch.verbose = c.verbose
	p.Settings.Root = ch.root
	p.Spec.Program.Dir, p.Spec.Program.ChangeTo, p.Spec.Program.Packages = ch.root, c.src.Dir, c.src.Patterns
	t.prog, t.process, t.spec = p.Code, p.Process, p.Spec
	m := startMeter()
	ctx, stop := c.until(ctx)
	defer stop()
	var res *certify.Examined
	if !inTime(&stopper{in: ch.interrupt}, func() time.Duration { return longest }, func() { res, err = c.follow(ctx, r, p, c.options(name, ch.interrupt)) }) {
		return 0, errInterrupted("not all was examined")
	}
	if c.verbose {
		fmt.Fprintf(c.app.Stderr, "%s: %.3fs, cpu %.3fs, %s in all\n", t.name, float64(m.elapsed())/1e9, (cpuTime() - m.cpu).Seconds(), sizeText(peakBytes()))
	}
	if err != nil {
		return c.refuse(name, err)
	}
	if len(res.Findings) > 0 {
		return c.tell(ch, t, p.Settings, res.Findings)
	}
	if c.handout.open != nil {
		return c.partDone(t.name, res.Result, "no "+strings.Join(p.Spec.Model.Properties(), ", ")+shown(p.Spec, r.Header.Reduce, res.Bounds, allowed))
	}
	what := certify.Claimed(p.Spec, allowed)
	what.Bounds = res.Bounds
	skipped := ""
	if t.test != "" {
		skips, err := ch.skipsItself(t, p.Settings, r.Header.Reduce, int64(res.Counts.States), int64(res.Counts.Transitions))
		if err != nil {
			return 0, err
		}
		if n := t.functions(); skips == n {
			what.Skipped = true
			skipped = "; the test skips itself: nothing else was run"
			c.skipped = append(c.skipped, t.test)
		} else if skips > 0 {
			skipped = fmt.Sprintf("; %d tests have this name, %d of them skipped", n, skips)
		} else if res.SkipsSome {
			skipped = "; the test, or one below it, is skipped in some interleavings"
		}
	}
	fmt.Fprintf(c.app.Stdout, "%s of %s: %d states, %d transitions; no %s%s\n", certifiedWords(res.Result), t.name,
		res.Counts.States, res.Counts.Transitions, strings.Join(p.Spec.Model.Properties(), ", "), shown(p.Spec, r.Header.Reduce, res.Bounds, allowed)+by(res.Result)+skipped)
	return c.state(t.name, p.Code.Identity, name, r, res.Result, what)
}

// state writes what was certified down, if that is asked for.
func (c *certifier) state(name, identity, file string, r *cert.Reader, res *certcheck.Result, what certify.Certified) (int, error) {
	what.Heddle, what.Trusted, what.Others, what.States, what.Transitions = version(), res.Trusted, res.Others, res.Counts.States, res.Counts.Transitions
	s := certify.NewStatement(name, identity, filepath.Base(file), r, what)
	if c.packed { // there will be one about all of them
		c.stated = append(c.stated, s)
		return diag.ExitOK, nil
	}
	return diag.ExitOK, c.write(s)
}

// write writes a statement, if that is asked for.
func (c *certifier) write(s *certify.Statement) error {
	if c.statement == "" {
		return nil
	}
	var key ed25519.PrivateKey
	if c.sign != "" {
		var err error
		if key, err = certify.ReadPrivateKey(c.sign); err != nil {
			return err
		}
	}
	return s.Write(c.statement, key)
}

// bounds says what the claim is bounded by: some settings always, others if they are not as usual.
func bounds(s *check.Spec, reduce bool) string {
	m, order := &s.Model, "one order of maps"
	if m.MapOrder {
		order = "all orders of maps"
	}
	text := fmt.Sprintf("settings: late %s, interleave %s, %s, random %d, signals %d, reduce %v", &m.Late, m.Interleave, order, m.Random, m.Signals, reduce)
	for i := range check.Settings {
		x := &check.Settings[i]
		if always := []string{"late", "interleave", "maporder", "random", "signals"}; x.Recipe == "" || !x.Reported || slices.Contains(always, x.Name) {
			continue
		}
		if x.Text(s) != x.Default {
			text += ", " + x.Name + " " + x.Text(s)
		}
	}
	if n := len(s.Peers.Met); n > 0 {
		text += fmt.Sprintf(", what %d recorded peers said", n)
	}
	return text
}

// tell tells the story of what is wrong.
func (c *certifier) tell(ch *checker, t *target, s execute.Settings, findings []explore.Found) (int, error) {
	if t.folder = c.folder; t.folder == "" {
		t.folder = filepath.Join(outFolder, filepath.Base(t.name))
	}
	o := explore.Options{Reduce: true, All: true}
	findings = check.Distinct(findings)
	for i, f := range findings {
		folder := t.folder
		if len(findings) > 1 {
			folder = fmt.Sprintf("%s/%d-%s", t.folder, i+1, f.Kind)
		}
		story := &check.Story{Code: t.prog, Process: t.process, Settings: s, Spec: t.spec, Options: o, Stop: ch.interrupt.poll}
		out, err := ch.tell(t, story, f, folder, func(report.Finding) {})
		if err != nil {
			return 0, err
		}
		fmt.Fprintf(c.app.Stdout, "violation: %s: %s\n%s", t.name, plain.Line(f.Error()), out.Story)
		if out.Replay != "" {
			fmt.Fprintf(c.app.Stdout, "replay with: %s\n", out.Replay)
		}
	}
	for _, lost := range ch.unwritten {
		fmt.Fprintf(c.app.Stderr, "heddle: %s\n", plain.Line(lost.Error()))
	}
	return diag.ExitFinding, nil
}
