// Package execute turns Go packages into running machines: it loads, compiles
// (or finds compiled code in the cache), binds the intrinsics and the modelled
// operating system, and runs. It is the one place where the front end's stages
// meet; it knows no command line.
package execute

import (
	"context"
	"os"
	"slices"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/compile"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/load"
	"github.com/heddle-mc/heddle/internal/native"
	"github.com/heddle-mc/heddle/internal/progcache"
)

// A Source names the program to build.
type Source struct {
	Context  context.Context // nil means context.Background()
	Dir      string          // where patterns are resolved, "" for the current directory
	Patterns []string        // one main package, or .go files, as go run takes them
	Test     bool            // the test binary of one package
	Tags     []string        // build tags besides Heddle's own
	Env      []string        // nil means os.Environ()
	NoCache  bool            // neither read nor write compiled code on disk

	// AccessPoints compiles so that a search can stop goroutines before each
	// access to memory: see Settings.Access.
	AccessPoints bool
}

// Build returns the compiled program of a source. Code on disk is used only if
// everything it was compiled from is unchanged.
func Build(src Source) (*bytecode.Program, error) {
	cache, key, err := openCache(src)
	if err != nil {
		return nil, err
	}
	if cache != nil {
		if data, ok := cache.Lookup(key); ok {
			if p, err := decode(data); err == nil {
				return p, nil
			}
		}
	}
	p, in, ok := fromLibrary(src)
	if !ok {
		lp, err := Load(src)
		if err != nil {
			return nil, err
		}
		if p, err = compileWith(lp, src.AccessPoints); err != nil {
			return nil, err
		}
		in = lp.Inputs
	}
	if cache != nil {
		// A cache that cannot be written costs time, nothing else.
		_ = cache.Store(key, in, bytecode.Encode(p))
	}
	return p, nil
}

func (src Source) config() load.Config {
	return load.Config{
		Context:    src.Context,
		Dir:        src.Dir,
		Patterns:   src.Patterns,
		Tests:      src.Test,
		Env:        src.Env,
		BuildTags:  src.Tags,
		Intrinsic:  native.Has,
		OwnRuntime: native.SkipInit("runtime"),
		Needs:      native.Needs,
	}
}

// Load loads the program that a source names.
func Load(src Source) (*load.Program, error) { return loadBy(load.Load, src) }

func loadBy(load func(load.Config) (*load.Program, error), src Source) (*load.Program, error) {
	lp, err := load(src.config())
	if err != nil {
		return nil, err
	}
	if _, err := lp.RequireMain(); err != nil {
		return nil, err
	}
	return lp, nil
}

// Compile compiles a loaded program with the machine's intrinsics.
func Compile(lp *load.Program) (*bytecode.Program, error) {
	return compileWith(lp, false)
}

// CompileAccess is Compile for a search that stops goroutines before each access
// to memory.
func CompileAccess(lp *load.Program) (*bytecode.Program, error) { return compileWith(lp, true) }

func compileWith(lp *load.Program, accessPoints bool) (*bytecode.Program, error) {
	return compile.Program(lp, compileOptions(accessPoints))
}

func compileOptions(accessPoints bool) compile.Options {
	return compile.Options{Native: native.Has, Needs: native.Needs, SkipInit: native.SkipInit, AccessPoints: accessPoints}
}

// Locals returns where the variables of a program are, which was built from a source: of those functions that are still the same.
func Locals(src Source, prog *bytecode.Program) (*compile.Locals, error) {
	cfg := src.config()
	cfg.Names = true
	lp, err := load.Load(cfg)
	if err != nil {
		return nil, err
	}
	if _, err := lp.RequireMain(); err != nil {
		return nil, err
	}
	opts := compileOptions(src.AccessPoints)
	opts.Locals = &compile.Locals{Funcs: make(map[int][]compile.Spot)}
	again, err := compile.Program(lp, opts)
	if err != nil {
		return nil, err
	}
	mainFile := func(p *bytecode.Program) string { return p.Files[p.Funcs[p.Main].File] }
	if mainFile(prog) != mainFile(again) {
		return nil, diag.Usagef("%s is another program than %s", mainFile(again), mainFile(prog))
	}
	for i := range opts.Locals.Funcs {
		if i >= len(prog.Funcs) || prog.Funcs[i].Name != again.Funcs[i].Name || !slices.Equal(prog.Funcs[i].Code, again.Funcs[i].Code) {
			delete(opts.Locals.Funcs, i)
		}
	}
	return opts.Locals, nil
}

// decode reads compiled code and verifies it: the machine trusts its operands.
func decode(data []byte) (*bytecode.Program, error) {
	p, err := bytecode.Decode(data)
	if err != nil {
		return nil, err
	}
	if err := bytecode.Check(p); err != nil {
		return nil, err
	}
	return p, nil
}

// openCache returns the cache and the key of a source, nil if there is none. What
// the user says about it must make sense; without a home directory, say, there
// is none, which costs time and nothing else.
func openCache(src Source) (*progcache.Cache, progcache.Key, error) {
	if src.NoCache {
		return nil, progcache.Key{}, nil
	}
	if _, err := progcache.DefaultDir(); err != nil && os.Getenv("HEDDLE_CACHE") != "" {
		return nil, progcache.Key{}, err
	}
	cache, err := progcache.Open("")
	if err != nil {
		return nil, progcache.Key{}, nil
	}
	cfg := src.config()
	parts := cfg.Key()
	if src.AccessPoints {
		parts = append(parts, "access points")
	}
	return cache, progcache.KeyOf(parts...), nil
}
