package cli

import (
	"bytes"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/tools/txtar"
)

// TestPagesPicture: the picture in README is what heddle prints for the program there, in its colours.
func TestPagesPicture(t *testing.T) {
	dir, cache := t.TempDir(), t.TempDir()
	text, err := os.ReadFile("testdata/docs/README.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse(text).Files {
		writeFile(t, filepath.Join(dir, f.Name), string(f.Data))
	}
	cmd := exec.Command("heddle", "test", ".")
	cmd.Dir = filepath.Join(dir, "finish")
	cmd.Env = append(os.Environ(), "CLICOLOR_FORCE=1", "NO_COLOR=", "HEDDLE_CACHE="+cache, "XDG_CONFIG_HOME="+cache, librarySocket+"="+serveLibrary(t), "GOPROXY=off", "GOTOOLCHAIN=local", "PWD="+cmd.Dir)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Run(); cmd.ProcessState.ExitCode() != 1 {
		t.Fatalf("got %v, want exit code 1\n%s%s", err, out.String(), errOut.String())
	}
	got := drawTerminal("heddle test .", untimed(out.String()))
	const name = "../../docs/first.svg"
	if os.Getenv("HEDDLE_UPDATE") != "" {
		writeFile(t, name, got)
	}
	if want := pageText(t, name); got != want {
		t.Errorf("docs/first.svg is not what heddle prints: run make pages\ngot\n%s", out.String())
	}
	for _, must := range []string{`class="c31 b"`, `class="c36"`, `class="c33"`, "prefers-color-scheme: dark"} {
		if !strings.Contains(got, must) {
			t.Errorf("got a picture without %s", must)
		}
	}
}

var (
	testTime    = regexp.MustCompile(`\(\d+\.\d\ds\)`)
	packageTime = regexp.MustCompile(`\t\d+\.\d{3}s`)
	colour      = regexp.MustCompile("\x1b\\[([0-9;]*)m")
)

// untimed gives all times the same values.
func untimed(text string) string {
	return packageTime.ReplaceAllString(testTime.ReplaceAllString(text, "(0.03s)"), "\t1.221s")
}

// drawnColumns is how many characters a line of the picture has.
const drawnColumns = 112

// A glyph is a character with its colours.
type glyph struct {
	r     rune
	class string
}

// drawTerminal draws a command and what it has printed. The picture follows the light or dark of who looks at it.
func drawTerminal(command, text string) string {
	lines := [][]glyph{glyphs("$ "+command, "b")}
	class := ""
	for line := range strings.Lines(text) {
		var row []glyph
		line = strings.TrimSuffix(line, "\n")
		for line != "" {
			at := colour.FindStringSubmatchIndex(line)
			if at == nil {
				row = append(row, glyphs(line, class)...)
				break
			}
			row = append(row, glyphs(line[:at[0]], class)...)
			class, line = classOf(line[at[2]:at[3]]), line[at[1]:]
		}
		lines = append(lines, wrapped(tabbed(row))...)
	}
	const width, step, top = 16 + 7.3*drawnColumns, 18, 24
	var b strings.Builder
	height := top + step*len(lines)
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %d\" width=\"%.0f\" height=\"%d\" role=\"img\" aria-label=\"%s, and what it prints\">\n", width, height, width, height, html.EscapeString(command))
	b.WriteString(`<style>
  .ground { fill: #f6f8fa; stroke: #d0d7de; }
  text { fill: #1b1f24; font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre; }
  .b { font-weight: 700; }
  .c2 { fill: #57606a; } .c31 { fill: #b3261e; } .c32 { fill: #116329; } .c33 { fill: #7a5200; } .c36 { fill: #0b6e75; }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117; stroke: #30363d; }
    text { fill: #e6edf3; }
    .c2 { fill: #9da7b3; } .c31 { fill: #ff8a80; } .c32 { fill: #7ee787; } .c33 { fill: #e3b341; } .c36 { fill: #56d4dd; }
  }
</style>
`)
	fmt.Fprintf(&b, "<rect class=\"ground\" x=\"0.5\" y=\"0.5\" width=\"%.0f\" height=\"%d\" rx=\"6\"/>\n", width-1, height-1)
	for i, row := range lines {
		fmt.Fprintf(&b, "<text x=\"10\" y=\"%d\" xml:space=\"preserve\">", top+step*i)
		for len(row) > 0 {
			n := 1
			for n < len(row) && row[n].class == row[0].class {
				n++
			}
			var part strings.Builder
			for _, g := range row[:n] {
				part.WriteRune(g.r)
			}
			if text := html.EscapeString(part.String()); row[0].class == "" {
				b.WriteString(text)
			} else {
				fmt.Fprintf(&b, "<tspan class=\"%s\">%s</tspan>", row[0].class, text)
			}
			row = row[n:]
		}
		b.WriteString("</text>\n")
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func glyphs(text, class string) []glyph {
	list := make([]glyph, 0, utf8.RuneCountInString(text))
	for _, r := range text {
		list = append(list, glyph{r, class})
	}
	return list
}

// classOf returns the class for the numbers of a colour.
func classOf(codes string) string {
	switch codes {
	case "", "0":
		return ""
	case "1":
		return "b"
	}
	if c, ok := strings.CutPrefix(codes, "1;"); ok {
		return "c" + c + " b"
	}
	return "c" + codes
}

// tabbed replaces tabs by blanks.
func tabbed(row []glyph) (out []glyph) {
	for _, g := range row {
		if g.r != '\t' {
			out = append(out, g)
			continue
		}
		for out = append(out, glyph{' ', ""}); len(out)%8 != 0; {
			out = append(out, glyph{' ', ""})
		}
	}
	return out
}

// wrapped cuts a line at blanks. What follows is set in by as much as the line and two more.
func wrapped(row []glyph) (lines [][]glyph) {
	indent := 0
	for indent < len(row) && row[indent].r == ' ' {
		indent++
	}
	for len(row) > drawnColumns {
		cut := drawnColumns
		for cut > indent+2 && row[cut-1].r != ' ' {
			cut--
		}
		if cut <= indent+2 {
			cut = drawnColumns
		}
		lines = append(lines, row[:cut])
		row = append(glyphs(strings.Repeat(" ", indent+2), ""), row[cut:]...)
	}
	return append(lines, row)
}
