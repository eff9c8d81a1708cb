// Command evio runs the server of examples/evio/shutdown many times, as it is, with an
// echo client each, and counts how often it does not end. Heddle finds that it may
// not, in a search of a few hundred states.
//
//	go run ./bench/evio -runs 20000 -o docs/results/evio.md
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

func main() {
	runs := flag.Int("runs", 20000, "number of runs")
	parallel := flag.Int("parallel", 4, "how many at a time")
	patience := flag.Duration("patience", 10*time.Second, "a server that is still there so long after its client has gone hangs")
	out := flag.String("o", "", "write the page to this file")
	flag.Parse()
	bin, done, err := build("examples/evio")
	if err == nil {
		defer done()
		script, _ := filepath.Abs("examples/evio/peer/echo.sh")
		rows := []*tally{
			{client: "peer/echo.sh, the one of the example", talk: func(addr string) error { return exec.Command(script, addr).Run() }},
			{client: "one that is there at once and does not think", talk: echo},
		}
		for _, t := range rows {
			if e := t.measure(bin, *runs, *parallel, *patience); e != nil {
				err = e
			}
		}
		if err == nil {
			err = write(page(rows, *runs, *parallel, *patience), *out)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "evio:", err)
		os.Exit(1)
	}
}

func write(text, file string) error {
	if file == "" {
		fmt.Print(text)
		return nil
	}
	return os.WriteFile(file, []byte(text), 0o666)
}

// build compiles the server with plain go.
func build(module string) (bin string, done func(), err error) {
	dir, err := os.MkdirTemp("", "evio")
	if err != nil {
		return "", nil, err
	}
	bin = filepath.Join(dir, "shutdown")
	cmd := exec.Command("go", "build", "-o", bin, "./shutdown")
	cmd.Dir = module
	if text, err := cmd.CombinedOutput(); err != nil {
		os.RemoveAll(dir)
		return "", nil, fmt.Errorf("go build: %v: %s", err, text)
	}
	return bin, func() { os.RemoveAll(dir) }, nil
}

// A tally counts how runs have ended.
type tally struct {
	client     string
	talk       func(addr string) error
	runs, hung int
	longest    time.Duration // from the client's end to the server's, of those that ended
	all        time.Duration
}

// measure runs the server many times.
func (t *tally) measure(bin string, runs, parallel int, patience time.Duration) (err error) {
	begin := time.Now()
	work := make(chan bool)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range parallel {
		wg.Go(func() {
			for range work {
				took, ended, e := t.once(bin, patience)
				mu.Lock()
				switch {
				case e != nil:
					err = e
				case !ended:
					t.hung++
				default:
					t.longest = max(t.longest, took)
				}
				t.runs++
				mu.Unlock()
			}
		})
	}
	for range runs {
		work <- true
	}
	close(work)
	wg.Wait()
	t.all = time.Since(begin)
	return err
}

// once starts the server and its client, and waits for its end.
func (t *tally) once(bin string, patience time.Duration) (took time.Duration, ended bool, err error) {
	cmd := exec.Command(bin, "-addr", "127.0.0.1:0")
	cmd.Stderr = os.Stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return 0, false, err
	}
	if err := cmd.Start(); err != nil {
		return 0, false, err
	}
	line, err := bufio.NewReader(pipe).ReadString('\n')
	if err == nil {
		err = t.talk(strings.TrimSpace(strings.TrimPrefix(line, "listening on ")))
	}
	if err != nil {
		cmd.Process.Kill()
		cmd.Wait()
		return 0, false, err
	}
	gone := time.Now()
	kill := time.AfterFunc(patience, func() { cmd.Process.Kill() })
	err = cmd.Wait()
	took = time.Since(gone)
	if !kill.Stop() || took > patience { // the clock may be late
		return 0, false, nil
	}
	return took, true, err
}

// echo says a line, and looks whether it comes back.
func echo(addr string) error {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err := io.WriteString(c, "hello\n"); err != nil {
		return err
	}
	if line, err := bufio.NewReader(c).ReadString('\n'); err != nil || line != "hello\n" {
		return fmt.Errorf("got %q, %v, want the line back", line, err)
	}
	return nil
}

// page tells what was counted.
func page(rows []*tally, runs, parallel int, patience time.Duration) string {
	text := fmt.Sprintf(`# A lost wake-up that hardly ever shows

    $ go run ./bench/evio -runs %d

The server of examples/evio/shutdown (github.com/tidwall/evio v1.0.8, NumLoops 1), compiled with plain go and run with an echo
client, %d at a time, on a machine with 2 cores that was shared with other work. It is to end when its client has gone; one that is still there after %v hangs.
`+"`heddle check -C examples/evio/shutdown .`"+` finds that it may, as a deadlock.

| client | runs | ended | hung | the longest time until one ended | all runs |
| --- | ---: | ---: | ---: | ---: | ---: |
`, runs, parallel, patience)
	for _, t := range rows {
		text += fmt.Sprintf("| %s | %d | %d | %d | %v | %v |\n", t.client, t.runs, t.runs-t.hung, t.hung, t.longest.Round(time.Millisecond), t.all.Round(time.Second))
	}
	return text
}
