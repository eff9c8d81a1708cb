// Package load turns Go packages into SSA form, the standard library included.
//
//	patterns ─go list─► files ─parse, type-check─► go/types ─build─► go/ssa
//
// Every package is loaded from source for one target, whatever the host:
// linux/amd64, gc's sizes, without cgo, and with the build tags that select the
// pure Go side of packages which also have assembly. Package list metadata come
// from golang.org/x/tools/go/packages. Parsing and type checking are done here
// and not there, because a [Session] adds packages to a program that is already
// loaded, and because the files of a few packages are overlaid (see
// overlay.go).
//
// The package refuses what the machine cannot execute (cgo, assembly of the
// user's own packages, plugins, unknown linknames) with a position. It knows
// nothing about bytecode.
package load

import (
	"context"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/progcache"
)

// Target is the platform programs are loaded for.
const (
	GOOS   = "linux"
	GOARCH = "amd64"
)

// Tags are the build tags that every load sets: they select pure Go code where
// a package offers a choice.
var Tags = []string{"purego", "math_big_pure_go", "netgo", "osusergo"}

// A Config says what to load. The zero Config loads nothing; Patterns is
// needed.
type Config struct {
	Context   context.Context   // nil means context.Background()
	Dir       string            // where the go command runs; "" is the current directory
	Patterns  []string          // packages, or .go files of one package, as go run takes them
	Tests     bool              // load the test binaries of the packages instead
	Env       []string          // nil means os.Environ()
	BuildTags []string          // besides Tags
	Overlay   map[string][]byte // contents of files by absolute name

	// Also names standard packages that the machine itself needs. They are
	// part of the program as if main imported them.
	Also []string

	// Intrinsic reports whether the machine implements the function with the
	// given link symbol itself, for example "golang.org/x/sys/unix.Syscall".
	// Functions without Go body in the user's own packages are refused unless
	// it does. Nil means no function.
	Intrinsic func(symbol string) bool
}

// A Program is one program in SSA form: a main package, or a test binary, and
// all packages it depends on. Programs that come from one call or one Session
// share the ssa.Program and the packages in it.
type Program struct {
	SSA   *ssa.Program
	Fset  *token.FileSet
	Sizes types.Sizes

	// Main is the package whose main function starts the program. It is nil
	// if the patterns name packages of which not exactly one is a main
	// package.
	Main *ssa.Package

	// Initial are the packages that the patterns name.
	Initial []*ssa.Package

	// Packages are all packages of the program, in the order in which Go
	// initialises them.
	Packages []*Package

	Links *Links // who implements which symbol

	GOROOT    string // where the standard library was found
	GoVersion string // of that library, for example "go1.26.1"
	GODEBUG   string // the default settings that go with the module's go version and //go:debug lines

	Inputs progcache.Inputs // what the result depends on

	roots []*Package
}

// A Package is one package of a Program.
type Package struct {
	ID       string // unique in the go command's view, for example "p [p.test]"
	Path     string // as compiled: "main" for main packages
	Types    *types.Package
	SSA      *ssa.Package
	Standard bool // found in GOROOT
	Dir      string
	Imports  []*Package // sorted by path
	Embeds   []Embed    // its //go:embed variables

	meta
}

// Sizes returns the layout rules of the target.
func Sizes() types.Sizes { return types.SizesFor("gc", GOARCH) }

// Load loads the program that cfg describes. Errors in the source and things
// that are not supported come as a [diag.List], one line each.
func Load(cfg Config) (*Program, error) {
	progs, err := load(cfg)
	if err != nil {
		return nil, err
	}
	if len(progs) > 1 {
		return nil, diag.Usagef("%s: %d packages have tests: give one", strings.Join(cfg.Patterns, " "), len(progs))
	}
	return progs[0], nil
}

// LoadTests loads one program for each package of the patterns that has tests,
// in the order of the patterns.
func LoadTests(cfg Config) ([]*Program, error) {
	cfg.Tests = true
	return load(cfg)
}

func load(cfg Config) (progs []*Program, err error) {
	defer rescue("loading "+strings.Join(cfg.Patterns, " "), &err)
	if err := cfg.check(); err != nil {
		return nil, err
	}
	defer relaxGC()()

	u := newUniverse(cfg)
	roots, err := u.list(cfg.Patterns, cfg.Tests)
	if err != nil {
		return nil, err
	}
	also, err := u.ensure(cfg.Also)
	if err != nil {
		return nil, err
	}
	if err := u.checkVersion(); err != nil {
		return nil, err
	}
	godebugs := u.godebugs()
	if cfg.Tests {
		for _, root := range testMains(roots) {
			progs = append(progs, u.program([]*Package{root}, also))
		}
		if len(progs) == 0 {
			return nil, diag.Usagef("no test files in %s", strings.Join(cfg.Patterns, " "))
		}
	} else {
		progs = append(progs, u.program(roots, also))
	}
	needed := make(map[*Package]bool)
	for _, prog := range progs {
		for _, p := range prog.Packages {
			needed[p] = true
		}
	}
	if err := u.complete(needed); err != nil {
		return nil, err
	}
	settings := godebugs()
	for _, prog := range progs {
		if err := u.finish(prog); err != nil {
			return nil, err
		}
		if prog.Main != nil {
			prog.GODEBUG = settings[prog.mainRoot().ID]
		}
	}
	return progs, nil
}

// check refuses patterns that the go command would take for something else.
func (cfg *Config) check() error {
	if len(cfg.Patterns) == 0 {
		return diag.Usagef("no packages or files given")
	}
	files := 0
	for _, p := range cfg.Patterns {
		switch {
		case p == "" || strings.HasPrefix(p, "-"):
			return diag.Usagef("malformed package pattern %q", p)
		case strings.HasSuffix(p, ".go"):
			files++
		}
	}
	if files != 0 && files != len(cfg.Patterns) {
		return diag.Usagef("package patterns mixed with .go files: give the one or the other")
	}
	if cfg.Dir != "" {
		if info, err := os.Stat(cfg.Dir); err != nil || !info.IsDir() {
			return diag.Usagef("%s: not a directory", cfg.Dir)
		}
	}
	return nil
}

// dir returns the absolute directory in which the go command runs.
func (cfg *Config) dir() string {
	dir, err := filepath.Abs(cfg.Dir)
	if err != nil {
		return cfg.Dir
	}
	return dir
}

// environ returns the environment of the go command.
func (cfg *Config) environ() []string {
	env := cfg.Env
	if env == nil {
		env = os.Environ()
	}
	return append(env[:len(env):len(env)],
		"CGO_ENABLED=0", "GOOS="+GOOS, "GOARCH="+GOARCH, "GOPACKAGESDRIVER=off")
}

// tags returns all build tags: ours, the caller's, and those in GOFLAGS, which
// the go command would otherwise drop in favour of an explicit flag.
func (cfg *Config) tags() []string {
	tags := append([]string{}, Tags...)
	tags = append(tags, cfg.BuildTags...)
	for _, flag := range strings.Fields(getenv(cfg.environ(), "GOFLAGS")) {
		name, value, _ := strings.Cut(strings.TrimLeft(flag, "-"), "=")
		if name == "tags" {
			tags = append(tags, strings.Split(value, ",")...)
		}
	}
	return tags
}

// getenv returns the last value of name in env.
func getenv(env []string, name string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if k, v, ok := strings.Cut(env[i], "="); ok && k == name {
			return v
		}
	}
	return ""
}

// testMains returns the generated main packages among roots.
func testMains(roots []*Package) []*Package {
	var mains []*Package
	for _, p := range roots {
		if p.generated() {
			mains = append(mains, p)
		}
	}
	return mains
}
