package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/cert"
)

// TestRefused: a certificate that is damaged, or one of something else, is refused with a reason.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{
		"main.go":  "package main\n\nimport \"os\"\n\nfunc main() {\n\tif len(os.Args) == 1 && os.Getenv(\"SAFE\") == \"\" {\n\t\tpanic(\"wrong\")\n\t}\n}\n",
		"other.go": "package main\n\nfunc main() {}\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	made := func(args ...string) []byte {
		t.Helper()
		file := filepath.Join(dir, "made.heddle")
		if code, out := heddle(append([]string{"check", "-cert", file}, args...)...); code != 0 {
			t.Fatalf("%v: exit %d, %s", args, code, out)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	edited := func(data []byte, edit func(h *cert.Header)) []byte {
		t.Helper()
		c, err := cert.Open(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		edit(&c.Header)
		out, err := cert.Reseal(data, c.Header, nil)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	without := func(name string) func(h *cert.Header) {
		return func(h *cert.Header) {
			for i := range h.Settings {
				if h.Settings[i].Name == name {
					h.Settings = append(h.Settings[:i], h.Settings[i+1:]...)
					return
				}
			}
		}
	}
	args, env, late := made("main.go", "--", "-selftest"), made("-env", "SAFE=1", "main.go"), made("-late", "0", "other.go")
	flipped := bytes.Clone(args)
	flipped[len(flipped)/2] ^= 1
	for _, test := range []struct {
		name string
		data []byte
		args []string
		code int
		want string
	}{
		{"as it is", args, []string{"main.go", "--", "-selftest"}, 0, "certified: "},
		{"no arguments", args, []string{"main.go"}, 1, `setting "args"`},
		{"arguments that are hidden", edited(args, without("args")), []string{"main.go"}, 1, "violation: main.go: "},
		{"environment", env, []string{"main.go"}, 1, `setting "env"`},
		{"environment that is hidden", edited(env, without("env")), []string{"main.go"}, 1, `setting "env"`},
		{"another program", args, []string{"other.go", "--", "-selftest"}, 1, "another program"},
		{"a test", args, []string{"-run", "TestX", "."}, 2, ""},
		{"lateness", late, []string{"other.go"}, 1, `setting "late"`},
		{"a setting twice", edited(args, func(h *cert.Header) { h.Settings = append(h.Settings, h.Settings[0]) }), []string{"main.go", "--", "-selftest"}, 1, "twice"},
		{"cut off", args[:len(args)-10], []string{"main.go"}, 1, "cut off"},
		{"its first line", args[:30], []string{"main.go"}, 1, "cut off"},
		{"flipped", flipped, []string{"main.go"}, 1, "damaged"},
		{"empty", nil, []string{"main.go"}, 1, "not a certificate"},
		{"an older version", bytes.Replace(args, []byte("certificate 8"), []byte("certificate 7"), 1), []string{"main.go"}, 1, "not a certificate"},
	} {
		if err := os.WriteFile("c.heddle", test.data, 0o666); err != nil {
			t.Fatal(err)
		}
		list := append([]string{"c.heddle"}, test.args...)
		if test.args[0] == "-run" {
			list = append(test.args[:2:2], "c.heddle", ".")
		}
		if code, out := certcheck(list...); code != test.code || !strings.Contains(out, test.want) {
			t.Errorf("%s: got exit %d, %q, want exit %d, %q", test.name, code, out, test.code, test.want)
		}
	}
}
