package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/certify"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/recheck"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// All commands of the tests go through twice. Whatever certificates they write are examined by heddle certify and by the second checker, which
// have to agree.

// opinionsFile is the variable with the name of a file to which opinions are appended, one in a line.
const opinionsFile = "HEDDLE_TEST_OPINIONS"

const disagreement = "they disagree"

// disagreed is the exit code of a command on whose certificates the checkers do not agree.
const disagreed = 98

// written are certificates that were written and not examined yet.
var written struct {
	sync.Mutex
	list [][]byte
}

func init() {
	// Tests that somebody else has compiled with the library of all scripts have some literals elsewhere: see execute.Library. So both have them from there.
	recheck.Build = func(src execute.Source) (*bytecode.Program, error) {
		if src.Test && os.Getenv(librarySocket) != "" {
			src.NoCache = false
			ask(context.Background(), src)
		}
		return execute.Build(src)
	}
	certify.Written = func(name string) {
		data, err := os.ReadFile(name) // it may soon be part of an archive, and gone
		if err != nil {
			panic(err)
		}
		written.Lock()
		defer written.Unlock()
		written.list = append(written.list, data)
	}
}

// twice runs a command, and has the certificates that it has written examined.
func twice(ctx context.Context, app *App, args []string) int {
	code := app.Main(ctx, args)
	written.Lock()
	list := written.list
	written.list = nil
	written.Unlock()
	var archive []byte
	for i, arg := range args {
		if i > 0 && args[i-1] == "-cert" && isPacked(arg) && len(list) > 0 {
			archive, _ = os.ReadFile(inFolder(args, arg)) // or none was written
		}
	}
	for i, data := range append(list, archive) {
		if i == len(list) && archive == nil {
			break
		}
		opinion, err := opinionOf(app, args, data, list[min(i, len(list)-1)])
		if name := os.Getenv(opinionsFile); name != "" {
			f, ferr := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
			if ferr == nil {
				_, ferr = fmt.Fprintln(f, opinion)
				f.Close()
			}
			if ferr != nil {
				panic(ferr)
			}
		}
		if err != nil {
			fmt.Fprintf(app.Stderr, "heddle %v: %v\n", args, err)
			code = disagreed
		}
	}
	return code
}

// inFolder returns the name of a file that a command was told.
func inFolder(args []string, name string) string {
	if i := slices.Index(args, "-C"); i >= 0 && i+1 < len(args) && !filepath.IsAbs(name) {
		return filepath.Join(args[i+1], name)
	}
	return name
}

// opinionOf has a certificate examined by both, for what it says of itself, and returns what came of it in few words. In an archive there are several, of
// which one is given: all tests of the package are to be shown then.
func opinionOf(app *App, args []string, data, one []byte) (string, error) {
	c, err := cert.Open(bytes.NewReader(one), int64(len(one)))
	if err != nil {
		return "damaged", err
	}
	dir, err := os.MkdirTemp("", "heddle-twice-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	flags, source := claimedBy(&c.Header)
	file, what := filepath.Join(dir, "c.heddle"), ""
	if !bytes.Equal(data, one) {
		i := slices.Index(flags, "-run")
		flags, file, what = slices.Delete(flags, i, i+2), filepath.Join(dir, "c.zip"), ", archive"
	}
	if err := os.WriteFile(file, data, 0o666); err != nil {
		return "", err
	}
	if folder := inFolder(args, "."); folder != "." {
		back, err := os.Getwd()
		if err != nil {
			return "", err
		}
		defer os.Chdir(back)
		if err := os.Chdir(folder); err != nil {
			return "", err
		}
	}
	command := slices.Concat(flags, []string{file}, source)
	var said, also bytes.Buffer
	own := &App{Stdin: strings.NewReader(""), Stdout: &said, Stderr: &said, Backend: app.Backend}
	first := own.Main(context.Background(), slices.Concat([]string{"certify", "-o", filepath.Join(dir, "out")}, command))
	states := fmt.Sprint(testlong.Or(5_000, 200_000))
	second := recheck.Run(slices.Concat([]string{"-states", states}, command), &also, &also)
	opinion, ok := judge(first, said.String(), second, also.String())
	if !ok {
		return opinion, fmt.Errorf("heddle certify %v: exit %d, %s; certcheck: exit %d, %s", command, first, said.String(), second, also.String())
	}
	return opinion + what, nil
}

// claimedBy returns what both checkers are told: what a certificate says that it is about. Bounds and the environment are not: a certificate of others
// is one that both refuse.
func claimedBy(h *cert.Header) (flags, source []string) {
	list := func(name string) (l []string) {
		json.Unmarshal([]byte(cert.Lookup(h.Settings, name)), &l) // or there are none
		return l
	}
	each := func(flag string, values []string) {
		for _, v := range values {
			flags = append(flags, flag, v)
		}
	}
	if name := cert.Lookup(h.Settings, "model"); name != "" {
		if cert.Lookup(h.Settings, "deadlock") != "" {
			flags = append(flags, "-deadlock")
		}
		each("-action", list("actions"))
		each("-invariant", list("invariants"))
		each("-formula", list("formulas"))
		return flags, []string{name}
	}
	each("-server-package", list("server-packages"))
	if cert.Lookup(h.Settings, "peers") != "" {
		flags = append(flags, "-allow", "peers")
	}
	source = list("packages")
	if test := cert.Lookup(h.Settings, "test"); test != "" {
		return append(flags, "-run", test), source
	}
	source = source[min(len(list("server-packages")), len(source)):]
	if args := list("args"); len(args) > 0 {
		source = append(append(source, "--"), args...)
	}
	return flags, source
}

var (
	settingName = regexp.MustCompile(`setting "([a-z-]+)"`)
	figures     = regexp.MustCompile(`[0-9]+`)
)

// judge says in few words what two checkers have said, and whether they agree: what one certifies the other does not refuse, unless it is of something else than
// both were asked for, and neither is wrong about the command line.
func judge(one int, said string, two int, also string) (opinion string, ok bool) {
	reason := strings.TrimSpace(strings.TrimPrefix(also, "certcheck: "))
	if m := settingName.FindStringSubmatch(reason); m != nil {
		reason = "setting " + m[1]
	} else if at := strings.LastIndex(reason, ": "); two == diag.ExitIncomplete && at >= 0 {
		reason = reason[at+2:]
	}
	if reason, _, _ = strings.Cut(reason, "\n"); strings.HasPrefix(reason, "violation: ") {
		reason = "violation"
	}
	reason = figures.ReplaceAllString(reason, "N")
	elsewhere := strings.Contains(said, "certificate of something else")
	switch {
	case one == diag.ExitOK && two == diag.ExitOK:
		return "both certify", true
	case one == diag.ExitFinding && two == diag.ExitFinding:
		return "both refuse: " + reason, strings.HasPrefix(said, "violation: ") == (reason == "violation") || elsewhere
	case two == diag.ExitIncomplete && (one == diag.ExitOK || one == diag.ExitIncomplete || one == diag.ExitFinding):
		return "certcheck gave up: " + reason, true
	case two == diag.ExitOK && one == diag.ExitFinding && elsewhere:
		return "certcheck certifies what is of something else for heddle certify", true
	case two == diag.ExitFinding && one == diag.ExitIncomplete && reason != "violation":
		return "certcheck refuses what heddle certify does not know: " + reason, true
	}
	return disagreement, false
}

// counting runs tests, and tells how often checkers have said what.
type counting struct{ m *testing.M }

// Run fails if they disagree, even where nobody looks at the exit code of a command.
func (c counting) Run() int {
	dir, err := os.MkdirTemp("", "heddle-twice-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "opinions")
	os.Setenv(opinionsFile, file)
	code := c.m.Run()
	data, err := os.ReadFile(file)
	if err != nil {
		return code // no certificate was written
	}
	count := map[string]int{}
	for line := range strings.Lines(string(data)) {
		count[strings.TrimSpace(line)]++
	}
	for _, opinion := range slices.Sorted(maps.Keys(count)) {
		if opinion == disagreement {
			code = max(code, 1)
		} else if !testing.Verbose() {
			continue
		}
		fmt.Printf("%3d certificates: %s\n", count[opinion], opinion)
	}
	return code
}

// TestTwice: a command fails if one of the checkers refuses what it has written.
func TestTwice(t *testing.T) {
	for _, test := range []struct {
		one  int
		said string
		two  int
		also string
		want string
		ok   bool
	}{
		{0, "certified", 0, "certified", "both certify", true},
		{0, "certified", 1, "violation: p: deadlock", disagreement, false},
		{0, "certified", 1, "refused: it is about another program", disagreement, false},
		{0, "certified", 1, `refused: setting "late" is "0"`, disagreement, false},
		{1, "violation: p: deadlock", 0, "certified", disagreement, false},
		{3, "not known", 0, "certified", disagreement, false},
		{3, "not known", 1, "violation: p: deadlock", disagreement, false},
		{0, "certified", 4, "a bug", disagreement, false},
		{0, "certified", 2, "certcheck: a flag", disagreement, false},
		{1, "violation: p: deadlock", 1, "violation: p: deadlock", "both refuse: violation", true},
		{1, "refused: c: a transition", 1, "violation: p: deadlock", "both refuse: violation", false},
		{1, "refused: c: it is a certificate of something else: late", 1, `refused: setting "late" is "0"`, "both refuse: setting late", true},
		{0, "certified", 3, "certcheck: p: more than 50 states", "certcheck gave up: more than N states", true},
	} {
		if got, ok := judge(test.one, test.said, test.two, test.also); got != test.want || ok != test.ok {
			t.Errorf("%d %q, %d %q: got %q, %v, want %q, %v", test.one, test.said, test.two, test.also, got, ok, test.want, test.ok)
		}
	}
	file := filepath.Join(t.TempDir(), "opinions")
	t.Setenv(opinionsFile, file)
	t.Chdir(t.TempDir())
	writeFile(t, "p/main.go", "package main\n\nfunc main() {}\n")
	writeFile(t, "go.mod", "module m\n\ngo 1.26\n")
	if code, stdout, stderr := runHeddle("check", "-cert", "c.heddle", "./p"); code != 0 {
		t.Fatalf("got exit %d, %s, %s", code, stdout, stderr)
	}
	if data, err := os.ReadFile(file); err != nil || string(data) != "both certify\n" {
		t.Errorf("got %q, %v", data, err)
	}
}
