package cli

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/certcheck"
	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
)

var cmdCertify = &command{
	name:  "certify",
	args:  "CERT PACKAGE...|FILES.go|MODEL.mcrl2",
	short: "examine a program or a model again, as a certificate directs",
	mixed: true,
	long: `Certify follows the search script of a certificate with the program itself, and
believes nothing that it says: each step is taken, each state is examined. It ends
in one of these:

  certified   the certificate is that of the program, and nothing is wrong (exit
              code 0)
  refused     the certificate is not that of the program: why, and where (1)
  violation   a property does not hold: how it comes about (1)

The settings that shape the state space are those of the certificate. What is
looked for may be more or other than what its author looked for: -property. For a
networked program the certificate has what the peers said: none is needed.

With -trustful only the way to each state is gone, which is faster; the
certificate is then believed that there are no other states. That is for
certificates which somebody has signed whom one trusts (-key), or for one's own
(-trust-unsigned). docs/certificate.md describes the format.`,
	setup: func(app *App, fs *flag.FlagSet) func(context.Context, []string) (int, error) {
		c := certifier{app: app}
		sourceFlags(fs, &c.src)
		fs.IntVar(&c.workers, "workers", 1, "examine with `n` workers at once")
		fs.BoolVar(&c.trustful, "trustful", false, "go to each state once and believe that there are no others")
		fs.BoolVar(&c.unsigned, "trust-unsigned", false, "of -trustful: the certificate need not be signed")
		fs.StringVar(&c.key, "key", "", "the certificate has to be signed by the owner of the public key in `file`")
		fs.StringVar(&c.property, "property", "", "look for these kinds of findings: a `list` separated by commas; those of the certificate if it is not given")
		fs.Var(&c.invariants, kindInvariant, "of models: look for states in which `expr` does not hold, too; may be repeated")
		fs.Var(&c.actions, kindAction, "of models: look for actions with these `names`, too, separated by commas")
		fs.BoolVar(&c.all, "all", false, "go on after the first finding")
		fs.StringVar(&c.folder, "o", "", "write the files about a violation to `dir`, instead of "+outFolder+"/PACKAGE")
		fs.BoolVar(&c.verbose, "v", false, "print time and memory on standard error")
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
	property           string
	invariants         textList
	actions            tagList
	all, verbose       bool
	folder             string
	distribute         certDistribute
}

// certify takes the arguments of the command.
func (c *certifier) certify(ctx context.Context, args []string) (int, error) {
	switch {
	case len(args) < 2:
		return 0, diag.Usagef("name a certificate and the program that it is about")
	case c.workers < 1:
		return 0, diag.Usagef("-workers %d: at least one is needed", c.workers)
	case c.unsigned && !c.trustful:
		return 0, diag.Usagef("-trust-unsigned is for -trustful: without that nothing is trusted anyway")
	case c.distribute.on && c.workers > 1:
		return 0, diag.Usagef("-workers %d: of -distribute each heddle worker is one", c.workers)
	}
	if err := c.distribute.check(); err != nil {
		return 0, err
	}
	file, err := openCert(args[0])
	if err != nil {
		return c.refuse(args[0], err)
	}
	defer file.Close()
	if err := c.trust(file.Reader); err != nil {
		return 0, err
	}
	if isModel(args[1]) {
		if len(args) > 2 || c.property != "" {
			return 0, diag.Usagef("name one model; what is looked for besides is given by -invariant and -action")
		}
		return c.certifyModel(ctx, args[0], file.Reader, args[1])
	}
	if len(c.invariants)+len(c.actions) > 0 {
		return 0, diag.Usagef("-invariant and -action are for models: of programs, say -property")
	}
	return c.certifyProgram(ctx, args, file)
}

// certifyProgram certifies a program, or several side by side.
func (c *certifier) certifyProgram(ctx context.Context, args []string, file *certFile) (int, error) {
	if i := slices.IndexFunc(args, isArgs); i >= 0 {
		return 0, diag.Usagef("unexpected %q: arguments of the program are in the certificate", args[i])
	}
	patterns, rest, err := splitProgram(args[1:])
	if err != nil {
		return 0, err
	}
	if several := !strings.HasSuffix(patterns[0], ".go"); several {
		patterns = append(patterns, rest...)
	} else if len(rest) > 0 {
		return 0, diag.Usagef("unexpected argument %q: arguments of the program are in the certificate", rest[0])
	}
	c.src.Patterns = patterns
	rec, known, err := certRecipe(file.Reader)
	if err != nil {
		return c.refuse(args[0], err)
	}
	if err := c.properties(rec); err != nil {
		return 0, err
	}
	t, settings, err := c.target(file.Reader, rec)
	if err != nil {
		return c.refuse(args[0], err)
	}
	settings.Known = known
	if rec.Program.Test != "" {
		if c.distribute.on {
			return 0, diag.Usagef("the certificate is about a test, which workers do not examine: leave out -distribute")
		}
		pkgs, err := c.app.Backend.Tests(ctx, c.src)
		if err != nil {
			return 0, err
		}
		if len(pkgs) != 1 || !pkgs[0].Tests {
			return c.refuse(args[0], diag.Usagef("it is about a test, %s: name the one package that has it", rec.Program.Test))
		}
		t.setTest(pkgs[0])
	}
	if t.prog, err = c.app.Backend.Build(ctx, BuildOptions{Source: c.src, Test: rec.Program.Test != "", Access: settings.Access}); err != nil {
		return 0, err
	}
	if want := cert.Lookup(file.Header.Program, "identity"); want != t.prog.Identity {
		return c.refuse(args[0], diag.Usagef("it is about another program, or about one that another heddle has compiled: %s, and not %s%s", want, t.prog.Identity, changedProgram(&file.Header, t.prog)))
	}
	return c.examine(ctx, args[0], file.Reader, t, settings)
}

// trust looks whether who is trusted has signed.
func (c *certifier) trust(r *cert.Reader) error {
	if c.key == "" {
		if c.trustful && !c.unsigned {
			return diag.Usagef("-trustful: give -key and the public key of who has signed, or -trust-unsigned")
		}
		return nil
	}
	key, err := readPublicKey(c.key)
	if err != nil {
		return err
	}
	if !r.SignedBy(key) {
		return diag.Usagef("the owner of %s has not signed the certificate", c.key)
	}
	return nil
}

// refuse tells why a certificate is refused.
func (c *certifier) refuse(name string, err error) (int, error) {
	var q queueError
	if diag.ExitCode(err) == diag.ExitIncomplete || errors.As(err, &q) {
		return 0, err
	}
	fmt.Fprintf(c.app.Stdout, "refused: %s: %v\n", name, err)
	return diag.ExitFinding, nil
}

// certSettings returns the settings of a certificate by their names.
func certSettings(r *cert.Reader) (map[string]string, error) {
	values := map[string]string{}
	for _, p := range r.Header.Settings {
		if _, twice := values[p.Name]; twice {
			return nil, diag.Usagef("setting %s is there twice", p.Name)
		}
		values[p.Name] = p.Value
	}
	return values, nil
}

// certRecipe returns the settings of a certificate.
func certRecipe(r *cert.Reader) (rec *check.Spec, known execute.Known, err error) {
	values, err := certSettings(r)
	if err != nil {
		return rec, known, err
	}
	text, ok := values[assumeName]
	if !ok {
		return rec, known, diag.Usagef("setting %s is missing", assumeName)
	}
	if known, err = execute.ParseKnown(text, values[viewsName]); err != nil {
		return rec, known, diag.Usagef("setting %s: %v", assumeName, err)
	}
	delete(values, assumeName)
	rec, err = check.ReadRecipe(values)
	return rec, known, err
}

// target returns what is to be examined, with its settings.
func (c *certifier) target(r *cert.Reader, rec *check.Spec) (*target, execute.Settings, error) {
	t := &target{name: strings.Join(c.src.Patterns, " "), spec: rec}
	settings, err := rec.System()
	if err != nil {
		return nil, settings, err
	}
	t.process = execute.Process{Args: append([]string{programName(rec.Program.Packages)}, rec.Program.Args...), Env: rec.Program.Env}
	if len(rec.Peers.Met) > 0 {
		text, err := r.Traffic()
		if err != nil {
			return nil, settings, diag.Usagef("%v", err)
		}
		if t.process.World, err = rec.Peers.Recorded("traffic", string(text)); err != nil {
			return nil, settings, err
		}
	}
	return t, settings, nil
}

// setTest makes a target that of a test of a package, in whose folder it runs.
func (t *target) setTest(pkg TestPackage) {
	t.name += "." + t.spec.Program.Test
	t.test, t.pkg, t.dir, t.spec.Program.TestDir = t.spec.Program.Test, pkg.Path, pkg.Dir, pkg.Dir
	t.process.Args, t.process.Dir = t.spec.Program.TestArgs, pkg.Dir
}

// properties takes those of -property instead of those of the certificate. Races
// and fatal errors are found by what states keep of accesses, so whether they are
// looked for is part of the graph.
func (c *certifier) properties(spec *check.Spec) error {
	if c.property == "" {
		return nil
	}
	asked := check.New()
	check.Lookup("property").At(asked).(flag.Value).Set(c.property)
	if _, err := asked.System(); err != nil {
		return err
	}
	for _, p := range []execute.Property{execute.Race, execute.Fatal} {
		if had := spec.Model.Looks(p); had != asked.Model.Looks(p) {
			return diag.Usagef("-property: %s shapes the graph: the certificate is one of %s", p, strings.Join(spec.Model.Properties(), ","))
		}
	}
	spec.Model.LookFor(asked.Model.Properties())
	return nil
}

// examine examines the program.
func (c *certifier) examine(ctx context.Context, name string, r *cert.Reader, t *target, settings execute.Settings) (int, error) {
	ch, _, err := c.app.newChecker(&outputFlags{verbose: c.verbose})
	if err != nil {
		return 0, err
	}
	defer ch.interrupt.stop()
	settings.Root = ch.root
	t.spec.Program.Dir, t.spec.Program.ChangeTo, t.spec.Program.Packages = ch.root, c.src.Dir, c.src.Patterns
	pool := &check.Pool{Make: func() (lts.System, error) { return t.prog.NewSystem(t.process, settings) }}
	defer pool.Close()
	m := startMeter()
	res, found, err := c.examineParts(ctx, name, r, pool.New, certcheck.Options{
		Seed: unknownSeed(), Workers: c.workers, All: c.all, Interrupt: ch.interrupt.poll,
	}, jobText{Packages: c.src.Patterns, Tags: c.src.Tags, Properties: t.spec.Model.Properties()})
	if c.verbose {
		fmt.Fprintf(c.app.Stderr, "%s: %.3fs, cpu %.3fs, %s in all\n", t.name, float64(m.elapsed())/1e9, (cpuTime() - m.cpu).Seconds(), sizeText(peakBytes()))
	}
	if err != nil {
		return c.refuse(name, err)
	}
	if len(res.Findings) > 0 {
		return c.tell(ch, t, settings, res)
	}
	if err := guessesHold(settings.Known, append(found, check.FoundIn(pool.List)...)); err != nil && !c.trustful {
		return c.refuse(name, err)
	}
	fmt.Fprintf(c.app.Stdout, "%s of %s: %d states, %d transitions; no %s; %s\n", certifiedWords(res), t.name,
		res.Counts.States, res.Counts.Transitions, strings.Join(t.spec.Model.Properties(), ", "), bounds(t.spec, r.Header.Reduce))
	return diag.ExitOK, nil
}

// bounds says what the claim is bounded by.
func bounds(s *check.Spec, reduce bool) string {
	m, order := &s.Model, "one order of maps"
	if m.MapOrder {
		order = "all orders of maps"
	}
	text := fmt.Sprintf("settings: time %s, interleave %s, %s, random %d, reduce %v", m.Time, m.Interleave, order, m.Random, reduce)
	for _, name := range []string{"faults", "nonblocking", "partial", "udp"} {
		if x := check.Lookup(name); x.Text(s) != x.Default {
			text += ", " + name + " " + x.Text(s)
		}
	}
	if n := len(s.Peers.Met); n > 0 {
		text += fmt.Sprintf(", what %d recorded peers said", n)
	}
	return text
}

// unknownSeed returns a number that the author of a certificate cannot know.
func unknownSeed() uint64 {
	var b [8]byte
	rand.Read(b[:]) // it does not fail
	return binary.LittleEndian.Uint64(b[:])
}

// guessesHold looks whether what reduction was told to take for granted is so.
func guessesHold(known execute.Known, found []*execute.Found) error {
	if _, news := known.Learn(found...); news {
		return diag.Usagef("its reduction assumes that less is written, or that nothing waits for the clock, which is not so")
	}
	return nil
}

// tell tells the story of what is wrong.
func (c *certifier) tell(ch *checker, t *target, s execute.Settings, res *certcheck.Result) (int, error) {
	if t.folder = c.folder; t.folder == "" {
		t.folder = filepath.Join(outFolder, filepath.Base(t.name))
	}
	o := explore.Options{Reduce: true, All: true}
	for i, f := range res.Findings {
		folder := t.folder
		if len(res.Findings) > 1 {
			folder = fmt.Sprintf("%s/%d-%s", t.folder, i+1, f.Kind)
		}
		story := &check.Story{Code: t.prog, Process: t.process, Settings: s, Spec: t.spec, Options: o, Stop: ch.interrupt.poll}
		out, err := ch.tell(t, story, explore.Found{Finding: f.Finding, Path: f.Path, View: s.Known.Views.String()}, folder)
		if err != nil {
			return 0, err
		}
		fmt.Fprintf(c.app.Stdout, "violation: %s: %s\n%sreplay with: %s\n", t.name, f.Error(), out.Story, out.Replay)
	}
	return diag.ExitFinding, nil
}

// A certFile is an open certificate.
type certFile struct {
	*cert.Reader
	file *os.File
}

func (f *certFile) Close() error { return f.file.Close() }

func openCert(name string) (*certFile, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, diag.Usagef("%v", err)
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, diag.Usagef("%v", err)
	}
	r, err := cert.Open(file, info.Size())
	if err != nil {
		file.Close()
		return nil, diag.Usagef("%v", err)
	}
	return &certFile{r, file}, nil
}
