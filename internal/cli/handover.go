package cli

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
)

// A heddle without a queue becomes the command heddle-nats, which has one, when it is
// asked for something that needs it. The process stays the same one where the system can do that, so signals, exit
// codes and what is inherited need no thought.

// otherCommand is the name of the command with a queue.
const otherCommand = "heddle-nats"

// handedOver is the variable that tells the other command which heddle it has to be.
const handedOver = "HEDDLE_HANDED_OVER"

// needsQueue reports whether a command hands work to other processes, or takes it
// from them.
func (cmd *command) needsQueue(fs *flag.FlagSet) bool {
	if cmd.queue {
		return true
	}
	f := fs.Lookup("distribute")
	return f != nil && f.Value.String() == "true"
}

// handOver becomes the other command. It returns only if that fails.
func (app *App) handOver(args []string) error {
	self, err := os.Executable()
	if err != nil {
		return diag.Usagef("%v", err)
	}
	f := finder{folder: filepath.Dir(self), sources: checkout(), build: app.buildOther}
	name, same, err := f.find()
	if err != nil {
		return err
	}
	env := os.Environ()
	if !same {
		env = append(env, handedOver+"="+version())
	}
	return diag.Usagef("%s: %v", name, become(name, append([]string{otherCommand}, args...), env))
}

// A finder looks for the other command.
type finder struct {
	folder  string                            // where this command is
	sources string                            // what it was built from, or ""
	build   func(root string) (string, error) // builds the other command
}

// find returns the other command: the one beside this one, the one of the sources that
// this one was built from, or the one in PATH. Same says that it is of these sources.
func (f *finder) find() (name string, same bool, err error) {
	if name := filepath.Join(f.folder, otherCommand+programSuffix); isProgram(name) {
		return name, false, nil
	}
	if f.sources != "" {
		name, err := f.build(f.sources)
		return name, true, err
	}
	if name, err := exec.LookPath(otherCommand); err == nil {
		return name, false, nil
	}
	return "", false, diag.Usagef("the message server is in a command of its own, %s, which is neither beside this one nor in PATH: %s", otherCommand, installOther(version()))
}

// isProgram reports whether a file can be executed.
func isProgram(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular() && (programSuffix != "" || info.Mode()&0o111 != 0)
}

// checkout returns the sources that this command was built from, "" if they are not
// there, or not meant to be built from: those in the module cache have a version in
// their name.
func checkout() string {
	_, file, _, _ := runtime.Caller(0)
	root := filepath.Dir(filepath.Dir(filepath.Dir(file)))
	if _, err := os.Stat(filepath.Join(root, "cmd", otherCommand, "main.go")); err != nil || !filepath.IsAbs(file) || strings.Contains(root, "@") {
		return ""
	}
	return root
}

// buildOther has the other command built, and returns where the go command keeps it.
func (app *App) buildOther(root string) (string, error) {
	fmt.Fprintf(app.Stderr, "heddle: %s, which has the message server, is built in %s if it is not yet\n", otherCommand, root)
	cmd := exec.Command("go", "tool", "-n", otherCommand)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		text := err.Error()
		if e := (*exec.ExitError)(nil); errors.As(err, &e) {
			text = strings.TrimSpace(string(e.Stderr))
		}
		return "", diag.Usagef("%s cannot be built in %s: %s", otherCommand, root, text)
	}
	return strings.TrimSpace(string(out)), nil
}

// installOther says what to type to have the other command of a heddle.
func installOther(version string) string {
	if strings.HasPrefix(version, "v") && !strings.Contains(version, "+") {
		return "type go install github.com/heddle-mc/heddle/cmd/" + otherCommand + "@" + version
	}
	return "in the sources of this heddle, type go install ./cmd/heddle ./cmd/" + otherCommand
}

// sameVersion refuses to be the other command of a heddle that is not as old.
func sameVersion() error {
	want := os.Getenv(handedOver)
	os.Unsetenv(handedOver)
	if own := version(); want != "" && want != own {
		return diag.Usagef("heddle is of version %s, and this %s of %s: %s", want, otherCommand, own, installOther(want))
	}
	return nil
}
