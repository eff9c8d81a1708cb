// Command stories checks ten small programs, each with a bug of another kind, as a new user would, and writes what they get to read.
// It fails if a bug is not found, or if the first ten lines do not name its cause.
//
//	go run ./bench/stories -o docs/results/stories.md
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/heddle-mc/heddle/bench/measure"
)

// A story is a program and what is wrong with it.
type story struct {
	name  string
	bug   string   // in words
	words []string // what the first ten lines have to say
	text  string   // what was printed
}

var stories = []story{
	{name: "race", bug: "The fast path of Size reads c.last without the lock.",
		words: []string{"read of c.last races with write", "cache.go:18", "cache.go:28", "TestCache.func1"}},
	{name: "abba", bug: "Transfer(alice, bob) and Total(bob, alice) take the locks of the two accounts in different orders.",
		words: []string{"TestTransfer holds a.mu", "wants b.mu", "TestTransfer.func1 holds b.mu", "wants a.mu"}},
	{name: "ctxleak", bug: "The slower replica sends its answer on a channel without a buffer from which nobody receives any more.",
		words: []string{"leak: First.func1 is blocked forever", "on answers", "fetch.go:11"}},
	{name: "doubleclose", bug: "Stop looks whether the channel is closed and then closes it; two may do that at a time.",
		words: []string{"close of closed channel", "between steps", "of TestStop: close s.quit"}},
	{name: "httpmap", bug: "A handler changes a map, and handlers run side by side.",
		words: []string{"concurrent map", "of h.count", "(*Hits).ServeHTTP 1", "(*Hits).ServeHTTP 2"}},
	{name: "wakeup", bug: "Close wakes one of two workers.",
		words: []string{"q.more.Wait()", "queue.go:42", "was TestQueue, at step", "q.more.Signal()"}},
	{name: "udp", bug: "An answer is lost (udp: in heddle.yaml says that it may be), the client asks again, and the counter counts again.",
		words: []string{"the counter has counted 2 times", "which is lost"}},
	{name: "signal", bug: "The interrupt and the end of main both close done.",
		words: []string{"close of closed channel", "main.func1"}},
	{name: "pool", bug: "Encode returns bytes of a buffer that it has put back.",
		words: []string{"race:", "bytes.(*Buffer).WriteByte", "encode_test.go:12"}},
	{name: "lostupdate", bug: "Sell reads how many are left and sets it later; each has the lock, both together do not.",
		words: []string{"one in stock, 2 sold", "reads s.left", "is overwritten"}},
}

func main() {
	out := flag.String("o", "", "write the page to this file")
	flag.Parse()
	missing, err := run()
	if err == nil {
		err = measure.Write(*out, page())
	}
	if err == nil && len(missing) > 0 {
		err = fmt.Errorf("not in the first ten lines: %s", strings.Join(missing, "; "))
	}
	measure.Exit("stories", err)
}

// run checks all programs and returns what their stories do not say.
func run() (missing []string, err error) {
	bin, err := measure.Build("cmd/heddle")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(bin)
	for i := range stories {
		s := &stories[i]
		cmd := exec.Command(filepath.Join(bin, "heddle"), s.command(), "-o", filepath.Join(bin, "out"), ".")
		cmd.Dir = filepath.Join("bench", "stories", "testdata", s.name)
		text, err := cmd.Output()
		if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 1 {
			return nil, fmt.Errorf("%s: %v, want a finding:\n%s", s.name, err, text)
		}
		s.text = strings.ReplaceAll(string(text), bin+string(filepath.Separator), "")
		lines := strings.SplitN(s.text, "\n", 11)
		head := strings.Join(lines[:min(len(lines), 10)], "\n")
		for _, word := range s.words {
			if !strings.Contains(head, word) {
				missing = append(missing, s.name+": "+word)
			}
		}
	}
	return missing, nil
}

// command is heddle test for a package with tests.
func (s *story) command() string {
	if tests, _ := filepath.Glob(filepath.Join("bench", "stories", "testdata", s.name, "*_test.go")); len(tests) > 0 {
		return "test"
	}
	return "check"
}

// page has all stories.
func page() string {
	var b strings.Builder
	b.WriteString("# Ten stories\n\nTen small programs below bench/stories/testdata, each with a bug of another kind, and all that Heddle prints of it, with default flags, in the\n" +
		"folder of the program. Who knows the program should see the cause in the first ten lines. Made by `make stories`" + measure.Commit() + ".\n")
	for _, s := range stories {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n```\n$ heddle %s .\n%s```\n", s.name, s.bug, s.command(), s.text)
	}
	return b.String()
}
