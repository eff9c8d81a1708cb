// Package pages reads Markdown as far as it has to be read to execute it: blocks of
// code, the commands in them with the output that is shown, and what comments before a
// block say about it:
//
//	<!-- exits 1 -->            the exit codes of its commands, 0 if there is no comment; one for all, or one each
//	<!-- not run: REASON -->    it cannot be executed by a test
//	<!-- elsewhere: FILE TEXT -->  another test executes it, of which FILE is: the text, or else its arguments, are there
//	<!-- in: FOLDER -->         it is typed there
//	<!-- varies: REASON -->     its output is not compared
//	<!-- file: NAME -->         it is a file, for the commands that follow
//	<!-- part of: NAME -->      it stands in a file, as it is here
//
// It executes nothing itself.
package pages

import (
	"regexp"
	"strings"
)

// A Block is a piece of code.
type Block struct {
	Line  int    // of its first line
	Lang  string // as a fence names it
	Text  string // without indentation; each line ends with a newline
	Marks []Mark
}

// A Mark is what a comment says.
type Mark struct{ Word, Rest string }

// words are those of marks. A comment that begins with none of them is none.
var words = []string{"exits", "not run:", "elsewhere:", "varies:", "in:", "file:", "part of:"}

// Mark returns the rest of a mark, and whether it is there.
func (b *Block) Mark(word string) (rest string, ok bool) {
	for _, m := range b.Marks {
		if m.Word == word {
			return m.Rest, true
		}
	}
	return "", false
}

var comment = regexp.MustCompile(`^<!-- (.*) -->$`)

// Parse returns the blocks of a page.
func Parse(text string) (blocks []Block) {
	var marks []Mark
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	blank := true
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "```"):
			b := Block{Line: i + 2, Lang: strings.TrimPrefix(trimmed, "```"), Marks: marks}
			indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
			for i++; i < len(lines) && strings.TrimSpace(lines[i]) != "```"; i++ {
				b.Text += strings.TrimPrefix(lines[i], indent) + "\n"
			}
			blocks, marks, blank = append(blocks, b), nil, true
		case blank && strings.HasPrefix(line, "    ") && trimmed != "":
			b := Block{Line: i + 1, Marks: marks}
			for ; i < len(lines) && (strings.HasPrefix(lines[i], "    ") || strings.TrimSpace(lines[i]) == ""); i++ {
				b.Text += strings.TrimPrefix(lines[i], "    ") + "\n"
			}
			i--
			b.Text = strings.TrimRight(b.Text, "\n") + "\n"
			blocks, marks, blank = append(blocks, b), nil, true
		case trimmed == "":
			blank = true
		default:
			blank = false
			if m := comment.FindStringSubmatch(trimmed); m != nil {
				if mark, ok := markOf(m[1]); ok {
					marks = append(marks, mark)
					blank = true
					continue
				}
			}
			marks = nil
		}
	}
	return blocks
}

func markOf(text string) (Mark, bool) {
	for _, w := range words {
		if rest, ok := strings.CutPrefix(text, w); ok {
			return Mark{strings.TrimSuffix(w, ":"), strings.TrimSpace(rest)}, true
		}
	}
	return Mark{}, false
}

// A Command is a line that one types.
type Command struct {
	Line   int
	Text   string // lines that a backslash ends are one
	Output string // what is shown below it
}

// typed is how lines begin that one types, if no $ is before them.
var typed = regexp.MustCompile(`^(heddle|heddle-nats|make|mkdir|cd|sed|git|curl|python3|go (run|install|test|build|tool|vet|mod)) `)

// Shell reports whether a block is something that one types.
func (b *Block) Shell() bool {
	first, _, _ := strings.Cut(b.Text, "\n")
	return b.Lang == "sh" || b.Lang == "console" || strings.HasPrefix(first, "$ ") || b.Lang == "" && typed.MatchString(first)
}

// Commands returns what one types. If a line of the block begins with $, all that one types does, and other lines are output.
func (b *Block) Commands() (list []Command) {
	prompt := strings.HasPrefix(b.Text, "$ ") || strings.Contains(b.Text, "\n$ ")
	lines := strings.Split(strings.TrimSuffix(b.Text, "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		line, is := strings.CutPrefix(lines[i], "$ ")
		if !prompt {
			is = strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#")
		}
		switch {
		case is:
			c := Command{Line: b.Line + i, Text: line}
			for strings.HasSuffix(c.Text, "\\") && i+1 < len(lines) {
				i++
				c.Text = strings.TrimSuffix(c.Text, "\\") + strings.TrimSpace(strings.TrimPrefix(lines[i], ">"))
			}
			list = append(list, c)
		case prompt && len(list) > 0:
			list[len(list)-1].Output += line + "\n"
		}
	}
	return list
}

var (
	durations = regexp.MustCompile(`\b[0-9]+(\.[0-9]+)?(ns|µs|ms|s)\b`)
	dots      = regexp.MustCompile(`\.\.\.|…`)
)

// Alike reports whether output is what a page shows: spaces and ends of lines do not count, nor do
// durations, and dots stand for anything.
func Alike(shown, output string) bool {
	output = level(output)
	parts := dots.Split(shown, -1)
	for i, part := range parts {
		part = level(part)
		at := strings.Index(output, part)
		switch {
		case at < 0 || i == 0 && at > 0:
			return false
		case i == len(parts)-1 && i > 0 && !strings.HasSuffix(output, part):
			return false
		}
		output = strings.TrimLeft(output[at+len(part):], " ")
		if i == len(parts)-1 && i == 0 && output != "" {
			return false
		}
	}
	return true
}

func level(s string) string {
	return durations.ReplaceAllString(strings.Join(strings.Fields(s), " "), "0s")
}
