package cli

import (
	"context"
	"flag"
	"fmt"
	"path"
	"strings"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/certify"
	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/plain"
)

// claimFlags say what is to be shown of a program, in the words of heddle check and heddle test.
type claimFlags struct {
	spec        check.Spec
	runs, skips string
	only        string // the one test that it has to be, if it is not ""
	short       bool
	allow       textList
	bounds      bool
}

// declare declares the flags of check that can be claimed: those that bound the search, and what is started and looked for.
func (f *claimFlags) declare(fs *flag.FlagSet) {
	f.spec = *check.New()
	claimed := []string{"property", "env", "server-package"}
	for i := range check.Settings {
		if x := &check.Settings[i]; x.Recipe != "" && x.Reported {
			claimed = append(claimed, x.Name)
		}
	}
	f.spec.Declare(fs, claimed...)
	fs.StringVar(&f.runs, "run", "", "of a certificate of a test: it has to be about one that matches `regexp`")
	fs.StringVar(&f.skips, "skip", "", "of a certificate of a test: without what matches `regexp`, below the test")
	fs.BoolVar(&f.short, "short", false, "of a certificate of a test: with -short")
	fs.Var(&f.allow, "allow", "take a setting as the certificate has it, and print it: `NAME` or NAME=VALUE, property=NAME for a kind of finding that it need not look for, peers for what was recorded of peers; may be repeated")
	fs.BoolVar(&f.bounds, "bounds", false, "take all settings that bound the search as the certificate has them, and print them")
}

// program returns the claim about a program, or several side by side.
func (f *claimFlags) program(patterns, args []string) (*certify.Claim, error) {
	if f.runs != "" || f.skips != "" || f.short {
		return nil, certify.Refuse(diag.Usagef("it is about a program, and not about a test: leave out -run, -skip and -short"))
	}
	c := f.claim()
	own := &c.Spec.Program
	servers, err := own.ServerPackages()
	if err != nil {
		return nil, err
	}
	own.Packages, own.Args = append(servers, patterns...), args
	own.Env, err = check.Environment(own.Env, "")
	return c, err
}

// test returns the claim about the test of a package.
func (f *claimFlags) test(name string, pkg TestPackage, patterns, args []string) (*certify.Claim, error) {
	if f.runs == "" {
		return nil, certify.Refuse(diag.Usagef("it is about a test, %s: say which one is to be shown by -run", plain.Word(name)))
	}
	run, err := parsePattern("run", f.runs)
	if err != nil {
		return nil, err
	}
	skip, err := parsePattern("skip", f.skips)
	if err != nil {
		return nil, err
	}
	if !run.matches(name) || skip.whole(name) || f.only != "" && name != f.only {
		return nil, certify.Refuse(diag.Usagef("it is about another test: %s", plain.Word(name)))
	}
	c := f.claim()
	own := &c.Spec.Program
	own.Packages, own.Test, own.TestDir = patterns, name, pkg.Dir
	own.TestArgs = testArgs(pkg, run.of(name), skip.below(name), f.short, args)
	own.Args = args
	own.Env, err = check.Environment(own.Env, pkg.Dir)
	return c, err
}

func (f *claimFlags) claim() *certify.Claim {
	return &certify.Claim{Spec: f.spec.Clone(), Allow: f.allow, Bounds: f.bounds}
}

// testArgs returns with what the binary of a package's tests is started for one test.
// With -test.v, messages are printed when they are logged, and are no part of the
// state. Nothing but the schedule keeps parallel tests from running.
func testArgs(pkg TestPackage, run, skip string, short bool, args []string) []string {
	list := []string{path.Base(pkg.Path) + ".test", "-test.paniconexit0", "-test.v=true", "-test.parallel=1000", "-test.run=" + run}
	if skip != "" {
		list = append(list, "-test.skip="+skip)
	}
	if short {
		list = append(list, "-test.short=true")
	}
	return append(list, args...)
}

// bind reads the settings of a certificate and holds them against what is claimed.
func (c *certifier) bind(ctx context.Context, file *cert.Reader, t *target, args []string) (*check.Spec, execute.Known, []certify.Exception, error) {
	of, known, err := certify.ReadSpec(file)
	if err != nil {
		return nil, known, nil, err
	}
	var claim *certify.Claim
	if of.Program.Test == "" {
		claim, err = c.claim.program(c.src.Patterns, args)
	} else {
		var pkg TestPackage
		if pkg, err = c.testPackage(ctx, of.Program.Test); err == nil {
			t.test, t.pkg, t.dir = of.Program.Test, pkg.Path, pkg.Dir
			claim, err = c.claim.test(t.test, pkg, c.src.Patterns, args)
		}
	}
	if err != nil {
		return nil, known, nil, err
	}
	c.src.Patterns = claim.Spec.Program.Packages
	spec, allowed, err := claim.Bind(of)
	return spec, known, allowed, err
}

// testPackage returns the package that has to have a test.
func (c *certifier) testPackage(ctx context.Context, test string) (TestPackage, error) {
	if c.distribute.on {
		return TestPackage{}, diag.Usagef("the certificate is about a test, which workers do not examine: leave out -distribute")
	}
	pkgs, err := c.app.Backend.Tests(ctx, c.src)
	if err != nil {
		return TestPackage{}, err
	}
	if len(pkgs) != 1 || !pkgs[0].Tests {
		return TestPackage{}, certify.Refuse(diag.Usagef("it is about a test, %s: name the one package that has it", plain.Word(test)))
	}
	return pkgs[0], nil
}

// shown says what was shown besides that nothing is wrong: what was not looked for, the settings that bound the claim,
// with which arguments and environment the program was started, and what the certificate was allowed to have otherwise.
func shown(s *check.Spec, reduce bool, bounded []string, allowed []certify.Exception) string {
	text := ""
	if off := s.Model.NotLookedFor(); len(off) > 0 {
		text = "; not looked for: " + strings.Join(off, ", ")
	}
	text += "; " + bounds(s, reduce)
	if len(bounded) > 0 {
		text += "; bounds: " + strings.Join(bounded, ", ")
	} else {
		text += "; no bounds"
	}
	if len(s.Program.Args) > 0 {
		text += fmt.Sprintf("; arguments %q", s.Program.Args)
	}
	if env := s.Program.OwnEnv(); len(env) > 0 {
		text += fmt.Sprintf("; environment %q", env)
	}
	if len(allowed) > 0 {
		var list []string
		for _, e := range allowed {
			list = append(list, e.String())
		}
		text += "; allowed: " + strings.Join(list, ", ")
	}
	return text
}
