package worker

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/distribute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/model"
	"github.com/heddle-mc/heddle/internal/peer"
)

// TestBuild: a worker builds what it has, or else what the job names, and refuses a
// program that is another one.
func TestBuild(t *testing.T) {
	job := &distribute.Job{Identity: "p 1", Packages: []string{"./theirs"}, Tags: []string{"a"}}
	for _, test := range []struct {
		own      Programs
		identity string
		want     string // what is built
		refused  bool
	}{
		{Programs{Folder: "."}, "p 1", "./theirs a true", false},
		{Programs{Patterns: []string{"./x", "./y"}, Tags: []string{"b", "c"}}, "p 1", "./x ./y b c true", false},
		{Programs{Patterns: []string{"./mine"}}, "p 2", "./mine a true", true},
	} {
		w, got := test.own, ""
		w.Build = func(_ context.Context, patterns, tags []string, access bool) (*check.Code, error) {
			got = strings.Join(append(patterns, tags...), " ")
			if access {
				got += " true"
			}
			return &check.Code{Identity: test.identity, Files: []check.File{{Name: "swarm.go", Pkg: "main"}}}, nil
		}
		_, err := w.build(t.Context(), job, true)
		if got != test.want || (err != nil) != test.refused {
			t.Errorf("got %q, %v, want %q, refused: %v", got, err, test.want, test.refused)
		}
	}
}

// TestProgramJob: the job of a swarm says how to search, but not in which folder, and a
// worker reads the same back.
func TestProgramJob(t *testing.T) {
	s := check.New()
	s.Program.Packages, s.Program.Tags, s.Program.Dir, s.Program.ChangeTo = []string{"./p"}, []string{"a"}, "/home/me", "below"
	s.Search.Workers, s.Limits.States = 7, 123
	job := ProgramJob("p 1", s, explore.Options{Strategy: explore.Swarm, Runs: 3, All: true})
	if job.Identity != "p 1" || !job.All || job.Members != 3 || strings.Join(job.Packages, " ") != "./p" || strings.Join(job.Tags, " ") != "a" {
		t.Errorf("got %+v", job)
	}
	back, err := check.Read(job.Spec)
	if err != nil {
		t.Fatal(err)
	}
	if back.Program.Dir != "" || back.Program.ChangeTo != "" || back.Search.Workers != 1 || back.Limits.States != 123 {
		t.Errorf("got %s, want no folders, one worker and 123 states", job.Spec)
	}
	if s.Program.Dir != "/home/me" || s.Search.Workers != 7 {
		t.Error("the spec itself was changed")
	}
}

// TestModelJob: a worker searches the model of a job, under its own name for it, unless
// it is another model.
func TestModelJob(t *testing.T) {
	write := func(text string) string {
		file := filepath.Join(t.TempDir(), "m.mcrl2")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return file
	}
	const text = "act a, b;\ninit a . b . delta;\n"
	m, err := model.Load(write(text), model.UsualPasses)
	if err != nil {
		t.Fatal(err)
	}
	systems, err := model.Prepare(m, &model.Spec{Passes: model.UsualPasses, Actions: []string{"b"}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	o := explore.Options{Strategy: explore.Swarm, Runs: 2}
	spec := check.New()
	spec.Search.Order = "swarm"
	job := ModelJob(systems, spec, o)
	job.Model = "/nowhere/m.mcrl2"

	same := Programs{Patterns: []string{write(text)}}
	s, err := same.Searched(t.Context(), &job)
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Search(o, 1, func() bool { return false })
	if err != nil || r.Verdict != explore.Violation {
		t.Errorf("got %v, %v, want that b is done", r, err)
	}
	if _, err := (&Programs{Patterns: []string{write(strings.Replace(text, "a . b", "b . a", 1))}}).Searched(t.Context(), &job); err == nil {
		t.Error("another model: got no error")
	}
	if _, err := (&Programs{Folder: "/"}).Searched(t.Context(), &job); err == nil || !strings.Contains(err.Error(), "/nowhere/m.mcrl2") {
		t.Errorf("no model: got %v, want that there is no file", err)
	}
	job.Model = write(text)
	if _, err := (&Programs{Folder: filepath.Dir(job.Model)}).Searched(t.Context(), &job); err != nil {
		t.Errorf("a model below the folder: got %v", err)
	}
	if _, err := (&Programs{Folder: t.TempDir()}).Searched(t.Context(), &job); err == nil || !strings.Contains(err.Error(), "takes programs below") {
		t.Errorf("a model elsewhere: got %v, want it refused", err)
	}
}

// TestAllowed: what a job names is executed only if its files are below the worker's folder,
// and a job cannot have other processes started.
func TestAllowed(t *testing.T) {
	folder, other := t.TempDir(), t.TempDir()
	file := func(dir, name string) string {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	mine, theirs, link := file(folder, "p/main.go"), file(other, "main.go"), filepath.Join(folder, "link")
	if err := os.Symlink(other, link); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		packages, files []string
		want            string
	}{
		{[]string{"./p"}, []string{mine}, ""},
		{[]string{"example.com/p"}, []string{mine}, ""},
		{[]string{"./p", other}, []string{mine, theirs}, "takes programs below"},
		{[]string{"../x"}, []string{theirs}, "takes programs below"},
		{[]string{"./link"}, []string{filepath.Join(link, "main.go")}, "takes programs below"},
		{[]string{"cmd/go"}, nil, "not known where"},
		{[]string{"-toolexec=x"}, []string{mine}, "no name of one"},
		{[]string{"example.com/p@latest"}, []string{mine}, "no name of one"},
	} {
		w := Programs{Folder: folder, Build: func(context.Context, []string, []string, bool) (*check.Code, error) {
			code := &check.Code{Identity: "p 1", Files: []check.File{{Name: theirs, Pkg: "example.com/imported"}}}
			for _, f := range test.files {
				code.Files = append(code.Files, check.File{Name: f, Pkg: "main"})
			}
			return code, nil
		}}
		_, err := w.build(t.Context(), &distribute.Job{Identity: "p 1", Packages: test.packages}, false)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: got %v, want %q", test.packages, err, test.want)
		}
	}
	for _, change := range []func(*check.Spec){
		func(s *check.Spec) { s.Peers.Servers = []string{"rm -rf /"} },
		func(s *check.Spec) { s.Peers.Clients = []string{"rm -rf /"} },
		func(s *check.Spec) { s.Peers.Declared = append(s.Peers.Declared, peer.Spec{}) },
	} {
		s := check.New()
		change(s)
		if _, err := (&Programs{Folder: folder}).Searched(t.Context(), &distribute.Job{Spec: s.Text()}); err == nil || !strings.Contains(err.Error(), "which workers do not do") {
			t.Errorf("got %v for a job with peers, want it refused", err)
		}
	}
	s, said := check.New(), ""
	s.Program.Args, s.Program.Env = []string{"-x\x1b[2J"}, []string{"A=b"}
	w := &Programs{Folder: folder, Log: func(text string) { said = text }}
	if err := w.tell(&distribute.Job{Packages: []string{"./p"}}, s); err != nil || said != `the coordinator wants ["./p"] with the arguments ["-x\x1b[2J"] and the environment ["A=b"]` {
		t.Errorf("got %s, %v", said, err)
	}
}
