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
		{Programs{}, "p 1", "./theirs a true", false},
		{Programs{Patterns: []string{"./x", "./y"}, Tags: []string{"b", "c"}}, "p 1", "./x ./y b c true", false},
		{Programs{Patterns: []string{"./mine"}}, "p 2", "./mine a true", true},
	} {
		w, got := test.own, ""
		w.Build = func(_ context.Context, patterns, tags []string, access bool) (*check.Code, error) {
			got = strings.Join(append(patterns, tags...), " ")
			if access {
				got += " true"
			}
			return &check.Code{Identity: test.identity}, nil
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
	if _, err := (&Programs{}).Searched(t.Context(), &job); err == nil || !strings.Contains(err.Error(), "/nowhere/m.mcrl2") {
		t.Errorf("no model: got %v, want that there is no file", err)
	}
}
