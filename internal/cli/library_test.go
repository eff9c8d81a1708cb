package cli

import (
	"context"
	"encoding/gob"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/progcache"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// The commands of the scripts load a hundred programs, each in a process of its own, and most of what is loaded is the standard
// library. So they ask the process of the test, which loads it once, to compile programs for them, and put what they get where
// compiled programs are kept. From there on all is as with users. What they are refused they load themselves: whatever is wrong
// with a program is told by the command. With make test-long nothing is shared.

// librarySocket is the variable that tells commands whom to ask.
const librarySocket = "HEDDLE_TEST_LIBRARY"

// An asked program is one that a command wants to have compiled.
type asked struct {
	Source execute.Source
	Go     string // its go command
}

// A compiled program is what it gets.
type compiled struct {
	Refused bool
	Code    []byte
	Inputs  progcache.Inputs
}

// share lets the programs of commands in this process share a library, too.
func share() {
	if !testlong.On() {
		execute.Share()
	}
}

// serveLibrary compiles programs until the test is over. It returns the value of the variable.
func serveLibrary(t *testing.T) string {
	if testlong.On() {
		return ""
	}
	name := filepath.Join(t.TempDir(), "socket")
	l, err := net.Listen("unix", name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	goCommand, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	library := execute.Share()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				var want asked
				if err := gob.NewDecoder(c).Decode(&want); err != nil {
					return
				}
				got := compiled{Refused: true}
				if want.Go == goCommand && !slices.ContainsFunc(want.Source.Env, changesLibrary) {
					code, in, err := library.Compile(want.Source)
					got = compiled{Refused: err != nil, Code: code, Inputs: in}
				}
				_ = gob.NewEncoder(c).Encode(got) // it may have been killed
			}()
		}
	}()
	return name
}

// changesLibrary reports whether a variable may change what the standard library is.
func changesLibrary(variable string) bool {
	for _, name := range []string{"GOFLAGS=", "GOEXPERIMENT=", "GOROOT=", "GOENV=", "GODEBUG="} {
		if len(variable) > len(name) && variable[:len(name)] == name && variable != name+os.Getenv(name[:len(name)-1]) {
			return true
		}
	}
	return false
}

// A librarian is the backend of users, for whom somebody else may have compiled the programs.
type librarian struct{ Machine }

func (l librarian) Run(ctx context.Context, o RunOptions) (int, error) {
	ask(ctx, source(ctx, o.Source))
	return l.Machine.Run(ctx, o)
}

func (l librarian) Build(ctx context.Context, o BuildOptions) (*check.Code, error) {
	src := source(ctx, o.Source)
	src.Test, src.AccessPoints = o.Test, o.Access
	ask(ctx, src)
	return l.Machine.Build(ctx, o)
}

func (l librarian) Test(ctx context.Context, o TestOptions) (int, error) {
	if o.Code == nil {
		src := source(ctx, o.Source)
		src.Test = true
		ask(ctx, src)
	}
	return l.Machine.Test(ctx, o)
}

func (l librarian) Disasm(ctx context.Context, src Source, fn string, w io.Writer) error {
	ask(ctx, source(ctx, src))
	return l.Machine.Disasm(ctx, src, fn, w)
}

// ask has a program compiled and kept, if somebody is there who does it.
func ask(ctx context.Context, src execute.Source) {
	name := os.Getenv(librarySocket)
	if name == "" || src.NoCache || len(src.Tags) > 0 || src.Stored() {
		return
	}
	_ = askAt(ctx, name, src) // then it is loaded here
}

func askAt(ctx context.Context, name string, src execute.Source) error {
	var d net.Dialer
	c, err := d.DialContext(ctx, "unix", name)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { c.Close() })()
	defer c.Close()
	want := asked{Source: src}
	want.Source.Context, want.Source.Env = nil, os.Environ()
	if want.Source.Dir, err = filepath.Abs(src.Dir); err != nil {
		return err
	}
	if want.Go, err = exec.LookPath("go"); err != nil {
		return err
	}
	if err := gob.NewEncoder(c).Encode(want); err != nil {
		return err
	}
	var got compiled
	if err := gob.NewDecoder(c).Decode(&got); err != nil {
		return err
	}
	if got.Refused {
		return errors.New("refused")
	}
	return src.Store(got.Code, got.Inputs)
}
