package compile

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/load"
)

var update = flag.Bool("update", false, "rewrite the want sections of testdata/code")

// session shares the standard library between the programs of a test binary.
var session = sync.OnceValues(func() (*load.Session, error) {
	return load.NewSession(load.Config{Intrinsic: func(string) bool { return true }})
})

// compileText compiles a program given as text.
func compileText(t testing.TB, src string) *bytecode.Program {
	t.Helper()
	return compileWith(t, src, Options{SkipInit: func(string) bool { return true }})
}

func compileWith(t testing.TB, src string, opts Options) *bytecode.Program {
	t.Helper()
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := session()
	if err != nil {
		t.Fatal(err)
	}
	lp, err := s.AddMain(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Program(lp, opts)
	if err != nil {
		t.Fatal(err)
	}
	if err := bytecode.Check(p); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestCode compares the code of small functions with the want section of their
// archive.
func TestCode(t *testing.T) {
	files, err := filepath.Glob("testdata/code/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no archives: ", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var src, want []byte
			for _, f := range ar.Files {
				switch f.Name {
				case "main.go":
					src = f.Data
				case "want":
					want = f.Data
				}
			}
			p := compileText(t, string(src))
			var got bytes.Buffer
			for i := range p.Funcs {
				if fn := &p.Funcs[i]; strings.HasPrefix(fn.Name, "main.") && fn.Name != "main.main" {
					p.Disasm(&got, fn)
				}
			}
			if *update {
				ar.Files = []txtar.File{{Name: "main.go", Data: src}, {Name: "want", Data: got.Bytes()}}
				if err := os.WriteFile(file, txtar.Format(ar), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if !bytes.Equal(got.Bytes(), want) {
				t.Errorf("got:\n%s\nwant:\n%s", got.Bytes(), want)
			}
		})
	}
}
