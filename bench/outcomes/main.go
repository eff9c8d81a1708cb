// Command outcomes runs networked programs natively, again and again, and checks them with default
// flags. It fails if a run has an outcome that the search does not have.
//
//	go run ./bench/outcomes -runs 200 -o docs/results/outcomes.md
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/heddle-mc/heddle/bench/measure"
)

var ways = []struct{ name, what string }{
	{"incr", "two goroutines, each on a connection of its own, ask for a number of the server's"},
	{"turns", "the same on one connection, under a mutex"},
	{"pieces", "one Read of an answer in two writes"},
	{"pause", "the same, with 20 ms between the writes"},
	{"pipeline", "one Read after two requests"},
	{"bye", "reads until the server ends the connection"},
	{"deadline", "a second Read with a deadline of 20 ms, of an answer after 20 ms"},
}

// A row is one program.
type row struct {
	what, verdict     string
	native            map[string]int // runs by outcome
	searched, missing []string
}

func main() {
	out := flag.String("o", "", "write the page to this file")
	runs := flag.Int("runs", 200, "how often each program is run natively")
	flag.Parse()
	rows, err := all(*runs)
	if err == nil {
		err = measure.Write(*out, page(rows, *runs))
	}
	for _, r := range rows {
		if len(r.missing) > 0 && err == nil {
			err = fmt.Errorf("%s: the search does not have %q", r.what, r.missing)
		}
	}
	measure.Exit("outcomes", err)
}

// all builds what is needed, and runs and checks each program.
func all(runs int) (rows []row, err error) {
	bin, err := measure.Build("cmd/heddle", "bench/outcomes/server", "bench/outcomes/talk")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(bin)
	for _, w := range ways {
		r := row{what: w.what, native: make(map[string]int)}
		for range runs {
			list, err := native(bin, w.name)
			if err != nil {
				return rows, err
			}
			for _, o := range list {
				r.native[o]++
			}
		}
		if r.searched, r.verdict, err = search(bin, w.name); err != nil {
			return rows, err
		}
		for o := range r.native {
			if !slices.Contains(r.searched, o) {
				r.missing = append(r.missing, o)
			}
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// native runs a program once, with a server of its own, and returns its outcomes.
func native(bin, way string) ([]string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	addr := l.Addr().String()
	l.Close()
	server := exec.Command(filepath.Join(bin, "server"), addr)
	if err := server.Start(); err != nil {
		return nil, err
	}
	defer server.Wait()
	defer server.Process.Kill()
	for {
		if c, err := net.Dial("tcp", addr); err == nil {
			c.Close()
			break
		}
		time.Sleep(time.Millisecond)
	}
	file := filepath.Join(bin, "told")
	os.Remove(file)
	talk := exec.Command(filepath.Join(bin, "talk"), addr, way)
	talk.Env = append(os.Environ(), "HEDDLE_OUTCOMES="+file)
	if text, err := talk.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("talk %s: %v\n%s", way, err, text)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var list []string
	for line := range strings.Lines(string(data)) {
		text, err := strconv.Unquote(strings.TrimSpace(line))
		if err != nil {
			return nil, err
		}
		list = append(list, text)
	}
	return list, nil
}

// search returns the outcomes that a check tells, and its verdict.
func search(bin, way string) ([]string, string, error) {
	cmd := exec.Command(filepath.Join(bin, "heddle"), "check", "-json", "-o", filepath.Join(bin, "out"),
		"-server", filepath.Join(bin, "server")+" {addr:7000}", "./bench/outcomes/talk", "--", "127.0.0.1:7000", way)
	data, err := cmd.Output()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		return nil, "", err
	}
	var result struct {
		Verdict string
		Targets []struct{ Outcomes []string }
	}
	if err := json.Unmarshal(data, &result); err != nil || len(result.Targets) != 1 {
		return nil, "", fmt.Errorf("check of %s: %v\n%s", way, err, data)
	}
	return result.Targets[0].Outcomes, result.Verdict, nil
}

// page writes the results.
func page(rows []row, runs int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Native outcomes against those of the search\n\n"+
		"Programs that talk to a server and tell by `verify.Outcome` what has come of it: %d native runs of each, and one check with default flags. What a run\n"+
		"shows, the search has to show. Made by `make outcomes`%s.\n\n"+
		"| program | verdict | outcomes natively | in the search | missing |\n| --- | --- | --- | --- | --- |\n", runs, measure.Commit())
	for _, r := range rows {
		var seen []string
		for _, o := range slices.Sorted(maps.Keys(r.native)) {
			seen = append(seen, fmt.Sprintf("`%s` in %d", o, r.native[o]))
		}
		fmt.Fprintf(&b, "| %s | %s | %s | `%s` | %d |\n", r.what, r.verdict, strings.Join(seen, ", "), strings.Join(r.searched, "`, `"), len(r.missing))
	}
	return b.String()
}
