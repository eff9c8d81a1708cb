package execute

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// What this program prints depends on the go version of its module: one loop
// variable or one for each iteration, nil or an error from recover.
const versionProgram = `package main

func main() {
	var fs []func() int
	for i := 0; i < 3; i++ {
		fs = append(fs, func() int { return i })
	}
	println(fs[0](), fs[1](), fs[2]())
	defer func() { println(recover() == nil) }()
	panic(nil)
}
`

func TestLanguageVersion(t *testing.T) {
	for _, c := range []struct{ version, want string }{
		{"1.20", "3 3 3\ntrue\n"},
		{"1.21", "3 3 3\nfalse\n"},
		{"1.26", "0 1 2\nfalse\n"},
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{"go.mod": "module m\n\ngo " + c.version + "\n", "main.go": versionProgram} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		prog, err := Build(Source{Dir: dir, Patterns: []string{"."}, NoCache: true})
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		exit, err := Run(prog, Process{Args: []string{"m"}, Stdout: &out, Stderr: &out})
		if err != nil || exit.Code != 0 || out.String() != c.want {
			t.Errorf("go %s: got %q, %v, %v, want %q", c.version, out.String(), exit, err, c.want)
		}
	}
}
