// Package measure is what commands have in common that run heddle as a user does and write a page about it.
package measure

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Build builds commands of the repository, given by their folders, into a new folder. Whoever calls removes that.
func Build(folders ...string) (bin string, err error) {
	if bin, err = os.MkdirTemp("", "heddle-bench"); err != nil {
		return "", err
	}
	args := []string{"build", "-o", bin + "/"}
	for _, f := range folders {
		args = append(args, "./"+f)
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		os.RemoveAll(bin)
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return bin, nil
}

// BuildAt builds heddle at a commit into a new folder.
func BuildAt(commit string) (bin string, err error) {
	if bin, err = os.MkdirTemp("", "heddle-bench"); err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(bin)
		}
	}()
	tree := filepath.Join(bin, "tree")
	if out, err := exec.Command("git", "worktree", "add", "--detach", tree, commit).CombinedOutput(); err != nil {
		return "", fmt.Errorf("git worktree: %w\n%s", err, out)
	}
	defer exec.Command("git", "worktree", "remove", "--force", tree).Run()
	build := exec.Command("go", "build", "-o", bin+"/", "./cmd/heddle")
	build.Dir = tree
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build at %s: %w\n%s", commit, err, out)
	}
	return bin, nil
}

// Commit says what was measured: " at commit", and which, or nothing if that is not known.
func Commit() string {
	out, err := exec.Command("git", "describe", "--always", "--dirty").Output()
	if err != nil {
		return ""
	}
	return " at commit " + strings.TrimSpace(string(out))
}

// Write writes a page to a file, or to standard output if that has no name.
func Write(file, page string) error {
	if file == "" {
		_, err := fmt.Print(page)
		return err
	}
	return os.WriteFile(file, []byte(page), 0o666)
}

// Exit ends the command, with an error if there is one.
func Exit(command string, err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", command, err)
		os.Exit(1)
	}
}
