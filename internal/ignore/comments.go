package ignore

import (
	"bytes"
	"errors"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/nearest"
)

const (
	prefix    = "//heddle:"
	directive = prefix + "ignore"
)

// comments reads the comments of a file.
func (r *Rules) comments(name string) error {
	src, err := os.ReadFile(name)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // the go command has made it
		}
		return diag.List{diag.Usagef("%v", err)}
	}
	if !bytes.Contains(src, []byte("heddle:")) {
		return nil
	}
	list, wrong := r.scan(name, src)
	for _, m := range list {
		at := line{name, m.about}
		r.marks[at] = append(r.marks[at], &m.mark)
	}
	return wrong.Err()
}

// A placed mark is about a line.
type placed struct {
	mark
	about int
}

// scan finds the comments in a text. One that stands alone is about the line behind it, with other comments in between.
func (r *Rules) scan(name string, src []byte) (list []*placed, wrong diag.List) {
	fset := token.NewFileSet()
	file := fset.AddFile(name, -1, len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, scanner.ScanComments)
	code, said := 0, 0 // the last lines with code, and with a comment
	var open []*placed // those that stand alone, and whose line is not known
	for {
		pos, tok, text := s.Scan()
		at := file.PositionFor(pos, false)
		switch {
		case tok == token.EOF:
			return list, wrong
		case tok == token.SEMICOLON && text == "\n":
			continue
		case tok != token.COMMENT:
			for _, m := range open {
				if at.Line == said+1 {
					m.about = at.Line
				}
			}
			code, open = at.Line+strings.Count(text, "\n"), nil
			continue
		}
		if said+1 < at.Line { // a line is empty
			open = nil
		}
		said = at.Line + strings.Count(text, "\n")
		m, err := r.parse(text)
		if err != "" {
			wrong = append(wrong, diag.Sourcef(r.near(diag.FromToken(at)), "%s", err))
		}
		if m == nil {
			continue
		}
		p := &placed{mark: *m}
		p.pos = diag.FromToken(at)
		if list = append(list, p); code == at.Line {
			p.about = at.Line
		} else {
			open = append(open, p)
		}
	}
}

// parse reads one comment. It returns nil if it is none of ours, and what is wrong with it.
func (r *Rules) parse(text string) (*mark, string) {
	if rest, ok := strings.CutPrefix(text, "// heddle:ignore"); ok && (rest == "" || rest[0] == ' ') {
		return nil, "write " + directive + ", without a space before heddle"
	}
	rest, ok := strings.CutPrefix(text, prefix)
	if !ok {
		return nil, ""
	}
	word, rest, _ := strings.Cut(rest, " ")
	if word != "ignore" {
		return nil, "unknown comment " + prefix + word + nearest.Question(word, prefix, []string{"ignore"}) + ": there is " + directive + " KIND REASON"
	}
	kinds, reason, _ := strings.Cut(strings.TrimSpace(rest), " ")
	if kinds == "" {
		return nil, directive + " needs a kind and a reason: " + directive + " race REASON"
	}
	m := &mark{kinds: strings.Split(kinds, ","), reason: strings.TrimSpace(reason)}
	for _, k := range m.kinds {
		if why, ok := r.Refused[k]; ok {
			return nil, directive + " " + k + ": " + why
		}
		if !slices.Contains(r.Kinds, k) {
			return nil, directive + ": there is no kind " + k + nearest.Colon(k, r.Kinds) + " say one of " + strings.Join(r.Kinds, ", ")
		}
	}
	if m.reason == "" {
		return nil, directive + " " + kinds + " needs a reason: say behind it why the finding does not count"
	}
	return m, ""
}
