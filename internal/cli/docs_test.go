package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/heddle-mc/heddle/internal/pages"
)

// A docs executes the commands of pages, in a folder that is like the repository: it has its examples, and what
// testdata/docs has for a page.
type docs struct {
	dir      string
	at       string // where the last command has gone to
	env      []string
	known    map[string]outcome // of commands that check one example: what they leave behind stays
	executed int
	cpu      time.Duration
	compared int
	not      []string
}

// An outcome is what a command has ended with and printed.
type outcome struct{ code, text string }

// TestDocs executes every command in README.md, docs and others, and compares what it prints with what the page shows. Package
// pages says how a page tells which cannot be executed.
func TestDocs(t *testing.T) {
	if testing.Short() {
		t.Skip("the commands of the pages take some time")
	}
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	cache := t.TempDir()
	d := &docs{dir: t.TempDir(), known: map[string]outcome{}}
	d.env = append(os.Environ(), "HEDDLE_CACHE="+cache, "XDG_CONFIG_HOME="+cache, librarySocket+"="+serveLibrary(t), "GOPROXY=off", "GOTOOLCHAIN=local")
	for _, name := range []string{"examples", "verify"} {
		if err := os.CopyFS(filepath.Join(d.dir, name), os.DirFS(filepath.Join(repo, name))); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		writeFile(t, filepath.Join(d.dir, name), pageText(t, filepath.Join(repo, name)))
	}
	list, err := filepath.Glob(filepath.Join(repo, "docs/*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append([]string{"README.md", "CONTRIBUTING.md", "examples/README.md"}, list...) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(repo, name)
		}
		rel, _ := filepath.Rel(repo, name)
		t.Run(strings.TrimSuffix(rel, ".md"), func(t *testing.T) { d.page(t, repo, name) })
	}
	t.Logf("%d commands executed, %d of them with output that is compared, in %.1f s of CPU time; %d not executed:", d.executed, d.compared, d.cpu.Seconds(), len(d.not))
	for _, line := range d.not {
		t.Log(line)
	}
}

// page executes a page. What it leaves behind is removed.
func (d *docs) page(t *testing.T, repo, name string) {
	rel, _ := filepath.Rel(repo, name)
	d.at = d.dir
	own := map[string]bool{"examples": true, "verify": true, "go.mod": true, "go.sum": true, outFolder: true}
	defer func() {
		list, _ := os.ReadDir(d.dir)
		for _, e := range list {
			if !own[e.Name()] {
				os.RemoveAll(filepath.Join(d.dir, e.Name()))
			}
		}
		list, _ = os.ReadDir(filepath.Join(d.dir, outFolder))
		for _, e := range list {
			if e.Name() != "examples" {
				os.RemoveAll(filepath.Join(d.dir, outFolder, e.Name()))
			}
		}
	}()
	files := "testdata/docs/" + strings.ReplaceAll(strings.TrimSuffix(rel, ".md"), "/", "-") + ".txtar"
	if text, err := os.ReadFile(files); err == nil {
		for _, f := range txtar.Parse(text).Files {
			writeFile(t, filepath.Join(d.dir, f.Name), string(f.Data))
			if strings.HasPrefix(string(f.Data), "#!") {
				os.Chmod(filepath.Join(d.dir, f.Name), 0o777)
			}
		}
	}
	for _, b := range pages.Parse(pageText(t, name)) {
		where := fmt.Sprintf("%s:%d", rel, b.Line)
		if file, ok := b.Mark("file"); ok {
			writeFile(t, filepath.Join(d.at, file), b.Text)
			continue
		}
		if file, ok := b.Mark("part of"); ok {
			if !strings.Contains(pageText(t, filepath.Join(d.at, file)), b.Text) {
				t.Errorf("%s: this is not a part of %s", where, file)
			}
			continue
		}
		if b.Shell() {
			d.block(t, repo, rel, &b)
			continue
		}
		for line := range strings.Lines(b.Text) {
			if strings.HasPrefix(line, "heddle ") || strings.HasPrefix(line, "$ ") {
				t.Errorf("%s: a line looks like a command, and the block does not begin with one: %s", where, line)
			}
		}
	}
}

// block executes the commands of a block, unless it says that this cannot be.
func (d *docs) block(t *testing.T, repo, page string, b *pages.Block) {
	codes := []string{"0"}
	if rest, ok := b.Mark("exits"); ok {
		codes = strings.Fields(rest)
	}
	commands := b.Commands()
	if len(codes) != 1 && len(codes) != len(commands) {
		t.Errorf("%s:%d: %d exit codes for %d commands", page, b.Line, len(codes), len(commands))
		return
	}
	if folder, ok := b.Mark("in"); ok {
		d.at = filepath.Join(d.dir, folder)
	}
	_, varies := b.Mark("varies")
	why, not := b.Mark("not run")
	file, elsewhere := b.Mark("elsewhere")
	for i, c := range commands {
		where := fmt.Sprintf("%s:%d", page, c.Line)
		switch {
		case not && why == "":
			t.Errorf("%s: not run, without a reason", where)
		case not:
			d.not = append(d.not, fmt.Sprintf("%s: %s: %s", where, c.Text, why))
		case elsewhere:
			file, part, ok := strings.Cut(file, " ")
			if !ok {
				words := strings.Fields(uncommented(c.Text))
				part = strings.Join(words[1:], " ")
			}
			if !strings.Contains(pageText(t, filepath.Join(repo, file)), part) {
				t.Errorf("%s: there is no %q in %s", where, part, file)
			}
			d.not = append(d.not, fmt.Sprintf("%s: %s: executed by %s", where, c.Text, file))
		default:
			d.command(t, where, c, codes[min(i, len(codes)-1)], !varies && c.Output != "")
		}
	}
}

// uncommented returns a command without what a shell does not see of it.
func uncommented(line string) string {
	line, _, _ = strings.Cut(line, " # ")
	return line
}

// command executes one.
func (d *docs) command(t *testing.T, where string, c pages.Command, code string, compare bool) {
	d.executed++
	example := strings.Join(strings.Fields(strings.TrimPrefix(uncommented(c.Text), "go run ./cmd/")), " ")
	if was, ok := d.known[example]; ok && d.at == d.dir && code == was.code {
		d.compare(t, where, c, was.text, compare)
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	line := c.Text
	if rest, ok := strings.CutPrefix(line, "go run ./cmd/heddle "); ok {
		line = "heddle " + rest // which is this test
	}
	// The next command is typed where this one has gone to.
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd := exec.CommandContext(ctx, "sh", "-c", line+"\ncode=$?; pwd >&3; exit $code")
	var out, errOut bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = d.at, append(d.env, "PWD="+d.at), &out, &errOut, []*os.File{w}
	err = cmd.Run()
	w.Close()
	if at, _ := io.ReadAll(r); len(at) > 0 {
		d.at = strings.TrimSpace(string(at))
	}
	d.cpu += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%s: %s: %v", where, line, err)
	}
	if got := strconv.Itoa(cmd.ProcessState.ExitCode()); got != code {
		t.Errorf("%s: %s: got exit code %s, want %s\n%s%s", where, line, got, code, out.String(), errOut.String())
		return
	}
	if d.at == d.dir && strings.HasPrefix(example, "heddle check ./examples/") && len(strings.Fields(example)) == 3 {
		d.known[example] = outcome{code, out.String()}
	}
	d.compare(t, where, c, out.String(), compare)
}

// compare holds output against what a page shows, if it does.
func (d *docs) compare(t *testing.T, where string, c pages.Command, out string, shown bool) {
	if !shown {
		return
	}
	d.compared++
	if !pages.Alike(c.Output, out) {
		t.Errorf("%s: %s: the page shows\n%s\nand it prints\n%s", where, c.Text, c.Output, out)
	}
}

// TestDocsLook: where there are fixtures there is a page.
func TestDocsLook(t *testing.T) {
	list, err := filepath.Glob("testdata/docs/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range list {
		page := strings.TrimSuffix(filepath.Base(name), ".txtar")
		if !slices.ContainsFunc([]string{page + ".md", strings.ReplaceAll(page, "-", "/") + ".md", strings.Replace(page, "-", "/", 1) + ".md"}, func(p string) bool {
			_, err := os.Stat(filepath.Join("../..", p))
			return err == nil
		}) {
			t.Errorf("%s: there is no such page", name)
		}
	}
}

func pageText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
