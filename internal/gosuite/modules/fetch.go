package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// fetch downloads a module as the go command does, and copies it to a folder
// below dir in which its tests can run: the module cache cannot be written. The
// folder's name ends in the module's path, which some tests look for.
func fetch(m *module, dir string) (folder string, err error) {
	folder = filepath.Join(dir, m.version, filepath.FromSlash(m.path))
	if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
		return folder, nil
	}
	cmd := exec.Command("go", "mod", "download", "-json", m.String())
	cmd.Dir = os.TempDir() // no module's own list of versions has a say
	out, err := cmd.Output()
	var got struct{ Dir, GoMod, Error string }
	if jsonErr := json.Unmarshal(out, &got); jsonErr != nil || got.Error != "" || err != nil {
		return "", fmt.Errorf("go mod download %v: %v %s", m, err, got.Error)
	}
	if err := os.RemoveAll(folder); err != nil {
		return "", err
	}
	if err := copyTree(folder, got.Dir); err != nil {
		return "", err
	}
	// Of old modules the go command has made up one. It comes last: it says that
	// the copy is complete.
	return folder, copyFile(filepath.Join(folder, "go.mod"), got.GoMod)
}

// copyTree copies the files below from, all but go.mod at its top.
func copyTree(to, from string) error {
	return filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o777)
		}
		if rel == "go.mod" {
			return nil
		}
		return copyFile(filepath.Join(to, rel), name)
	})
}

func copyFile(to, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o666)
}

// testedPackages returns the packages of a module that match its patterns and
// have tests.
func testedPackages(m *module, folder string) ([]string, error) {
	const form = `{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}`
	cmd := exec.Command("go", append([]string{"list", "-e", "-f", form}, m.patterns...)...)
	cmd.Dir = folder
	cmd.Env = environment()
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list of %v: %v\n%s", m, err, stderr.String())
	}
	return strings.Fields(string(out)), nil
}

// environment is that of both runs. A module may need a line more in its go.mod
// or go.sum than it has, which is what -mod=mod is for.
func environment() []string {
	return append(os.Environ(), "GOFLAGS=-mod=mod -buildvcs=false", "GOWORK=off", "GOTOOLCHAIN=local")
}
