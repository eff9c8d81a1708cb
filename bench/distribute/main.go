// Command distribute has a certificate of a million transitions certified by worker
// processes that are killed all the time, and kills the coordinator once, too.
//
//	go run ./bench/distribute -runs 20 -o docs/results/distribute.md
//
// In each run there are four workers. Every second one of them, at random, is killed
// with SIGKILL, and another one is started in its place. The coordinator is killed
// when a random part of the results is there, and the same command is started again.
// It has to end with exit code 0 and the words that heddle certify prints when it
// examines the certificate alone, and how sure it is that workers have not lied.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

func main() {
	runs := flag.Int("runs", 20, "number of runs")
	workers := flag.Int("workers", 4, "number of workers")
	seed := flag.Uint64("seed", 1, "of the moments and the victims")
	out := flag.String("o", "", "write the table to this file")
	commit := flag.String("commit", "an unknown commit", "what is measured")
	flag.Parse()
	b := &bench{commit: *commit, workers: *workers, every: time.Second, rnd: rand.New(rand.NewPCG(*seed, 0))}
	text, err := b.measure(*runs)
	if err == nil && *out != "" {
		err = os.WriteFile(*out, []byte(text), 0o666)
	} else if err == nil {
		fmt.Print(text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "distribute:", err)
		os.Exit(1)
	}
}

// program is what is certified. All orders of its steps are followed.
const program = "./bench/distribute/program"

// slice is how many transitions a part has.
const slice = 8192

// bounds is where the verdict says what bounds it. Which ones were met is known to who has seen all states; of what others have examined all are told that
// the program could meet.
var bounds = regexp.MustCompile(`; (no bounds|bounds: )`)

var transitions = regexp.MustCompile(`, ([0-9]+) transitions;`)

// A bench is what all runs have in common.
type bench struct {
	commit  string
	workers int
	every   time.Duration
	rnd     *rand.Rand

	dir, bin string
	cert     string
	want     string // what certify prints
	alone    time.Duration
	parts    int
}

// measure makes the runs and returns the page.
func (b *bench) measure(runs int) (string, error) {
	if err := b.prepare(); err != nil {
		return "", err
	}
	defer os.RemoveAll(b.bin)
	var done []*run
	for i := range runs {
		r, err := b.run(i + 1)
		if err != nil {
			return "", fmt.Errorf("run %d: %w", i+1, err)
		}
		fmt.Fprintf(os.Stderr, "run %d: %s\n", i+1, r.row())
		done = append(done, r)
	}
	return b.page(done), nil
}

// prepare builds heddle, and makes the certificate.
func (b *bench) prepare() (err error) {
	if b.bin, err = os.MkdirTemp("", "distribute"); err != nil {
		return err
	}
	root, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return err
	}
	b.dir, b.cert = filepath.Dir(strings.TrimSpace(string(root))), filepath.Join(b.bin, "c.heddle")
	build := exec.Command("go", "build", "-o", b.bin, "./cmd/heddle", "./cmd/heddle-nats")
	build.Dir, build.Stderr = b.dir, os.Stderr
	if err := build.Run(); err != nil {
		return err
	}
	if out, err := b.heddle("check", "-reduce=false", "-cert", b.cert, program).CombinedOutput(); err != nil {
		return fmt.Errorf("check: %w\n%s", err, out)
	}
	began := time.Now()
	out, err := b.heddle("certify", b.cert, program).Output()
	if err != nil {
		return fmt.Errorf("certify: %w\n%s", err, out)
	}
	b.alone, b.want = time.Since(began), string(out)
	m := transitions.FindStringSubmatch(b.want)
	if m == nil {
		return fmt.Errorf("certify printed %q", b.want)
	}
	n, err := strconv.Atoi(m[1])
	b.parts = (n + slice - 1) / slice
	return err
}

// says reports whether a verdict is that of certify alone, and what is known of workers.
func (b *bench) says(verdict string) bool {
	want := bounds.Split(strings.TrimSuffix(b.want, "\n"), 2)
	got := bounds.Split(verdict, 2)
	return len(want) == 2 && len(got) == 2 && got[0] == want[0] && strings.Contains(got[1], "; by workers: ")
}

// heddle returns a command that is not started.
func (b *bench) heddle(args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(b.bin, "heddle"), args...)
	cmd.Dir = b.dir
	return cmd
}

// page returns the results for docs/results.
func (b *bench) page(done []*run) string {
	var t strings.Builder
	counts, _, _ := strings.Cut(strings.TrimPrefix(b.want, "certified: every transition of "+program+": "), ";")
	fmt.Fprintf(&t, `# Certification by workers that are killed

`+"`make distribute`"+` at %s. All connections have TLS and a token, which the coordinator has made and prints.

The certificate of %s has %s, in %d parts. In each run %d worker
processes examine them. Every second one of them, at random, is killed with SIGKILL, and another one is started in its
place. The coordinator is killed with SIGKILL when a random part of the results is there, between one and nine tenths,
and the same command is started again: it goes on from its store. In %d of %d runs it ended with exit code 0 and printed,
byte for byte, what certify prints alone, and how sure it is that workers have not lied; but its bounds are all that the program could meet, since the
coordinator has not seen all states itself.

Alone, with one process that nobody kills, certification took %.1f s. The machine has two cores, which were shared with
other work: times say little.

| run | workers killed | coordinator killed after | parts begun again | seconds | verdict |
| ---: | ---: | ---: | ---: | ---: | --- |
`, b.commit, "`"+program[2:]+"`", counts, b.parts, b.workers, len(done), len(done), b.alone.Seconds())
	for i, r := range done {
		fmt.Fprintf(&t, "| %d | %s |\n", i+1, r.row())
	}
	return t.String()
}
