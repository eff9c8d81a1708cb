package cli

import (
	"context"
	"flag"
	"fmt"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/explain"
	"github.com/heddle-mc/heddle/internal/nearest"
)

var cmdExplain = &command{
	name:  "explain",
	args:  "[WORD]",
	short: "say what a word of a report means, and what to do",
	long: `Explain tells of a kind of finding, of a reason why a result is inconclusive, or of
a verdict: what it means, and what to do. WORD is as reports say it: deadlock,
race, time. Without it all words are listed.`,
	words: explainWords,
	setup: func(app *App, fs *flag.FlagSet) func(context.Context, []string) (int, error) {
		return func(ctx context.Context, args []string) (int, error) {
			switch len(args) {
			case 0:
				group := ""
				for _, t := range explain.Topics() {
					if t.Group != group {
						if group != "" {
							fmt.Fprintln(app.Stdout)
						}
						group = t.Group
						fmt.Fprintf(app.Stdout, "%s:\n", group)
					}
					fmt.Fprintf(app.Stdout, "  %-16s%s\n", t.Name, t.Short)
				}
				return diag.ExitOK, nil
			case 1:
				word := strings.ToLower(strings.TrimRight(args[0], ":"))
				t := explain.Lookup(word)
				if t == nil {
					return 0, diag.Usagef("unknown word %q%s 'heddle explain' lists all words", args[0], nearest.Colon(word, explainWords()))
				}
				_, err := fmt.Fprintf(app.Stdout, "%s: %s", t.Name, t.Text)
				return diag.ExitOK, err
			}
			return 0, diag.Usagef("%d words given: name one", len(args))
		}
	},
}

// explainWords are the words that can be explained.
func explainWords() (words []string) {
	for _, t := range explain.Topics() {
		words = append(words, t.Name)
	}
	return words
}
