package load

import (
	"context"
	"os/exec"
	"strings"
)

// godebugs asks the go command for the default GODEBUG settings of the main
// packages that the patterns name, by ID. They follow from the module's go
// version and from //go:debug lines, and are not among what go/packages
// reports. The command runs while the caller type-checks. An error gives no
// settings: the patterns have been listed without one before.
func (u *universe) godebugs() func() map[string]string {
	ctx := u.cfg.Context
	if ctx == nil {
		ctx = context.Background()
	}
	args := []string{"list", "-e", "-tags=" + strings.Join(u.cfg.tags(), ","), "-f", "{{.ImportPath}}\t{{.DefaultGODEBUG}}"}
	if u.cfg.Tests {
		args = append(args, "-test")
	}
	cmd := exec.CommandContext(ctx, "go", append(append(args, "--"), u.cfg.Patterns...)...)
	cmd.Dir = u.cfg.dir()
	cmd.Env = append(u.cfg.environ(), "PWD="+cmd.Dir)
	result := make(chan map[string]string, 1)
	go func() {
		settings := make(map[string]string)
		defer func() { result <- settings }()
		out, err := cmd.Output()
		if err != nil {
			return
		}
		for line := range strings.Lines(string(out)) {
			if id, value, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
				settings[id] = value
			}
		}
	}()
	return func() map[string]string { return <-result }
}
