package alphabet_test

import (
	"context"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/heddle-mc/heddle/internal/cli"
)

// TestMain makes the test binary the command heddle.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"heddle": func() {
		app := &cli.App{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Backend: cli.Machine{}}
		os.Exit(app.Main(context.Background(), os.Args[1:]))
	}})
}
