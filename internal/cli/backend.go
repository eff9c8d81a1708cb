package cli

import (
	"context"
	"io"

	"github.com/heddle-mc/heddle/internal/check"
)

// A Backend does the work of the commands.
type Backend interface {
	// Run executes a main package once and returns its exit code.
	Run(ctx context.Context, o RunOptions) (int, error)

	// Build returns a main package, or the test binary of a package, ready to be
	// checked.
	Build(ctx context.Context, o BuildOptions) (*check.Code, error)

	// Tests returns the packages that a source names.
	Tests(ctx context.Context, src Source) ([]TestPackage, error)

	// Test executes the test binary of one package and returns its exit code.
	Test(ctx context.Context, o TestOptions) (int, error)

	// Disasm prints the bytecode of the functions whose name is fn, or of all
	// functions of the named packages if fn is "".
	Disasm(ctx context.Context, src Source, fn string, w io.Writer) error

	// Intrinsics prints the table of functions that the machine implements.
	Intrinsics(w io.Writer) error
}

// A Source names packages and how to build them.
type Source struct {
	Dir      string   // "" is the current directory
	Patterns []string // packages, or the .go files of one
	Tags     []string
	NoCache  bool // neither read nor write compiled code on disk
}

// BuildOptions say which program is to be checked.
type BuildOptions struct {
	Source
	Test   bool // the test binary of the package
	Access bool // goroutines are to be stopped at each access to shared memory
}

// RunOptions are the options of a run.
type RunOptions struct {
	Source
	Args   []string // of the program, without its name
	Seed   uint64   // picks a schedule
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
}

// A TestPackage is a package whose tests are to run.
type TestPackage struct {
	Path  string   // import path
	Dir   string   // where its tests run
	Tests bool     // has test files
	Files []string // its Go files, without those of tests
	Err   error    // what is wrong with it, if something is wrong with some packages only
}

// TestOptions are the options of a test run.
type TestOptions struct {
	Source              // names one package
	Code    *check.Code // its test binary, if it is there already
	WorkDir string      // where the test binary runs
	Args    []string    // of the test binary, without its name
	Seed    uint64
	Stdout  io.Writer
	Stderr  io.Writer
}
