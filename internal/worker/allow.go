package worker

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/distribute"
)

// What a job says comes from whoever has the queue. A worker compiles and executes only what
// lies below its own folder, or what was named when it was started, and never starts other
// processes.

// plain refuses names that the go command would not take for packages.
func (w *Programs) plain(job *distribute.Job) error {
	if len(w.Patterns) > 0 {
		return nil
	}
	for _, p := range job.Packages {
		if p == "" || strings.HasPrefix(p, "-") || strings.ContainsAny(p, "@\x00\n") {
			return diag.Usagef("it names a package %q, which is no name of one", p)
		}
	}
	return nil
}

// allowed refuses a program whose own files are not all below the folder, unless it is what
// was named when the worker was started.
func (w *Programs) allowed(code *check.Code) error {
	if len(w.Patterns) > 0 {
		return nil
	}
	some := false
	for _, f := range code.Files {
		if f.Pkg != "main" {
			continue
		}
		if err := w.below(f.Name); err != nil {
			return err
		}
		some = true
	}
	if !some {
		return diag.Usagef("it is not known where its files are: this worker takes programs below %s", w.Folder)
	}
	return nil
}

// below refuses a file that is not in the folder, or below it.
func (w *Programs) below(file string) error {
	folder, err := real(w.Folder)
	if err != nil {
		return diag.Usagef("%v", err)
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(w.Folder, file)
	}
	at, err := real(file)
	if err != nil {
		return diag.Usagef("%s: %v", file, err)
	}
	if rel, err := filepath.Rel(folder, at); err != nil || !filepath.IsLocal(rel) {
		return diag.Usagef("it is about %s: this worker takes programs below %s (start it there, or with -C, or name the program)", file, folder)
	}
	return nil
}

// real returns where a file is.
func real(name string) (string, error) {
	name, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(name)
}

// tell says what a job wants to be executed, and refuses what no worker does.
func (w *Programs) tell(job *distribute.Job, s *check.Spec) error {
	if p := &s.Peers; len(p.Servers) > 0 || len(p.Clients) > 0 || len(p.Declared) > 0 {
		return diag.Usagef("it wants peers to be started, which workers do not do")
	}
	if w.Log == nil {
		return nil
	}
	text := fmt.Sprintf("the coordinator wants %q", w.patterns(job))
	if args := s.Program.Args; len(args) > 0 {
		text += fmt.Sprintf(" with the arguments %q", args)
	}
	if env := s.Program.Env; len(env) > 0 {
		text += fmt.Sprintf(" and the environment %q", env)
	}
	if servers := s.Program.Servers; len(servers) > 0 {
		text += fmt.Sprintf(", servers %q", servers)
	}
	if tags := job.Tags; len(tags) > 0 && len(w.Tags) == 0 {
		text += fmt.Sprintf(", build tags %q", tags)
	}
	w.Log(text)
	return nil
}
