package cli

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/heddle-mc/heddle/internal/natsqueue"
)

// TestMain makes the test binary the command heddle of the scripts.
func TestMain(m *testing.M) {
	testscript.Main(counting{m}, map[string]func(){
		"peer": testPeer,
		"heddle": func() {
			app := &App{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Backend: librarian{}, Queue: natsqueue.Service{}}
			os.Exit(twice(context.Background(), app, os.Args[1:]))
		},
		"heddle-nats": func() {
			app := &App{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Backend: librarian{}, Queue: natsqueue.Service{}}
			os.Exit(twice(context.Background(), app, os.Args[1:]))
		},
		"heddle-alone": func() { // it has no queue
			app := &App{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Backend: librarian{}}
			os.Exit(twice(context.Background(), app, os.Args[1:]))
		},
	})
}

// writeFile writes a file, with the folders that it is in.
func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// concurrent are the scripts in which most goroutines of heddle's own run. They are for
// the race detector, with which the others take very long.
var concurrent = []string{"testdata/script/cert.txtar", "testdata/script/peers.txtar", "testdata/script/search.txtar"}

// TestScripts runs the command as users do, on the programs in the scripts.
func TestScripts(t *testing.T) {
	cache := t.TempDir()
	goCache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	verifyDir, err := filepath.Abs("../../verify")
	if err != nil {
		t.Fatal(err)
	}
	library := serveLibrary(t)
	params := testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("HEDDLE_CACHE", cache)
			env.Setenv("XDG_CONFIG_HOME", cache) // for the key of the user
			env.Setenv("GOCACHE", strings.TrimSpace(string(goCache)))
			env.Setenv("VERIFY", verifyDir) // for programs that use the package: see live.txtar
			env.Setenv(librarySocket, library)
			env.Setenv(opinionsFile, os.Getenv(opinionsFile))
			env.Setenv("GOPROXY", "off")
			env.Setenv("GOTOOLCHAIN", "local")
			env.Setenv("GOGC", os.Getenv("GOGC")) // for heddle; its value is nothing to the scripts
			env.Values[countsKey{}] = new(string)
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits":  exits,
			"tofull": tofull,
			"agree":  agree,
		},
	}
	if testing.Short() {
		params.Dir, params.Files = "", concurrent
	}
	testscript.Run(t, params)
}

// exits runs heddle and checks its exit code: exits CODE ARGS.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE ARGS")
	}
	wantStatus(ts, args[0], ts.Exec("heddle", args[1:]...))
}

// tofull is exits with standard output on a disk that is full.
func tofull(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: tofull CODE ARGS")
	}
	wantStatus(ts, args[0], ts.Exec("sh", append([]string{"-c", `exec heddle "$@" >/dev/full`, "sh"}, args[1:]...)...))
}

// wantStatus checks an exit code.
func wantStatus(ts *testscript.TestScript, code string, err error) {
	got := "exit status 0"
	if err != nil {
		got = err.Error()
	}
	if want := "exit status " + code; got != want {
		ts.Fatalf("got %s, want %s", got, want)
	}
}

type countsKey struct{}

var counts = regexp.MustCompile(`[0-9]+ states?, [0-9]+ transitions?`)

// agree checks that standard output has the numbers of states and transitions
// that it had at the last agree of the script.
func agree(ts *testscript.TestScript, neg bool, args []string) {
	got := counts.FindString(ts.ReadFile("stdout"))
	want := ts.Value(countsKey{}).(*string)
	if *want == "" {
		*want = got
	}
	if neg || len(args) > 0 || got == "" || got != *want {
		ts.Fatalf("got %q, want %q", got, *want)
	}
}
