package cli

import (
	"context"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/manual"
	"github.com/heddle-mc/heddle/internal/nearest"
)

var cmdCompletion = &command{
	name:  "completion",
	args:  "bash|zsh|fish",
	short: "print a script with which a shell completes commands and flags",
	long: `Completion prints a script for a shell. To have it in each shell, put one of these
into ~/.bashrc, ~/.zshrc or ~/.config/fish/config.fish:

  source <(heddle completion bash)
  source <(heddle completion zsh)
  heddle completion fish | source`,
	words: func() []string { return manual.Shells },
}

func init() {
	cmdCompletion.setup = func(app *App, fs *flag.FlagSet) func(context.Context, []string) (int, error) {
		return func(ctx context.Context, args []string) (int, error) {
			if len(args) != 1 {
				return 0, diag.Usagef("name one shell: %s", strings.Join(manual.Shells, ", "))
			}
			script := theManual().Completion(args[0])
			if script == "" {
				return 0, diag.Usagef("unknown shell %q%s there are %s", args[0], nearest.Colon(args[0], manual.Shells), strings.Join(manual.Shells, ", "))
			}
			_, err := io.WriteString(app.Stdout, script)
			return diag.ExitOK, err
		}
	}
}

// theManual is what the help texts say, for other forms of them.
func theManual() *manual.Tool {
	t := &manual.Tool{Name: "heddle", Short: "check Go programs under every schedule", Long: aboutHeddle}
	for _, cmd := range commands() {
		t.Commands = append(t.Commands, cmd.manual())
		if cmd == cmdCheck {
			c := cmdCheckModel.manual()
			c.Page = "check-model"
			t.Commands = append(t.Commands, c)
		}
	}
	return t
}

func (cmd *command) manual() manual.Command {
	c := manual.Command{Name: cmd.name, Usage: strings.TrimPrefix(cmd.usage(), "usage: "), Short: cmd.short, Long: cmd.long, Flags: manual.Flags(cmd.flags(nil))}
	if cmd.words != nil {
		c.Words = cmd.words()
	}
	return c
}

// writeMan writes the man pages to a folder.
func writeMan(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return diag.Usagef("-man: %v", err)
	}
	for _, f := range theManual().Man() {
		if err := os.WriteFile(filepath.Join(dir, f.Name), []byte(f.Text), 0o666); err != nil {
			return diag.Usagef("-man: %v", err)
		}
	}
	return nil
}
