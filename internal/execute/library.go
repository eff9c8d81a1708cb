package execute

import (
	"sync"
	"sync/atomic"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/load"
	"github.com/heddle-mc/heddle/internal/native"
	"github.com/heddle-mc/heddle/internal/progcache"
)

// A Library is the standard library, loaded once for many programs: tests have hundreds of small ones, and to load what they import takes
// longer than all else. A program is compiled to the same code as by [Build]; but which literals of large initialisers Go's compiler
// may have inlined is told of the whole library, of which Build has left out what the program does not need. The zero value is ready.
type Library struct {
	mu      sync.Mutex // go/ssa does not lock what a session and the compiler share
	session *load.Session
}

// Compile returns the encoded program of a source, and what it was compiled from. The source has no
// build tags, and the go command no settings for it that the library depends on.
func (l *Library) Compile(src Source) ([]byte, progcache.Inputs, error) {
	p, in, err := l.build(src)
	if err != nil {
		return nil, progcache.Inputs{}, err
	}
	return bytecode.Encode(p), in, nil
}

func (l *Library) build(src Source) (*bytecode.Program, progcache.Inputs, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.session == nil {
		s, err := load.NewSession(load.Config{Patterns: []string{"fmt", "sync", "time"}, Intrinsic: native.Has, OwnRuntime: native.SkipInit("runtime")})
		if err != nil {
			return nil, progcache.Inputs{}, err
		}
		l.session = s
	}
	lp, err := loadBy(l.session.Load, src)
	if err != nil {
		return nil, progcache.Inputs{}, err
	}
	p, err := compileWith(lp, src.AccessPoints)
	if err != nil {
		return nil, progcache.Inputs{}, err
	}
	return p, lp.Inputs, nil
}

// sharedLibrary is the library of this process, nil for none.
var sharedLibrary atomic.Pointer[Library]

// Share makes Build load the standard library once for all programs that it can, and returns it: it is for tests, of which a process has
// many programs.
func Share() *Library {
	sharedLibrary.CompareAndSwap(nil, new(Library))
	return sharedLibrary.Load()
}

// fromLibrary builds a program on the library that is shared. It reports whether there is one, and nothing was wrong.
func fromLibrary(src Source) (*bytecode.Program, progcache.Inputs, bool) {
	l := sharedLibrary.Load()
	if l == nil || len(src.Tags) > 0 || src.Env != nil {
		return nil, progcache.Inputs{}, false
	}
	p, in, err := l.build(src)
	return p, in, err == nil
}

// Store keeps a program where Build finds it.
func (src Source) Store(code []byte, in progcache.Inputs) error {
	cache, key, err := openCache(src)
	if err != nil || cache == nil {
		return err
	}
	return cache.Store(key, in, code)
}

// Stored reports whether Build finds the program of a source.
func (src Source) Stored() bool {
	cache, key, err := openCache(src)
	if err != nil || cache == nil {
		return false
	}
	_, ok := cache.Lookup(key)
	return ok
}
