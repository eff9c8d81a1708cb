package manual

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tool is a small one in which everything occurs that has to be escaped.
func tool() *Tool {
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	fs.String("o", "it's.txt", "write to `file`: one | two, or *all*")
	fs.Bool("v", false, "tell more")
	fs.Duration("late", 0, "wait at most `d`; 0 means not at all")
	return &Tool{Name: "loom", Short: "weave", Long: "Loom weaves.", Commands: []Command{
		{Name: "weave", Usage: "loom weave [flags] FILE", Short: "make cloth: it's done", Flags: Flags(fs),
			Long: "Weave makes cloth.\n.It begins\\ends:\n\n  cloth   one's own\n  thread\n\nAnd so on."},
		{Name: "weave", Page: "weave-silk", Usage: "loom weave SILK", Short: "of silk", Long: "Silk.", Flags: []Flag{{Name: "fine", Usage: "finer"}}},
		{Name: "explain", Usage: "loom explain WORD", Short: "explain", Long: "Explain.", Words: []string{"warp", "weft"}},
	}}
}

func TestFlags(t *testing.T) {
	want := []Flag{
		{"late", "d", "wait at most d; 0 means not at all"},
		{"o", "file", `write to file: one | two, or *all* (default "it's.txt")`},
		{"v", "", "tell more"},
	}
	if got := tool().Commands[0].Flags; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestMan(t *testing.T) {
	files := tool().Man()
	if len(files) != 4 || files[1].Name != "loom-weave.1" || files[2].Name != "loom-weave-silk.1" {
		t.Fatalf("got %q", files)
	}
	want := `.TH LOOM\-WEAVE 1 "" "" "Heddle manual"
.SH NAME
loom\-weave \- make cloth: it\(aqs done
.SH SYNOPSIS
loom weave [flags] FILE
.SH DESCRIPTION
Weave makes cloth.
\&.It begins\eends:
.PP
.nf
  cloth   one\(aqs own
  thread
.fi
.PP
And so on.
.SH OPTIONS
.TP
.B \-late \fId\fR
wait at most d; 0 means not at all
.TP
.B \-o \fIfile\fR
write to file: one | two, or *all* (default "it\(aqs.txt")
.TP
.B \-v
tell more
.SH SEE ALSO
.BR loom (1)
`
	if files[1].Text != want {
		t.Errorf("got\n%s\nwant\n%s", files[1].Text, want)
	}
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("there is no groff here, which would look at the pages")
	}
	for _, f := range files {
		cmd := exec.Command(groff, "-man", "-Tutf8", "-ww")
		cmd.Stdin = strings.NewReader(f.Text)
		var complaints strings.Builder
		cmd.Stderr = &complaints
		if _, err := cmd.Output(); err != nil || complaints.Len() > 0 {
			t.Errorf("%s: groff: %v: %s", f.Name, err, complaints.String())
		}
	}
}

func TestMarkdown(t *testing.T) {
	got := tool().Markdown()
	for _, want := range []string{
		"\n## loom weave\n\nMake cloth: it's done: `loom weave [flags] FILE`\n\n| flag | |\n| --- | --- |\n| `-late d` | wait",
		"\n| `-o file` | write to file: one \\| two, or \\*all\\* (default \"it's.txt\") |\n",
		"\n## loom weave-silk\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("got\n%s\nwithout\n%s", got, want)
		}
	}
}

// TestShells: what each shell makes of its script, if it is installed.
func TestShells(t *testing.T) {
	// Completion of lines, by each shell: the words that it offers.
	lines := []struct{ line, want string }{
		{"loom ", "weave explain"},
		{"loom we", "weave"},
		{"loom weave -", "-late -o -v -fine"},
		{"loom weave -f", "-fine"},
		{"loom explain we", "weft"},
	}
	dir := t.TempDir()
	ask := map[string]func(script, line string) []string{
		"bash": func(script, line string) []string {
			return []string{"-c", `. "$0"; COMP_WORDS=($1); [ "${1% }" = "$1" ] || COMP_WORDS+=(""); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _loom; echo "${COMPREPLY[@]}"`, script, line}
		},
		"zsh": func(script, line string) []string {
			// Outside of an editor the builtins are not there: these print what they are given.
			return []string{"-f", "-c", `compdef() { }; _files() { }
_describe() { local name=${@[-1]}; for x in ${(P)name}; do x=${x%%:*}; [[ $x == $PREFIX* ]] && print -n -- "$x "; done; print }
. $1; words=(${=2}); [[ $2 == *' ' ]] && words+=(''); CURRENT=$#words; PREFIX=$words[CURRENT]; _loom`, "zsh", script, line}
		},
		"fish": func(script, line string) []string {
			return []string{"--no-config", "-c", "source $argv[1]; complete -C $argv[2] | string replace -r '\\t.*' ''; true", script, line}
		},
	}
	for _, shell := range Shells {
		t.Run(shell, func(t *testing.T) {
			path, err := exec.LookPath(shell)
			if err != nil {
				t.Skipf("there is no %s here", shell)
			}
			script := filepath.Join(dir, shell)
			if err := os.WriteFile(script, []byte(tool().Completion(shell)), 0o666); err != nil {
				t.Fatal(err)
			}
			for _, l := range lines {
				cmd := exec.Command(path, ask[shell](script, l.line)...)
				cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_DATA_HOME="+dir)
				out, err := cmd.CombinedOutput()
				got := strings.Fields(string(out))
				want := strings.Fields(l.want)
				slices.Sort(got)
				slices.Sort(want)
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("%q: got %q, %v, want %q", l.line, out, err, want)
				}
			}
		})
	}
	if tool().Completion("tcsh") != "" {
		t.Error("a script for a shell that is not known")
	}
}
