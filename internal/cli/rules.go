package cli

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/iocache"
)

var cmdRules = &command{
	name:  "rules",
	short: "list the ready-made rules for what peers say",
	long: `Rules prints the rules that need no pattern: each is used by its name, as in
-rule http-date, or 'peer NAME http-date' if it is for one peer, and leaves out of
the comparison of answers what is known to vary. docs/network.md has rules of one's own.`,
	setup: func(app *App, fs *flag.FlagSet) func(context.Context, []string) (int, error) {
		asJSON := fs.Bool("json", false, "print a JSON list with the patterns, too")
		return func(ctx context.Context, args []string) (int, error) {
			if len(args) > 0 {
				return 0, diag.Usagef("unexpected argument %q", args[0])
			}
			return 0, app.listRules(*asJSON)
		}
	},
}

// A jsonRule is an element of the list that heddle rules -json prints.
type jsonRule struct {
	Name  string   `json:"name"`
	What  string   `json:"what"`
	Bound string   `json:"bound"`
	Rules []string `json:"rules"`
}

// listRules prints the ready-made rules.
func (app *App) listRules(asJSON bool) error {
	if asJSON {
		list := []jsonRule{}
		for _, m := range iocache.ReadyMades {
			list = append(list, jsonRule(m))
		}
		e := json.NewEncoder(app.Stdout)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(list)
	}
	for _, m := range iocache.ReadyMades {
		text := m.What
		if m.Bound != "" {
			text += ". Not enough by itself: " + m.Bound
		}
		if _, err := fmt.Fprintf(app.Stdout, "%-16s%s\n", m.Name, text); err != nil {
			return err
		}
	}
	return nil
}
