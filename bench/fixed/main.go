// Command fixed checks programs with two connections to servers that say something else each time they are started: TLS,
// HTTP/2, and postgres with a password. Each is checked with default flags and with -fixed=false, which takes connections for independent or ends at the first restart. It fails if a verdict with default
// flags is wrong.
//
//	go run ./bench/fixed -o docs/results/fixed.md
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/heddle-mc/heddle/bench/measure"
)

// A protocol is what a server speaks, and its command.
type protocol struct {
	name, what string
	command    string
	flags      []string
}

// A row is one check.
type row struct {
	protocol
	way, fixing string
	code        int
	verdict     string
	states      int64
	restarts    int64
	replays     int64
	cpu         float64
	again       int // times that the search began again
	equal       int // runs with this verdict and number of states
}

func main() {
	out := flag.String("o", "", "write the page to this file")
	runs := flag.Int("n", 5, "do each check so many `times`")
	flag.Parse()
	rows, skipped, err := run(*runs)
	if err == nil {
		err = measure.Write(*out, page(rows, *runs, skipped))
	}
	for _, r := range rows {
		if want := map[string]int{"right": 0, "wrong": 1}[r.way]; err == nil && r.fixing == "" && r.code != want {
			err = fmt.Errorf("%s %s: got exit code %d, want %d", r.name, r.way, r.code, want)
		}
	}
	measure.Exit("fixed", err)
}

// run builds what is needed and does all checks.
func run(times int) (rows []row, skipped []string, err error) {
	bin, err := measure.Build("cmd/heddle", "bench/fixed/server")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(bin)
	list := []protocol{
		{name: "tls", what: "TLS 1.3, crypto/tls", command: bin + "/server tls {addr:7000}"},
		{name: "http2", what: "HTTP/2, net/http", command: bin + "/server http2 {addr:7000}"},
	}
	p, done, err := postgres()
	if err != nil {
		skipped = append(skipped, fmt.Sprintf("postgres (%v)", err))
	} else {
		defer done()
		list = append(list, p)
	}
	for _, p := range list {
		for _, way := range []string{"right", "wrong"} {
			for _, fixing := range []string{"-fixed=false -cache process", "-fixed=false", ""} {
				r := row{protocol: p, way: way, fixing: fixing}
				for i := range times {
					again := row{protocol: p, way: way, fixing: fixing}
					if err := again.check(bin); err != nil {
						return rows, skipped, err
					}
					if i == 0 {
						r = again
					}
					if again.code == r.code && again.states == r.states {
						r.equal++
					}
				}
				fmt.Fprintf(os.Stderr, "%s %s %s: exit %d, %d states, %d restarts, cpu %.1fs\n", p.name, way, fixing, r.code, r.states, r.restarts, r.cpu)
				rows = append(rows, r)
			}
		}
	}
	return rows, skipped, nil
}

// check runs the command.
func (r *row) check(bin string) error {
	args := append([]string{"check", "-json", "-timeout", "2m", "-server", r.command}, r.flags...)
	args = append(args, strings.Fields(r.fixing)...)
	cmd := exec.Command(filepath.Join(bin, "heddle"), append(args, "./bench/fixed/talk", "--", r.name, r.way)...)
	var said strings.Builder
	cmd.Stderr = &said
	data, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return err
	}
	r.code = cmd.ProcessState.ExitCode()
	var report struct {
		Targets []struct {
			Verdict string  `json:"verdict"`
			States  int64   `json:"states"`
			CPU     float64 `json:"cpu_seconds"`
			Traffic struct {
				Peers    int   `json:"peers"`
				Restarts int64 `json:"restarts"`
				Replays  int64 `json:"replays"`
			} `json:"traffic"`
		} `json:"targets"`
	}
	if err := json.Unmarshal(data, &report); err != nil || len(report.Targets) != 1 || report.Targets[0].Traffic.Peers != 1 {
		return fmt.Errorf("%s %s: %v\n%s%s", r.name, r.way, err, data, said.String())
	}
	t := report.Targets[0]
	r.verdict, r.states, r.cpu = t.Verdict, t.States, t.CPU
	r.restarts, r.replays = t.Traffic.Restarts, t.Traffic.Replays
	r.again = strings.Count(said.String(), "searching again")
	return nil
}

// postgres makes one with a password and a counter. Each run has a copy of its files, also where one that was ended early has left some.
func postgres() (p protocol, done func(), err error) {
	list, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(list) == 0 {
		return p, nil, errors.New("not installed: apt install postgresql")
	}
	bin := filepath.Dir(list[0])
	dir, err := os.MkdirTemp("/tmp", "heddle-fixed")
	if err != nil {
		return p, nil, err
	}
	done = func() { os.RemoveAll(dir) }
	as := ""
	if os.Getuid() == 0 { // as which it refuses to run
		as = "setpriv --reuid=postgres --regid=postgres --clear-groups "
	}
	script := fmt.Sprintf(`echo secret > %[1]s/password && chmod -R a+rwx %[1]s && cd %[1]s &&
%[2]s %[3]s/initdb -D %[1]s/data -U u -A scram-sha-256 --pwfile %[1]s/password -N &&
echo 'CREATE TABLE counter AS SELECT 0 AS n' | %[2]s %[3]s/postgres --single -D %[1]s/data postgres`, dir, as, bin)
	if text, err := exec.Command("sh", "-c", script).CombinedOutput(); err != nil {
		done()
		return p, nil, fmt.Errorf("initdb: %w %s", err, text)
	}
	command := fmt.Sprintf("%[2]s sh -c 'rm -rf %[1]s/{port:7000} && cp -r %[1]s/data %[1]s/{port:7000} && exec %[3]s/postgres -D %[1]s/{port:7000} -p {port:7000} -k %[1]s -c autovacuum=off -c fsync=off'", dir, as, bin)
	return protocol{name: "postgres", what: "postgres 15, SCRAM-SHA-256", command: command, flags: []string{"-rule", "postgres-key"}}, done, nil
}

// page writes down what was measured.
func page(rows []row, times int, skipped []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Servers that do not repeat themselves

Made by `+"`make fixed`"+`%s. Programs with two connections, used by two goroutines at the same time, and a server that counts. The server says something else
each time that it is started, and the program's next words depend on that. The wrong program believes that its first goroutine is always served first.
The flags are the defaults (with `+"`-rule postgres-key`"+` for postgres, whose process ids differ) or what is said. With `+"`-fixed=false`"+` connections are taken to be independent, since it cannot be tested, as the
verdict says, or a restart ends the search, which depends on the run; with `+"`-cache process`"+` besides, the first restart ends the search. States, restarts and replays are those of the last search; CPU seconds are Heddle's, of all
searches of the check. Each check was done %d times. The figures are those of the first, and the last column says how many had the same verdict and number of states.

| server | program | flags | verdict | states | restarts | replays | searches | CPU s | equal |
| --- | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |
`, measure.Commit(), times)
	for _, r := range rows {
		flags := r.fixing
		if flags == "" {
			flags = "default"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %d | %d | %d | %d | %.1f | %d |\n", r.what, r.way, flags, r.verdict, r.states, r.restarts, r.replays, r.again+1, r.cpu, r.equal)
	}
	for _, s := range skipped {
		fmt.Fprintf(&b, "\nSkipped: %s.\n", s)
	}
	return b.String()
}
