package cli

import (
	"context"
	"flag"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/progcache"
)

var cmdClean = &command{
	name:  "clean",
	short: "remove compiled code from the cache",
	long: `Clean removes what heddle has stored. With -cache that is all compiled code in
$HEDDLE_CACHE or, if that is not set, in heddle below the user's cache directory.`,
	setup: func(app *App, fs *flag.FlagSet) func(context.Context, []string) (int, error) {
		all := fs.Bool("cache", false, "remove the whole cache")
		return func(ctx context.Context, args []string) (int, error) {
			if len(args) > 0 {
				return 0, diag.Usagef("unexpected argument %q", args[0])
			}
			if !*all {
				return 0, diag.Usagef("nothing to clean: give -cache to remove all compiled code")
			}
			cache, err := progcache.Open("")
			if err != nil {
				return 0, err
			}
			if err := cache.Clean(); err != nil {
				return 0, diag.Usagef("%v", err)
			}
			return 0, nil
		}
	},
}
