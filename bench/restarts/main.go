// Command restarts checks programs whose server has to be started again and again, with this Heddle and with that of an earlier
// commit, one after the other. It writes docs/results/restarts.md.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/heddle-mc/heddle/bench/measure"
)

// cases are programs with their servers, all connections of which are one history. The port of redis is told in a way that the
// older one knows, too.
var cases = []struct {
	what, needs string
	args        []string
}{
	{"a store in Python, an update is lost", "python3", []string{"./bench/keepers/store", "-server", "python3 bench/keepers/server/keep.py {addr}", "--", "wrong"}},
	{"the same, all is right", "python3", []string{"./bench/keepers/store", "-server", "python3 bench/keepers/server/keep.py {addr}", "--", "right"}},
	{"a proxy between redis and two clients, 1,500 states", "redis-server", []string{"-states", "1500", "./bench/restarts/proxy",
		"-server", `redis-server --save "" --port $(echo {addr:6379} | cut -d: -f2)`,
		"-client", "python3 bench/restarts/client.py {addr}", "-client", "python3 bench/restarts/client.py {addr}"}},
}

type row struct {
	what, commit, verdict      string
	launches, copies, restarts string
	seconds                    float64
}

func main() {
	old := flag.String("old", "66fde4a", "the earlier `commit`")
	out := flag.String("o", "", "write the page to this file")
	flag.Parse()
	rows, skipped, err := run(*old)
	if err == nil {
		err = measure.Write(*out, page(rows, skipped, *old))
	}
	measure.Exit("restarts", err)
}

// run builds both and does all checks.
func run(old string) (rows []row, skipped []string, err error) {
	now, err := measure.Build("cmd/heddle")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(now)
	before, err := measure.BuildAt(old)
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(before)
	for _, c := range cases {
		if _, err := exec.LookPath(c.needs); err != nil {
			skipped = append(skipped, c.needs)
			continue
		}
		for _, h := range []struct{ commit, bin string }{{old, before}, {"this", now}} {
			r := row{what: c.what, commit: h.commit}
			if err := r.check(filepath.Join(h.bin, "heddle"), c.args); err != nil {
				return nil, nil, err
			}
			fmt.Fprintf(os.Stderr, "%s: %s: %.1f s\n", r.what, r.commit, r.seconds)
			rows = append(rows, r)
		}
	}
	return rows, skipped, nil
}

var (
	launched  = regexp.MustCompile(`(\d+) launches(?:, (\d+) copies)?`)
	restarted = regexp.MustCompile(`(\d+) restarts`)
	verdicts  = regexp.MustCompile(`(?m)^(verified|violation|inconclusive|not conclusive): [^;\n]*`)
)

// check does one check. It is done once before, so that the library is in the cache of both.
func (r *row) check(heddle string, args []string) error {
	trace, err := os.MkdirTemp("", "heddle-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(trace)
	first := []string{"check", "-v", "-cache", "process", "-o", trace}
	if r.commit == "this" {
		first = append(first, "-copies")
	}
	args = append(first, args...)
	var text []byte
	for range 2 {
		begin := time.Now()
		text, _ = exec.Command(heddle, args...).CombinedOutput() // the verdict says how it went
		r.seconds = time.Since(begin).Seconds()
	}
	if r.verdict = verdicts.FindString(string(text)); r.verdict == "" {
		return fmt.Errorf("%s %v: no verdict:\n%s", heddle, args, text)
	}
	r.verdict, _, _ = strings.Cut(r.verdict, ":")
	if m := launched.FindStringSubmatch(string(text)); m != nil {
		r.launches, r.copies = m[1], m[2]
	}
	if m := restarted.FindStringSubmatch(string(text)); m != nil {
		r.restarts = m[1]
	}
	return nil
}

// page writes the results.
func page(rows []row, skipped []string, old string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Servers that are needed again and again\n\n"+
		"Programs checked with `-cache process`, so that each order of requests needs a server to which nobody has talked, by Heddle as it was at %s and as it is%s, with `-copies`, one after the\n"+
		"other, the program's library being in the cache. Made by `make restarts`.\n\n"+
		"| program | Heddle | verdict | restarts | launches | copies | s | times faster |\n| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |\n", old, measure.Commit())
	for i, r := range rows {
		times := ""
		if i%2 == 1 {
			times = strconv.FormatFloat(rows[i-1].seconds/r.seconds, 'f', 1, 64)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %.1f | %s |\n", r.what, r.commit, r.verdict, r.restarts, r.launches, r.copies, r.seconds, times)
	}
	for _, s := range skipped {
		fmt.Fprintf(&b, "\nNot done: %s is not installed.\n", s)
	}
	return b.String()
}
