package execute_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/testlong"
)

var update = flag.Bool("update", false, "write testdata/*.out from native runs")

// large are programs for which packages net/http and crypto/tls are loaded.
var large = []string{"socketshttp", "socketstls"}

// TestPrograms runs each program of testdata in the machine. Its standard output
// and exit code must be those of go run, which are stored beside it. Those that load
// much are left to make test-long.
func TestPrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".go")
		if !testlong.On() && slices.Contains(large, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			golden := strings.TrimSuffix(file, ".go") + ".out"
			if *update {
				if err := os.WriteFile(golden, runNatively(t, file), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got := runInMachine(t, file); !bytes.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// outcome is what golden files hold: the output, and a line with the exit code
// if it is not 0.
func outcome(stdout []byte, code int) []byte {
	if code != 0 {
		stdout = fmt.Appendf(stdout, "exit status %d\n", code)
	}
	return stdout
}

func runInMachine(t *testing.T, file string) []byte {
	prog := execute.CompileShared(t, file)
	if err := bytecode.Check(prog); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	exit, err := execute.Run(prog, execute.Process{
		Args: []string{"program"}, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
	})
	if err != nil {
		t.Fatal(err)
	}
	if stderr.Len() > 0 {
		t.Logf("standard error:\n%s", stderr.Bytes())
	}
	return outcome(stdout.Bytes(), exit.Code)
}

// runNatively builds a program, so that the exit code is its own, and runs it.
func runNatively(t *testing.T, file string) []byte {
	exe := filepath.Join(t.TempDir(), "program")
	if out, err := exec.Command("go", "build", "-o", exe, file).CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	cmd := exec.Command(exe)
	cmd.Stderr = io.Discard
	stdout, err := cmd.Output()
	code := 0
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	return outcome(stdout, code)
}
