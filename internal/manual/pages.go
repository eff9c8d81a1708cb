package manual

import (
	"fmt"
	"strings"
)

// A File is a page.
type File struct{ Name, Text string }

// Man returns the man pages: one of the tool and one of each command.
func (t *Tool) Man() []File {
	var b strings.Builder
	title(&b, t.Name)
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(t.Name), roff(t.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n.I COMMAND\n[flags] [arguments]\n.SH DESCRIPTION\n%s.SH COMMANDS\n", roff(t.Name), roffText(t.Long))
	for i := range t.Commands {
		c := &t.Commands[i]
		fmt.Fprintf(&b, ".TP\n.BR %s (1)\n%s\n", roff(t.Name+"-"+c.page()), roff(c.Short))
	}
	files := []File{{t.Name + ".1", b.String()}}
	for i := range t.Commands {
		c := &t.Commands[i]
		var b strings.Builder
		name := t.Name + "-" + c.page()
		title(&b, name)
		fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n.SH SYNOPSIS\n%s\n.SH DESCRIPTION\n%s", roff(name), roff(c.Short), roff(c.Usage), roffText(c.Long))
		if len(c.Flags) > 0 {
			b.WriteString(".SH OPTIONS\n")
		}
		for _, f := range c.Flags {
			fmt.Fprintf(&b, ".TP\n.B \\-%s", roff(f.Name))
			if f.Value != "" {
				fmt.Fprintf(&b, " \\fI%s\\fR", roff(f.Value))
			}
			fmt.Fprintf(&b, "\n%s\n", roff(f.Usage))
		}
		fmt.Fprintf(&b, ".SH SEE ALSO\n.BR %s (1)\n", roff(t.Name))
		files = append(files, File{name + ".1", b.String()})
	}
	return files
}

// title has no date, so that equal sources make equal pages.
func title(b *strings.Builder, name string) {
	fmt.Fprintf(b, ".TH %s 1 \"\" \"\" \"Heddle manual\"\n", strings.ToUpper(roff(name)))
}

var roffEscapes = strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", `\[u2026]`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`)

// roff writes a line such that nothing of it is an instruction.
func roff(line string) string {
	line = roffEscapes.Replace(line)
	if strings.HasPrefix(line, ".") {
		line = `\&` + line
	}
	return line
}

// roffText writes paragraphs; lines that are indented stay as they are.
func roffText(text string) string {
	var b strings.Builder
	kept := false
	keep := func(on bool) {
		if on != kept {
			b.WriteString(map[bool]string{true: ".PP\n.nf\n", false: ".fi\n"}[on])
		}
		kept = on
	}
	blank := false
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		if line == "" {
			keep(false)
			blank = true
			continue
		}
		indented := strings.HasPrefix(line, "  ")
		keep(indented)
		if blank && !indented {
			b.WriteString(".PP\n")
		}
		blank = false
		b.WriteString(roff(line) + "\n")
	}
	keep(false)
	return b.String()
}

// Markdown returns a page of all commands and their flags.
func (t *Tool) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Commands and flags\n\nWhat `%s help COMMAND` prints, of all commands. This page is made from the code.\n", t.Name)
	for i := range t.Commands {
		c := &t.Commands[i]
		fmt.Fprintf(&b, "\n## %s %s\n\n%s: `%s`\n", t.Name, c.page(), capital(c.Short), c.Usage)
		if len(c.Flags) > 0 {
			b.WriteString("\n| flag | |\n| --- | --- |\n")
		}
		for _, f := range c.Flags {
			name := "-" + f.Name
			if f.Value != "" {
				name += " " + f.Value
			}
			fmt.Fprintf(&b, "| `%s` | %s |\n", cell(name), cell(f.Usage))
		}
	}
	return b.String()
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// cell writes text into a table.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`).Replace(s)
}
