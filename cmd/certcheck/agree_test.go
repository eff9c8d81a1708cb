package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/cli"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/goroot"
	"github.com/heddle-mc/heddle/internal/gosuite/goker"
	"github.com/heddle-mc/heddle/internal/gosuite/randconc"
	"github.com/heddle-mc/heddle/internal/recheck"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// The programs share one loaded library. Those of make test-long are loaded as users have it.
func init() {
	if !testlong.On() {
		execute.Share()
	}
}

// heddle runs a command of heddle.
func heddle(args ...string) (code int, out string) {
	var b bytes.Buffer
	app := &cli.App{Stdin: strings.NewReader(""), Stdout: &b, Stderr: &b, Backend: cli.Machine{}}
	code = app.Main(context.Background(), args)
	return code, b.String()
}

// certcheck runs this command.
func certcheck(args ...string) (code int, out string) {
	var b bytes.Buffer
	code = recheck.Run(args, &b, &b)
	return code, b.String()
}

// A tally counts how often the two checkers have said what.
type tally struct {
	certified, violations, unknown, none int
	others                               int // with other settings than usual, which both refuse
	states                               int // programs with more have no certificate; 0 means 20,000
}

// agree has a program checked for some kinds of findings only, and both checkers examine the
// certificate, if there is one, for all. The program is what both are told behind the certificate, with flags before.
func (n *tally) agree(t *testing.T, name string, program ...string) {
	t.Helper()
	file, last := filepath.Join(t.TempDir(), "c.heddle"), len(program)-1
	flags, source := program[:last:last], program[last]
	most := fmt.Sprint(cmp.Or(n.states, 20_000))
	if code, out := heddle(slices.Concat([]string{"check", "-o", t.TempDir(), "-states", most, "-property", "race,fatal", "-cert", file}, flags, []string{source})...); code != diag.ExitOK {
		t.Logf("%s: no certificate: exit %d", name, code)
		if code == diag.ExitUsage {
			t.Errorf("%s: %s", name, out)
		}
		n.none++
		return
	}
	one, said := heddle(slices.Concat([]string{"certify", "-o", t.TempDir()}, flags, []string{file, source})...)
	two, also := certcheck(slices.Concat([]string{"-states", fmt.Sprint(testlong.Or(5_000, 1_000_000))}, flags, []string{file, source})...)
	switch {
	case two == diag.ExitIncomplete:
		n.unknown++
		t.Logf("%s: certcheck: %s", name, also)
	case one != two || one != diag.ExitOK && one != diag.ExitFinding && one != diag.ExitIncomplete:
		t.Errorf("%s: heddle certify: exit %d, %q; certcheck: exit %d, %q", name, one, said, two, also)
	case one == diag.ExitOK:
		n.certified++
	default:
		n.violations++
	}
}

// smaller are examples with very many states, and what is replaced so that they have fewer.
var smaller = [][3]string{
	{"pipeline", "range 20", testlong.Or("range 4", "range 6")},
	{"workers", "jobs, workers = 8, 3", testlong.Or("jobs, workers = 1, 2", "jobs, workers = 2, 2")},
}

// networked does the same for a program with peers, which its heddle.yaml names. Of those with other bounds than the usual ones
// both refuse the certificate.
func (n *tally) networked(t *testing.T, dir string) {
	file, out := filepath.Join(t.TempDir(), "c.heddle"), t.TempDir()
	back, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chdir(dir); err != nil {
		t.Fatal(err)
	}
	defer os.Chdir(back)
	if code, _ := heddle("check", "-o", out, "-answer", "10m", "-states", "20000", "-property", "race,fatal", "-cert", file, "."); code != diag.ExitOK {
		n.none++
		return
	}
	data := read(t, file)
	c, err := cert.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"-allow", "peers", file, "."}
	if text := cert.Lookup(c.Header.Settings, "args"); text != "" {
		var own []string
		if err := json.Unmarshal([]byte(text), &own); err != nil {
			t.Fatal(err)
		}
		args = append(append(args, "--"), own...)
	}
	one, said := heddle(append([]string{"certify", "-o", out}, args...)...)
	two, also := certcheck(append([]string{"-states", fmt.Sprint(testlong.Or(5_000, 200_000))}, args...)...)
	switch {
	case two == diag.ExitIncomplete:
		n.unknown++
		t.Logf("%s: certcheck: %s", dir, also)
	case one != two:
		t.Errorf("%s: heddle certify: exit %d, %q; certcheck: exit %d, %q", dir, one, said, two, also)
	case one == diag.ExitOK:
		n.certified++
	case strings.HasPrefix(also, "refused: "):
		n.others++
	default:
		n.violations++
	}
}

// TestAgree: both checkers say the same of certificates of generated programs, of the examples and of the kernels.
func TestAgree(t *testing.T) {
	t.Run("generated", func(t *testing.T) {
		var n tally
		for seed := range testlong.Or[uint64](8, 300) {
			n.program(t, fmt.Sprintf("seed %d", seed+1), randconc.Program(seed+1, randconc.Options{}))
		}
		t.Logf("%+v", n)
		if n.certified == 0 || n.violations == 0 {
			t.Errorf("got %+v, want some that are certified and some that are not", n)
		}
	})
	t.Run("examples", func(t *testing.T) {
		examples := []string{"boundedbuffer", "nestedmonitor"}
		servers := []string{"daytime"}
		if testlong.On() {
			examples = append(examples, "elevator", "ksupipeline", "philosophers", "pipeline", "readerswriters", "replicatedworkers", "hello", "ordered", "loadbalancer", "sleepingbarber", "stagepipeline", "wordcount", "workers")
			servers = append(servers, "alphabet", "chat")
		}
		n := tally{states: testlong.Or(20_000, 200_000)}
		for _, name := range examples {
			n.agree(t, name, "../../examples/"+name)
		}
		for _, e := range smaller {
			text, err := os.ReadFile("../../examples/" + e[0] + "/main.go")
			if err != nil || !bytes.Contains(text, []byte(e[1])) {
				t.Fatalf("%s: no %q: %v", e[0], e[1], err)
			}
			n.program(t, e[0]+", "+e[2], strings.Replace(string(text), e[1], e[2], 1))
		}
		for _, name := range servers {
			n.agree(t, name, "-server-package", "../../examples/"+name+"/server", "../../examples/"+name+"/client")
		}
		t.Logf("%+v", n)
	})
	t.Run("networked", func(t *testing.T) {
		files := []string{"../../examples/limitlistener/fixed/heddle.yaml", "../../examples/limitlistener/stuck/heddle.yaml"}
		if testlong.On() {
			files = nil
			for _, pattern := range []string{"*/*", "*/*/*", "*/*/*/*"} {
				more, err := filepath.Glob("../../examples/" + pattern + "/heddle.yaml")
				if err != nil {
					t.Fatal(err)
				}
				files = append(files, more...)
			}
		}
		var n tally
		for _, file := range files {
			if !strings.Contains(file, "/real/") { // which need servers that are installed
				n.networked(t, filepath.Dir(file))
			}
		}
		t.Logf("%+v", n)
		if n.certified == 0 || n.violations == 0 {
			t.Errorf("got %+v, want some that are certified and some that are not", n)
		}
	})
	if !testlong.On() {
		return
	}
	t.Run("kernels", func(t *testing.T) {
		kernels, err := goker.Kernels(goroot.Dir())
		if err != nil {
			t.Fatal(err)
		}
		var n tally
		for _, k := range kernels {
			n.program(t, k.Name, string(k.Source))
		}
		t.Logf("%+v", n)
	})
}

// program writes a program of one file, on whose certificate both have to agree.
func (n *tally) program(t *testing.T, name, source string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	n.agree(t, name, file)
}
