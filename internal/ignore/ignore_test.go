package ignore

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
)

func newRules(root string) *Rules {
	return &Rules{Root: root, Kinds: []string{"race", "leak", "deadlock"}, Refused: map[string]string{"livelock": "leave it out"}}
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// Which lines comments are about: the number of each that is ignored.
func TestComments(t *testing.T) {
	dir := t.TempDir()
	name := write(t, filepath.Join(dir, "a.go"), strings.Join([]string{
		"package a",  // 1
		"func f() {", // 2
		"\tx++ //heddle:ignore race of statistics", // 3
		"\tx++",                             // 4
		"\t//heddle:ignore race,leak above", // 5
		"\t// another comment",              // 6
		"\tx++",                             // 7
		"\tx++",                             // 8
		"\t//heddle:ignore race an empty line follows", // 9
		"",                      // 10
		"\tx++",                 // 11
		"\ts := `",              // 12
		"//heddle:ignore race`", // 13
		"\tx++",                 // 14
		"}",
	}, "\n"))
	r := newRules(dir)
	if err := r.Read([]File{{name, "a"}}); err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[string]string{"race": "[3 7]", "leak": "[7]", "deadlock": "[]"} {
		n, err := r.Noted("")
		if err != nil {
			t.Fatal(err)
		}
		got := []int{}
		for line := 1; line < 16; line++ {
			if n.Ignores(diag.Finding{Kind: kind, Message: fmt.Sprint(line)}, diag.Pos{File: name, Line: line}) {
				got = append(got, line)
			}
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s: got lines %v, want %s", kind, got, want)
		}
		if len(n.Hits()) != len(got) {
			t.Errorf("%s: got %d hits, want %d", kind, len(n.Hits()), len(got))
		}
	}
	unused := r.Unused([]string{"race"})
	if len(unused) != 1 || unused[0].Pos != (diag.Pos{File: "a.go", Line: 9, Col: 2}) {
		t.Errorf("got unused %v, want that of line 9", unused)
	}
	if unused := r.Unused([]string{"deadlock"}); len(unused) != 0 {
		t.Errorf("got %v of a kind that nobody looked for", unused)
	}
}

func TestWrongComments(t *testing.T) {
	for text, want := range map[string]string{
		"//heddle:ignore rase why":     "there is no kind rase: did you mean race?",
		"//heddle:ignore race":         "needs a reason",
		"//heddle:ignore race,leak":    "needs a reason",
		"//heddle:ignore":              "needs a kind and a reason",
		"//heddle:ignore livelock why": "leave it out",
		"// heddle:ignore race why":    "without a space",
		"//heddle:ignroe race why":     "did you mean //heddle:ignore?",
	} {
		dir := t.TempDir()
		r := newRules(dir)
		err := r.Read([]File{{write(t, filepath.Join(dir, "a.go"), "package a\n"+text+"\nvar x int\n"), "a"}})
		if err == nil || !strings.HasPrefix(err.Error(), "a.go:2:1: ") || !strings.Contains(err.Error(), want) || diag.ExitCode(err) != diag.ExitUsage {
			t.Errorf("%s: got %v, want %q at a.go:2:1", text, err, want)
		}
	}
}

// Nobody else says what is ignored in a program. The folders that it is worked on in may have any name.
func TestForeign(t *testing.T) {
	for _, test := range []struct {
		root, folder, pkg string
		marks             int
	}{
		{".", "mod@v1.2.3", "a", 0},
		{".", "mod/v2@v2.0.0-20260101000000-abcdef/sub", "a", 0},
		{"work", "vendor/mod", "a", 0},
		{"work/sub", "work/vendor/mod", "a", 0},
		{"work/vendor/proj", "work/vendor/proj", "a", 1}, // it is a project there, whatever is around it
		{".", "src/p/other/mod", "p/vendor/mod", 0},      // as programs without modules have it
		{".", "lib/net", "a", 0},
		{"other/vendor/proj", "other/vendor/proj/sub", "a", 1},
		{"other/vendor/proj", "other/vendor/lib", "a", 1},
		{".", "other/vendor/proj", "a", 1}, // a folder of that name with nothing that was copied
		{"proj@v2", "proj@v2/sub", "a", 1},
		{".", "proj@v2", "a", 1},
		{"mod@v1.2.3/sub", "mod@v1.2.3", "a", 1},
		{"mod@v1.2.3", "mod@v1.2.4", "a", 0},
	} {
		dir := t.TempDir()
		for _, folder := range []string{"vendor", "work/vendor", "work/sub", test.root, test.folder} {
			if err := os.MkdirAll(filepath.Join(dir, folder), 0o777); err != nil {
				t.Fatal(err)
			}
		}
		write(t, filepath.Join(dir, "vendor/modules.txt"), "# mod v1.2.3\n")
		write(t, filepath.Join(dir, "work/vendor/modules.txt"), "# mod v1.2.3\n")
		name := write(t, filepath.Join(dir, test.folder, "a.go"), "package a\nvar x = 1 //heddle:ignore race why\n")
		r := newRules(filepath.Join(dir, test.root))
		if err := r.Read([]File{{filepath.Join(dir, "lib/runtime/proc.go"), "runtime"}, {name, test.pkg}}); err != nil || r.Marks() != test.marks {
			t.Errorf("%s from %s: got %d comments and error %v, want %d", test.folder, test.root, r.Marks(), err, test.marks)
		}
	}
}

// A finding of a baseline is known when its line moves, and not when the line is another one.
func TestBaseline(t *testing.T) {
	dir := t.TempDir()
	src := filepath.Join(dir, "a.go")
	text := "package a\nfunc f() {\n\tx++\n\ty()\n\tx++\n}\nfunc (t *T) g() { x++ }\n"
	write(t, src, text)
	at := func(line int) []diag.Pos { return []diag.Pos{{File: src, Line: line, Col: 2}} }
	found := func(line int, what string) diag.Finding {
		return diag.Finding{Kind: "race", Message: fmt.Sprintf("%s at a.go:%d:2", what, line), Pos: diag.Pos{File: "a.go", Line: line}}
	}
	first := newRules(dir)
	first.All = true
	n, err := first.Noted("")
	if err != nil {
		t.Fatal(err)
	}
	if !n.Ignores(found(5, "write"), at(5)...) || n.Ignores(diag.Finding{Kind: "livelock"}, at(5)...) {
		t.Error("all but a livelock is ignored when a baseline is written")
	}
	file := filepath.Join(dir, "baseline.json")
	if n, err := first.Write(file); n != 1 || err != nil {
		t.Fatalf("got %d findings and error %v, want 1", n, err)
	}
	edited, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, strings.Replace(string(edited), usualReason, "it is only a counter", 1))
	write(t, src, "package a\n// new lines\n\n"+strings.TrimPrefix(text, "package a\n"))
	r := newRules(dir)
	n, err = r.Noted(file)
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[int]bool{5: false, 7: true, 9: false} {
		if got := n.Ignores(found(line, "write"), at(line)...); got != want {
			t.Errorf("line %d: got %v, want %v", line, got, want)
		}
	}
	if n.Ignores(found(7, "read"), at(7)...) {
		t.Error("another message is another finding")
	}
	if hits := n.Hits(); len(hits) != 1 || hits[0].Reason != "it is only a counter" || !hits[0].InFile {
		t.Errorf("got %v", hits)
	}
	if list := r.Unused([]string{"race"}); len(list) != 0 {
		t.Errorf("got unused %v", list)
	}
	// Written again, the reason stays.
	r.All = true
	if n, err := r.Write(file); n != 1 || err != nil {
		t.Fatalf("got %d findings and error %v, want 1", n, err)
	}
	if again, _ := os.ReadFile(file); !strings.Contains(string(again), "it is only a counter") {
		t.Errorf("the reason is lost:\n%s", again)
	}
}

// Each file and each function of a baseline has a name of its own.
func TestNames(t *testing.T) {
	dir := t.TempDir()
	r := newRules(dir)
	if err := r.Read([]File{{filepath.Join(dir, "go/src/runtime/proc.go"), "runtime"}}); err != nil {
		t.Fatal(err)
	}
	base := filepath.Join(dir, "ci")
	for name, want := range map[string]string{
		"ci/main.go":                         "main.go",
		"ci/src/net/net.go":                  "src/net/net.go",
		"a/src/main.go":                      "../a/src/main.go",
		"b/src/main.go":                      "../b/src/main.go",
		"a/pkg/mod/main.go":                  "../a/pkg/mod/main.go",
		"b/pkg/mod/main.go":                  "../b/pkg/mod/main.go",
		"go/src/net/net.go":                  "$GOROOT/src/net/net.go",
		"go/pkg/mod/example.com/x@v1.2/x.go": "$GOMODCACHE/example.com/x@v1.2/x.go",
	} {
		if got := r.fileName(filepath.Join(dir, name), base); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
		if got := r.moved(want, base, base); got != want {
			t.Errorf("%s moved: got %s", want, got)
		}
	}
	src := write(t, filepath.Join(dir, "a.go"), "package a\nfunc init() { x++ }\nfunc init() { x++ }\nfunc (t T) init() { x++ }\n")
	for line, want := range map[int]string{2: "init", 3: "init #2", 4: "(T).init"} {
		if got := r.place(diag.Pos{File: src, Line: line}, dir).Func; got != want {
			t.Errorf("line %d: got %s, want %s", line, got, want)
		}
	}
}

// What has no place that can be read counts.
func TestNoPlace(t *testing.T) {
	dir := t.TempDir()
	src := write(t, filepath.Join(dir, "a.go"), "package a\nvar x = 1\n")
	r := newRules(dir)
	r.All = true
	n, err := r.Noted("")
	if err != nil {
		t.Fatal(err)
	}
	here := diag.Pos{File: src, Line: 2}
	for name, places := range map[string][]diag.Pos{
		"none":      nil,
		"no file":   {{}},
		"one only":  {here, {}},
		"not there": {{File: filepath.Join(dir, "_testmain.go"), Line: 3}},
		"behind":    {{File: src, Line: 9}},
	} {
		if n.Ignores(diag.Finding{Kind: "race", Message: name}, places...) {
			t.Errorf("%s: it is ignored", name)
		}
	}
	if !n.Ignores(diag.Finding{Kind: "race", Message: "both"}, here, here) {
		t.Error("a finding with places counts")
	}
	if n, err := r.Write(filepath.Join(dir, "b.json")); n != 1 || err != nil {
		t.Errorf("got %d findings and error %v, want 1", n, err)
	}
}

func TestWrongBaseline(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "not a baseline",
		"{}":                       "heddle_baseline is 0",
		`{"heddle_baseline": 2}`:   "heddle_baseline is 2",
		`{"findings": [], "x": 1}`: "not a baseline",
		`{"heddle_baseline":1,"findings":[{"kind":"race"}]}`:                  "has no reason",
		`{"heddle_baseline":1,"findings":[{"kind":"rase","reason":"x"}]}`:     "did you mean race?",
		`{"heddle_baseline":1,"findings":[{"kind":"livelock","reason":"x"}]}`: "leave it out",
		`{"heddle_baseline":1,"findings":[{"kind":"race","reason":"x"}]}`:     "no place",
	} {
		dir := t.TempDir()
		_, err := newRules(dir).Noted(write(t, filepath.Join(dir, "b"), text))
		if err == nil || !strings.Contains(err.Error(), want) || diag.ExitCode(err) != diag.ExitUsage {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
	if _, err := newRules("").Noted(filepath.Join(t.TempDir(), "none")); diag.ExitCode(err) != diag.ExitUsage {
		t.Errorf("got %v for a file that is not there", err)
	}
}
