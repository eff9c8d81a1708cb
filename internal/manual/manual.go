// Package manual tells of a command and its commands in the forms that others
// read: man pages, a page of all flags in Markdown, and scripts with which shells
// complete words. It is handed what the help text is made of, and knows nothing of
// what commands do.
package manual

import (
	"flag"
	"strings"
)

// A Tool is a command that has commands.
type Tool struct {
	Name     string
	Short    string // one line
	Long     string // sentences
	Commands []Command
}

// A Command is one of them.
type Command struct {
	Name  string
	Page  string // its name among pages, if it is not Name: a command may have two forms
	Usage string // heddle check [flags] PACKAGE
	Short string
	Long  string
	Words []string // what may follow, if that is one of these
	Flags []Flag
}

// A Flag is an option of a command.
type Flag struct {
	Name  string
	Value string // what follows it, in one word; empty if nothing does
	Usage string // a line, with the default
}

// page returns the name of a command's page.
func (c *Command) page() string {
	if c.Page != "" {
		return c.Page
	}
	return c.Name
}

// Flags returns the flags of a set, in the order and the words of its help text.
func Flags(fs *flag.FlagSet) (list []Flag) {
	fs.VisitAll(func(f *flag.Flag) {
		one := flag.NewFlagSet("", flag.ContinueOnError)
		var text strings.Builder
		one.SetOutput(&text)
		one.Var(f.Value, f.Name, f.Usage)
		one.Lookup(f.Name).DefValue = f.DefValue
		one.PrintDefaults()
		head, usage, _ := strings.Cut(text.String(), "\t")
		_, value, _ := strings.Cut(strings.TrimSpace(head), " ")
		list = append(list, Flag{Name: f.Name, Value: value, Usage: strings.Join(strings.Fields(usage), " ")})
	})
	return list
}

// brief cuts the words of a flag for a menu.
func brief(usage string) string {
	for _, end := range []string{": ", "; ", " (", ", "} {
		if head, _, ok := strings.Cut(usage, end); ok && len(head) > 8 {
			usage = head
		}
	}
	if r := []rune(usage); len(r) > 70 {
		usage = string(r[:69]) + "…"
	}
	return usage
}
