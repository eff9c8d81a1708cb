package cli

import (
	"bytes"
	"crypto/ed25519"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// changing is a program of which one thing or another is changed. Late is called at
// the end of a run, early at its beginning, rare under one schedule of many, and
// never is not called.
const changing = `package main

import "sync"

type pair struct{ a, b int }

const limit = 10

var flag = limit > 20

//go:noinline
func late(n int) int { return n + 1 }

//go:noinline
func early(n int) int { return n * 2 }

//go:noinline
func rare(n int) int { return n - 1 }

//go:noinline
func never(n int) int { return n / 3 }

func main() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	n := early(1)
	p := pair{a: 1}
	last := 0
	for i := range 3 {
		wg.Add(1)
		go func() {
			mu.Lock()
			n += i
			mu.Unlock()
			mu.Lock()
			if last == 2 && i == 0 {
				n = rare(n)
			}
			last = i
			mu.Unlock()
			wg.Done()
		}()
	}
	wg.Wait()
	if n = late(n); flag {
		n = never(n)
	}
	if n > 100 {
		panic(p.a)
	}
}
`

// TestAgainst: a program that was changed is judged as a search of everything judges
// it, and what is re-used is as much as can be. make test tries every other change.
func TestAgainst(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir) // for the key of the user
	program, file := filepath.Join(dir, "main.go"), filepath.Join(dir, "c.heddle")
	write := func(text string) {
		if err := os.WriteFile(program, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(changing)
	if code, stdout, stderr := runHeddle("check", "-cert", file, "-cert-graph", program); code != 0 {
		t.Fatalf("got exit %d, %q, %q", code, stdout, stderr)
	}
	for i, test := range []struct {
		name, old, new string
		flags          string
		said           string
	}{
		{"nothing", "", "", "", "nothing .* has changed; .* proven by it, 0 were taken"},
		{"never", "n / 3", "n / 4", "", "main.never has changed; .* proven by it, 0 were taken"},
		{"lines", "type pair", "\n\n\ntype pair", "", "positions .* have changed; .* 0 were taken"},
		{"rare", "n - 1", "n - 2", "", "main.rare has changed; [1-9][0-9]* of .* proven by it, [1-9][0-9]* were taken"},
		{"late", "n + 1", "n + 2", "", "main.late has changed; [1-9][0-9]* of .* proven by it, [1-9][0-9]* were taken"},
		{"early", "n * 2", "n * 3", "", "everything is searched: main.early has changed, which the start executes"},
		{"late and wrong", "return n + 1", "return n + 1000", "", "everything is searched: something is wrong"},
		{"rare and wrong", "return n - 1", "return n + 1000", "", "everything is searched: something is wrong"},
		{"rare and stuck", "return n - 1", "select {}", "", "everything is searched: "},
		{"a constant", "limit = 10", "limit = 30", "", "everything is searched: .*main.init"},
		{"a type", "a, b int", "a, b, c int", "", "everything is searched: .*types, variables or the set of functions have changed"},
		{"settings", "", "", "-late=0", "everything is searched: the certificate has other settings"},
		{"a limit", "", "", "-states=100000", "everything is searched: that is for a search of everything"},
	} {
		if !testlong.On() && i%2 > 0 {
			continue
		}
		if !strings.Contains(changing, test.old) {
			t.Fatalf("%s: %q is not there", test.name, test.old)
		}
		write(strings.Replace(changing, test.old, test.new, 1))
		args := []string{program}
		if test.flags != "" {
			args = append([]string{test.flags}, args...)
		}
		code, stdout, stderr := runHeddle(append([]string{"check", "-o", dir, "-against", file}, args...)...)
		if !regexp.MustCompile(test.said).MatchString(stderr) {
			t.Errorf("%s: got %q, want %q", test.name, stderr, test.said)
		}
		if strings.Contains(stderr, "everything is searched") && code == 0 {
			continue // that was the search of everything
		}
		wantCode, want, _ := runHeddle(append([]string{"check", "-o", dir}, args...)...)
		// How deep it is, and which bounds were met, is not known of what was proven before.
		unknown := regexp.MustCompile(`, depth \d+|; (no bounds|bounds: .*)`)
		if code != wantCode || unknown.ReplaceAllString(stdout, "") != unknown.ReplaceAllString(want, "") {
			t.Errorf("%s: got exit %d, %q, want %d, %q", test.name, code, stdout, wantCode, want)
		}
	}
}

// TestAgainstForged: of a graph that somebody else has written, or edited, nothing is believed.
func TestAgainstForged(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "mine"))
	program, good, wrong := filepath.Join(dir, "main.go"), filepath.Join(dir, "good.heddle"), filepath.Join(dir, "wrong.heddle")
	for _, v := range []struct {
		text, file string
		flags      []string
	}{
		{strings.Replace(changing, "return n + 1", "return n + 1000", 1), wrong, []string{"-panic=false"}}, // whose functions have the right hashes
		{changing, good, nil},
	} {
		if err := os.WriteFile(program, []byte(v.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if code, stdout, stderr := runHeddle(append(append([]string{"check", "-cert", v.file, "-cert-graph"}, v.flags...), program)...); code != 0 {
			t.Fatalf("got exit %d, %q, %q", code, stdout, stderr)
		}
	}
	if err := os.WriteFile(program, []byte(strings.Replace(changing, "return n + 1", "return n + 1000", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	read := func(name string) []byte {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	open := func(data []byte) *cert.Reader {
		c, err := cert.Open(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	of := open(read(wrong)).Header
	forged := rewrite(t, read(good), func(h *cert.Header) { h.Program, h.Functions = of.Program, of.Functions })
	_, other, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"without a signature":       forged,
		"with that of another user": append(bytes.Clone(forged), cert.Sign(open(forged), other)...),
	} {
		if err := os.WriteFile(good, data, 0o666); err != nil {
			t.Fatal(err)
		}
		code, stdout, stderr := runHeddle("check", "-o", dir, "-against", good, program)
		if code != 1 || !strings.Contains(stdout, "panic") || !strings.Contains(stderr, "not signed with the key of this user") {
			t.Errorf("%s: got exit %d, %q, %q, want a panic", name, code, stdout, stderr)
		}
	}
}

// TestChangedFunction: a certificate that is refused names the function that has
// changed.
func TestChangedFunction(t *testing.T) {
	dir := t.TempDir()
	program, file := filepath.Join(dir, "main.go"), filepath.Join(dir, "c.heddle")
	for i, text := range []string{changing, strings.Replace(changing, "n - 1", "n - 2", 1)} {
		if err := os.WriteFile(program, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			if code, stdout, _ := runHeddle("check", "-cert", file, program); code != 0 {
				t.Fatal(stdout)
			}
			continue
		}
		code, stdout, _ := runHeddle("certify", file, program)
		if want := "it is about another program"; code != 1 || !strings.Contains(stdout, want) || !strings.HasSuffix(stdout, ": main.rare has changed\n") {
			t.Errorf("got exit %d, %q, want %q and main.rare", code, stdout, want)
		}
	}
}
