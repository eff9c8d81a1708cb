package cli

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/cert"
)

// attacked is a module whose program is wrong unless it is told otherwise, with tests of which some are.
var attacked = map[string]string{
	"go.mod": "module m\n\ngo 1.26\n",
	"p/main.go": `package main

import (
	"os"
	"path/filepath"
	"sync"
)

func main() {
	if len(os.Args) > 1 || os.Getenv("SAFE") != "" || filepath.Base(os.Args[0]) == "safe" {
		return
	}
	var a, b sync.Mutex
	var wg sync.WaitGroup
	wg.Go(func() { a.Lock(); b.Lock(); b.Unlock(); a.Unlock() })
	wg.Go(func() { b.Lock(); a.Lock(); a.Unlock(); b.Unlock() })
	wg.Wait()
}
`,
	"racy/main.go": `package main

func main() {
	n, done := 0, make(chan bool)
	go func() { n++; done <- true }()
	n++
	<-done
}
`,
	"t/t_test.go": `package t

import (
	"os"
	"testing"
)

func TestFine(t *testing.T) {}

func TestDeadlock(t *testing.T) { <-make(chan bool) }

func TestShort(t *testing.T) {
	if !testing.Short() {
		t.Fatal("long")
	}
}

func TestSub(t *testing.T) {
	t.Run("good", func(t *testing.T) {})
	t.Run("bad", func(t *testing.T) { t.Fatal("bad") })
}

func TestEnv(t *testing.T) {
	if os.Getenv("SAFE") == "" {
		t.Fatal("not safe")
	}
}
`,
}

// TestNeverRun: a test that TestMain leaves out has no certificate, and one that was made all the same is no use.
func TestNeverRun(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"go.mod": attacked["go.mod"],
		"t/t_test.go": `package t

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	if last := os.Args[len(os.Args)-1]; last == "-test.run=^TestBad$" {
		os.Exit(0)
	}
	m.Run()
}

func TestFine(t *testing.T) {}

func TestBad(t *testing.T) { t.Fatal("bad") }
`,
	} {
		writeFile(t, name, text)
	}
	if code, stdout, stderr := runHeddle("test", "-cert", "certs", "./t"); code != 3 || !strings.Contains(stdout, "the test was never run") {
		t.Fatalf("got exit %d, %q, %q, want that it was never run", code, stdout, stderr)
	}
	if _, err := os.Stat("certs/t/TestBad.heddle"); err == nil {
		t.Error("there is a certificate of a test that was never run")
	}
	data, err := os.ReadFile("certs/t/TestFine.heddle")
	if err != nil {
		t.Fatal(err)
	}
	c, err := cert.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	h := c.Header
	for i := range h.Settings {
		h.Settings[i].Value = strings.ReplaceAll(h.Settings[i].Value, "TestFine", "TestBad")
	}
	var out bytes.Buffer
	w, err := cert.NewWriter(&out, h) // of a program of one state, which ends at once
	if err == nil {
		err = w.Close(nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("bad.heddle", out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, stdout, stderr := runHeddle("certify", "-run", "TestBad", "bad.heddle", "./t"); code != 3 || !strings.Contains(stderr, "the test was never run") {
		t.Errorf("got exit %d, %q, %q, want that it was never run", code, stdout, stderr)
	}
}

// TestAttacks: whatever a certificate says of itself, nothing is certified that is wrong.
func TestAttacks(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) { t.Helper(); writeFile(t, filepath.Join(dir, name), text) }
	for name, text := range attacked {
		write(name, text)
	}
	write("safe/main.go", attacked["p/main.go"]) // the same program under another name
	t.Chdir(dir)
	all := "deadlock leak panic race fatal assert invariant exit test liveness"
	properties := func(list ...string) func(h *cert.Header) {
		return func(h *cert.Header) { h.Properties = list }
	}
	edits := func(list ...func(h *cert.Header)) func(h *cert.Header) {
		return func(h *cert.Header) {
			for _, edit := range list {
				edit(h)
			}
		}
	}
	none := func(*cert.Header) {}
	args := func(s string) []string { return strings.Fields(s) }
	for _, made := range []struct {
		by      []string // how an honest certificate is made, without -cert
		attacks []attack
	}{
		{args("check ./p -- -selftest"), []attack{
			{"arguments", none, args("./p"), "args is"},
			{"arguments, another name", none, args("p/main.go"), "args is"},
			{"arguments that are hidden", set("args", "-"), args("./p"), ""},
			{"arguments that are empty", set("args", `[""]`), args("./p"), "args is"},
			{"arguments that are no list", set("args", `-selftest`), args("./p"), "setting args"},
			{"arguments as servers", edits(set("args", "-"), set("server-packages", `["./p -selftest"]`)), args("./p"), "server-package is"},
			{"arguments as those of a test", edits(set("args", "-"), set("test-args", `["p","-selftest"]`)), args("./p"), "test-args is"},
			{"the other package", none, args("./racy"), ""},
		}},
		{args("check -env SAFE=1 ./p"), []attack{
			{"environment", none, args("./p"), "env is"},
			{"another environment", none, args("-env SAFE= ./p"), "env is"},
			{"environment that is hidden", set("env", "-"), args("./p"), "env is"},
			{"no environment", set("env", "[]"), args("./p"), "env is"},
		}},
		{args("check ./safe"), []attack{
			{"the name of the program", none, args("./p"), ""},
			{"a package that is named otherwise", set("packages", `["./p"]`), args("./p"), ""},
		}},
		{args("check -race=false ./racy"), []attack{
			{"no races", none, args("./racy"), "race is not looked for"},
			{"races that are only named", properties(strings.Fields(all)...), args("./racy"), "names other properties"},
			{"all properties as one name", properties(strings.ReplaceAll(all, " ", ", ")), args("./racy"), "names other properties"},
			{"a name that looks like one", properties(strings.Fields(strings.Replace(all, "race", "ra\u200bce", 1))...), args("./racy"), "names other properties"},
			{"a name that moves the cursor", properties(strings.Fields(strings.Replace(all, "fatal", "\x1b[1Drace,fatal", 1))...), args("./racy"), "names other properties"},
			{"the same in the settings", edits(properties("ra\u200bce"), set("properties", "[\"ra\u200bce\"]")), args("./racy"), "unknown property"},
			{"races that are turned on", edits(properties(strings.Fields(all)...), set("properties", `["`+strings.ReplaceAll(all, " ", `","`)+`"]`)), args("./racy"), ""},
			{"properties twice", func(h *cert.Header) { h.Settings = append(h.Settings, cert.Pair{Name: "properties", Value: "[]"}) }, args("./racy"), "twice"},
			{"nothing is looked for", edits(properties(), set("properties", "[]")), args("./racy"), "race is not looked for"},
			{"a name that nobody knows", func(h *cert.Header) { h.Program = append(h.Program, cert.Pair{Name: "verified", Value: "yes"}) }, args("./racy"), "the header says"},
			{"two identities", func(h *cert.Header) { h.Program = append(h.Program, h.Program[0]) }, args("./racy"), "the header says"},
		}},
		{args("test -run TestFine ./t"), []attack{
			{"no test is asked for", none, args("./t"), "it is about a test"},
			{"another test", none, args("-run TestDeadlock ./t"), "it is about another test"},
			{"another name", set("test", "TestDeadlock"), args("-run TestDeadlock ./t"), "test-args is"},
			{"another name and arguments", edits(set("test", "TestDeadlock"), set("test-args", `["t.test","-test.paniconexit0","-test.v=true","-test.parallel=1000","-test.run=^TestDeadlock$"]`)),
				args("-run TestDeadlock ./t"), ""},
			{"a test that is none", edits(set("test", "TestNone"), set("test-args", `["t.test","-test.paniconexit0","-test.v=true","-test.parallel=1000","-test.run=^TestNone$"]`)),
				args("-run TestNone ./t"), "has no test TestNone"},
			{"a test in the place of a program", none, args("-run TestFine ./p"), "name the one package"},
			{"two tests", edits(set("test", "TestFine|TestDeadlock")), args("-run TestDeadlock ./t"), ""},
			{"a flag of the test", none, args("-run TestFine ./t -- -test.run=TestDeadlock"), "test-args is"},
		}},
		{args("test -short -run TestShort ./t"), []attack{
			{"short", none, args("-run TestShort ./t"), "test-args is"},
			{"short that is hidden", set("test-args", `["t.test","-test.paniconexit0","-test.v=true","-test.parallel=1000","-test.run=^TestShort$"]`), args("-run TestShort ./t"), ""},
		}},
		{args("test -run TestSub/good ./t"), []attack{
			{"a part of a test", none, args("-run TestSub ./t"), "test-args is"},
		}},
		{args("test -skip TestSub/bad -run TestSub ./t"), []attack{
			{"without a part of a test", none, args("-run TestSub ./t"), "test-args is"},
		}},
		{args("test -env SAFE=1 -run TestEnv ./t"), []attack{
			{"environment of a test", none, args("-run TestEnv ./t"), "env is"},
		}},
	} {
		at := slices.IndexFunc(made.by, func(s string) bool { return s == "--" })
		if at < 0 {
			at = len(made.by)
		}
		file, by := "c.heddle", slices.Insert(slices.Clone(made.by), at, "-cert", "c.heddle")
		if made.by[0] == "test" {
			by[at+1] = "certs"
			file = filepath.Join("certs", "t", made.by[slices.Index(made.by, "-run")+1]+".heddle")
			file, _, _ = strings.Cut(file, "/good")
			file = strings.TrimSuffix(file, ".heddle") + ".heddle"
		}
		if code, stdout, stderr := runHeddle(by...); code != 0 {
			t.Fatalf("%v: got exit %d, %q, %q", by, code, stdout, stderr)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range made.attacks {
			write("attack.heddle", string(rewrite(t, data, a.edit)))
			code, stdout, stderr := runHeddle(append([]string{"certify", "attack.heddle"}, a.certify...)...)
			if code != 1 || !strings.Contains(stdout, a.want) {
				t.Errorf("%s: got exit %d, %q, %q, want exit 1 and %q", a.name, code, stdout, stderr, a.want)
			}
			if strings.ContainsAny(stdout+stderr, "\x1b\u200b") {
				t.Errorf("%s: printed %q", a.name, stdout+stderr)
			}
		}
	}
}

// TestPackedAttacks: in the certificates of a package, each test has to have its own.
func TestPackedAttacks(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"go.mod", "t/t_test.go"} {
		writeFile(t, name, attacked[name])
	}
	if code, stdout, stderr := runHeddle("test", "-cert", "certs", "-run", "TestFine", "./t"); code != 0 {
		t.Fatalf("got exit %d, %q, %q", code, stdout, stderr)
	}
	fine, err := os.ReadFile("certs/t/TestFine.heddle")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name    string
		entries []string
		run     string
		code    int
	}{
		{"right", []string{"TestFine.heddle"}, "TestFine", 0},
		{"another test under its name", []string{"TestFine.heddle", "TestDeadlock.heddle"}, "TestFine|TestDeadlock", 1},
		{"one is missing", []string{"TestFine.heddle"}, "TestFine|TestDeadlock", 1},
		{"all of the package", []string{"TestFine.heddle"}, "", 1},
		{"twice", []string{"TestFine.heddle", "TestFine.heddle"}, "TestFine", 1},
		{"in a folder", []string{"../TestFine.heddle"}, "TestFine", 1},
		{"something else", []string{"TestFine.heddle", "README"}, "TestFine", 1},
		{"nothing", nil, "TestFine", 1},
	} {
		var out bytes.Buffer
		z := zip.NewWriter(&out)
		for _, name := range test.entries {
			w, err := z.CreateHeader(&zip.FileHeader{Name: name})
			if err != nil {
				t.Fatal(err)
			}
			w.Write(fine)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("all.zip", out.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		if code, stdout, stderr := runHeddle("certify", "-run", test.run, "all.zip", "./t"); code != test.code {
			t.Errorf("%s: got exit %d, %q, %q, want exit %d", test.name, code, stdout, stderr, test.code)
		}
	}
}

// An attack is a certificate that says too much.
type attack = struct {
	name    string
	edit    func(h *cert.Header)
	certify []string
	want    string
}
