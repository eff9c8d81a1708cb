package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// TestAgreeScripts: the certificates that the scripts of heddle's own tests write go through both checkers. Neither is told how they were
// made, but for servers and arguments: so some are of something else. What one certifies the other
// does not find wrong.
func TestAgreeScripts(t *testing.T) {
	list, err := filepath.Glob("../../internal/cli/testdata/script/*.txtar")
	if err != nil || len(list) == 0 {
		t.Fatalf("got %v, %v", list, err)
	}
	for i := range list {
		if list[i], err = filepath.Abs(list[i]); err != nil {
			t.Fatal(err)
		}
	}
	if !testlong.On() { // the others take their time
		list = slices.DeleteFunc(list, func(name string) bool {
			return !slices.Contains([]string{"cert.txtar", "pool.txtar"}, filepath.Base(name))
		})
	}
	certified, wrong := 0, 0
	for _, name := range list {
		script, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var lines [][]string
		for line := range strings.Lines(string(script.Comment)) {
			args := quoted(line)
			if len(args) > 2 && args[0] == "exits" && args[1] == "0" && args[2] == "check" && slices.Contains(args, "-cert") && !slices.Contains(args, "-cert-trustful") {
				lines = append(lines, args[2:])
			}
		}
		if len(lines) == 0 {
			continue
		}
		t.Chdir(t.TempDir())
		for _, f := range script.Files {
			if err := os.MkdirAll(filepath.Dir(f.Name), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(f.Name, f.Data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		for _, line := range lines {
			file := line[slices.Index(line, "-cert")+1]
			if code, _ := heddle(line...); code != diag.ExitOK {
				continue // it needs what the script has done before
			}
			flags, source := claimed(line)
			one, said := heddle(slices.Concat([]string{"certify"}, flags, []string{file}, source)...)
			two, also := certcheck(slices.Concat(flags, []string{file}, source)...)
			other := strings.Contains(said, "certificate of something else")
			if one == diag.ExitOK && two == diag.ExitFinding || two == diag.ExitOK && one != diag.ExitOK && !other || strings.HasPrefix(also, "violation: ") && one != diag.ExitFinding {
				t.Errorf("%s: %v: heddle certify: exit %d, %q; certcheck: exit %d, %q", filepath.Base(name), line, one, said, two, also)
			}
			if one == diag.ExitOK && two == diag.ExitOK {
				certified++
			}
			if one == diag.ExitFinding && two == diag.ExitFinding {
				wrong++
			}
		}
	}
	t.Logf("both certify %d, and both refuse %d", certified, wrong)
	if certified < 8 || wrong < 4 {
		t.Errorf("got %d that both certify, and %d that both refuse", certified, wrong)
	}
}

// quoted splits a line of a script.
func quoted(line string) (words []string) {
	for i, part := range strings.Split(strings.TrimSpace(line), "'") {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	return words
}

// claimed returns what both checkers are told of a check: servers, and the program with its arguments.
func claimed(line []string) (flags, source []string) {
	for i := 1; i < len(line); i++ {
		switch arg := line[i]; {
		case arg == "--":
			return flags, append(source, line[i:]...)
		case arg == "-server-package":
			flags = append(flags, arg, line[i+1])
			i++
		case strings.HasPrefix(arg, "./") || strings.HasSuffix(arg, ".go") || strings.HasSuffix(arg, ".mcrl2"):
			source = append(source, arg)
		}
	}
	return flags, source
}
