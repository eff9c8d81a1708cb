package cli

import (
	"context"
	"flag"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/heddle-mc/heddle/internal/diag"
)

var cmdVersion = &command{
	name:  "version",
	short: "print the version of heddle",
	long:  `Version prints the version of heddle and of the Go it was built with.`,
	setup: func(app *App, fs *flag.FlagSet) func(context.Context, []string) (int, error) {
		return func(ctx context.Context, args []string) (int, error) {
			if len(args) > 0 {
				return 0, diag.Usagef("unexpected argument %q", args[0])
			}
			_, err := fmt.Fprintln(app.Stdout, versionLine())
			return 0, err
		}
	},
}

// version returns the version, or the revision if that was recorded.
func version() string {
	version := "devel"
	if info, ok := debug.ReadBuildInfo(); ok {
		if v := info.Main.Version; v != "" && v != "(devel)" {
			version = v
		}
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 && version == "devel" {
				version += "-" + s.Value[:12]
			}
		}
	}
	return version
}

// versionLine returns the version and the Go release.
func versionLine() string {
	return fmt.Sprintf("heddle %s %s %s/%s", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
