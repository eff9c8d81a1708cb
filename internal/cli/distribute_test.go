package cli

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/distribute"
	"github.com/heddle-mc/heddle/internal/natsqueue"
	"github.com/heddle-mc/heddle/internal/natsqueue/queuetest"
	"github.com/heddle-mc/heddle/internal/queue"
)

// patience is how long a test waits for what has to happen: a busy machine takes its time.
const patience = 10 * time.Minute

// A coordination is a heddle that waits for workers, in this process or in its own.
type coordination struct {
	t     *testing.T
	url   chan string
	noted chan string // what workers say, the first few times
	ended chan struct{}
	code  int
	out   bytes.Buffer
	mu    sync.Mutex
	errs  strings.Builder
	cmd   *exec.Cmd // nil in this process
}

// listen reads standard error.
func (c *coordination) listen(r io.Reader) {
	for lines := bufio.NewScanner(r); lines.Scan(); {
		c.mu.Lock()
		c.errs.WriteString(lines.Text() + "\n")
		c.mu.Unlock()
		if _, flags, ok := strings.Cut(lines.Text(), "heddle worker -"); ok {
			_, url, _ := strings.Cut(flags, " ")
			c.url <- url
		}
		if strings.HasPrefix(lines.Text(), "worker ") {
			select {
			case c.noted <- lines.Text():
			default:
			}
		}
	}
}

func (c *coordination) stderr() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.errs.String()
}

// begin runs a command line in this process.
func begin(t *testing.T, args ...string) *coordination {
	t.Helper()
	c := &coordination{t: t, url: make(chan string, 1), noted: make(chan string, 8), ended: make(chan struct{})}
	r, w := io.Pipe()
	go func() {
		share()
		app := &App{Stdin: strings.NewReader(""), Stdout: &c.out, Stderr: w, Backend: Machine{}, Queue: natsqueue.Service{}}
		c.code = twice(t.Context(), app, args)
		w.Close()
	}()
	go func() {
		defer close(c.ended) // when its last line has been read
		c.listen(r)
	}()
	return c
}

// spawn runs it in a process of its own.
func spawn(t *testing.T, args ...string) *coordination {
	t.Helper()
	c := &coordination{t: t, url: make(chan string, 1), noted: make(chan string, 8), ended: make(chan struct{}), cmd: exec.Command("heddle", args...)}
	c.cmd.Stdout = &c.out
	errs, err := c.cmd.StderrPipe()
	if err == nil {
		err = c.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		c.listen(errs)
		c.cmd.Wait()
		c.code = c.cmd.ProcessState.ExitCode()
		close(c.ended)
	}()
	t.Cleanup(c.kill)
	return c
}

// kill ends the process with SIGKILL.
func (c *coordination) kill() {
	c.cmd.Process.Kill()
	<-c.ended
}

// address waits until workers can connect.
func (c *coordination) address() string {
	c.t.Helper()
	select {
	case url := <-c.url:
		return url
	case <-c.ended:
		c.t.Fatalf("got the end, exit %d: %s%s", c.code, c.out.String(), c.stderr())
	case <-time.After(patience):
		c.t.Fatalf("got no address: %s", c.stderr())
	}
	return ""
}

// wait waits for the end.
func (c *coordination) wait() (code int, stdout, stderr string) {
	c.t.Helper()
	select {
	case <-c.ended:
	case <-time.After(patience):
		c.t.Fatalf("it does not end: %s", c.stderr())
	}
	return c.code, c.out.String(), c.stderr()
}

// allProperties are those that are looked for if nothing is said.
const allProperties = "deadlock,leak,panic,race,fatal,assert,invariant,exit,test,liveness"

// A certificate of a program, and what certify says of it alone.
type certificateOf struct{ program, file, want string }

// says reports whether a verdict is that of certify alone, perhaps with what is known of
// those who have examined it.
func (c *certificateOf) says(stdout string) bool {
	rest, ok := strings.CutPrefix(stdout, strings.TrimSuffix(c.want, "\n"))
	return ok && (rest == "\n" || strings.HasPrefix(rest, "; by workers: "))
}

// prepare writes a program and its certificate.
func prepare(t *testing.T, source string, flags ...string) certificateOf {
	t.Helper()
	dir := t.TempDir()
	c := certificateOf{program: filepath.Join(dir, "main.go"), file: filepath.Join(dir, "c.heddle")}
	if err := os.WriteFile(c.program, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, stdout, stderr := runHeddle(append(append([]string{"check", "-cert", c.file}, flags...), c.program)...); code != 0 {
		t.Fatalf("got exit %d, %q, %q", code, stdout, stderr)
	}
	var claim []string
	if len(flags) > 0 {
		claim = []string{"-property", strings.Replace(allProperties, "leak,", "", 1)}
	}
	code, stdout, stderr := runHeddle(append(append([]string{"certify"}, claim...), c.file, c.program)...)
	if code != 0 {
		t.Fatalf("got exit %d, %q, %q", code, stdout, stderr)
	}
	c.want = stdout
	return c
}

// results calls each for the results of the one job at an address until that returns
// false.
func results(t *testing.T, url string, each func(n int) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	q, err := connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	n, enough := 0, errors.New("enough")
	err = jobOf(t, q).Results(ctx, nil, func(queue.Result) error {
		if n++; each(n) {
			return nil
		}
		return enough
	})
	if err != enough {
		t.Fatalf("after %d results: %v", n, err)
	}
}

// connect connects to where a coordinator says that it is.
func connect(ctx context.Context, url string) (*natsqueue.Queue, error) {
	if j, err := queue.ParseJoin(url); err == nil {
		return natsqueue.Connect(ctx, j.URL(), j.Credentials(), queue.Options{})
	}
	return natsqueue.Connect(ctx, url, queue.Credentials{}, queue.Options{})
}

// jobOf waits until there is a job, and returns it.
func jobOf(t *testing.T, q *natsqueue.Queue) *natsqueue.Job {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		jobs, err := q.Jobs(ctx)
		if ctx.Err() != nil {
			t.Fatalf("got no job: %v", err)
		}
		if len(jobs) > 0 {
			return jobs[0]
		}
	}
}

// hold takes a part and keeps it until it is told to let go.
func hold(t *testing.T, url string) (letGo func()) {
	t.Helper()
	q, err := connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done, held := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		q.Work(ctx, queue.Worker{Name: "miser", Open: func(context.Context, queue.Job) (queue.Handler, error) {
			return func(ctx context.Context, task *queue.Task) ([]byte, error) {
				close(held)
				for tick := time.Tick(200 * time.Millisecond); ; {
					select {
					case <-ctx.Done():
						return nil, ctx.Err()
					case <-tick:
						task.Progress(nil) // or else it is taken for stalled, and somebody else gets the part
					}
				}
			}, nil
		}})
	}()
	<-held
	return func() { cancel(); <-done; q.Close() }
}

// TestDistribute has tests that need the same two programs, compiled.
func TestDistribute(t *testing.T) {
	good, bad := prepare(t, certified), prepare(t, leaky, "-leak=false")
	for _, test := range []struct {
		name string
		run  func(t *testing.T, good, bad certificateOf)
	}{
		{"killed", testKilled}, {"lies", testLies}, {"another program", testAnotherProgram}, {"elsewhere", testElsewhere}, {"replaced", testReplaced}, {"forged", testForged},
		{"nonsense", testNonsense}, {"token", testToken}, {"swarm", testSwarm}, {"remote", testRemote},
		{"interrupted", testInterrupted}, {"cluster", testCluster},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, good, bad) })
	}
}

// testKilled: certification ends with the right verdict though a worker and the
// coordinator are killed on the way. bench/distribute has the large version.
func testKilled(t *testing.T, c, _ certificateOf) {
	args := []string{"certify", "-distribute", "-store", filepath.Join(t.TempDir(), "store"), "-stall", "2s", "-slice", "5", "-recheck", "0.2", c.file, c.program}
	first := spawn(t, args...)
	url := first.address()
	letGo := hold(t, url) // so that not all is done before the coordinator is killed
	victim := spawn(t, "worker", "-C", os.TempDir(), "-join", url)
	var heirs []*coordination
	defer func() {
		for _, w := range heirs {
			if t.Failed() {
				t.Logf("a worker said: %s", w.stderr())
			}
		}
	}()
	results(t, url, func(n int) bool {
		switch n {
		case 2:
			victim.kill()
			heirs = append(heirs, spawn(t, "worker", "-C", os.TempDir(), "-join", url), spawn(t, "worker", "-C", os.TempDir(), "-join", url))
		case 5:
			first.kill()
			return false
		}
		return true
	})
	if first.code >= 0 {
		t.Fatalf("the first one ended before it was killed: exit %d, %s", first.code, first.stderr())
	}
	second := spawn(t, args...)
	if again := second.address(); again != url {
		t.Errorf("got address %s, want %s, where the workers look", again, url)
	}
	letGo()
	code, stdout, stderr := second.wait()
	if code != 0 || !c.says(stdout) || !strings.Contains(stderr, "going on with what was begun before") {
		t.Errorf("got exit %d, %q, %q, want %q", code, stdout, stderr, c.want)
	}
}

// An envelope is what a worker gives back for a part, as it is sent: a line of JSON, and
// the result.
type envelope struct {
	Failure string `json:"failure,omitempty"`
	Found   string `json:"found,omitempty"`
	Part    []byte `json:"part"`
	Result  []byte `json:"-"`
}

// lie is a worker in this process that says something else than what it found out
// about some parts.
func lie(t *testing.T, url string, change func(part int, e *envelope)) {
	t.Helper()
	q, err := connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(done)
		own := workCommand{app: &App{Stderr: io.Discard, Backend: Machine{}}, src: Source{Dir: os.TempDir()}}
		w := &distribute.Worker{Programs: own.programs(nil)}
		q.Work(ctx, queue.Worker{Name: "pinocchio", Close: w.Close, Open: func(ctx context.Context, j queue.Job) (queue.Handler, error) {
			honest, err := w.Open(ctx, j)
			if err != nil {
				return nil, err
			}
			return func(ctx context.Context, task *queue.Task) ([]byte, error) {
				data, err := honest(ctx, task)
				if err != nil {
					return nil, err
				}
				var e envelope
				_, data, _ = bytes.Cut(data, []byte("\n"))
				line, rest, _ := bytes.Cut(data, []byte("\n"))
				if err := json.Unmarshal(line, &e); err != nil {
					return nil, err
				}
				part, err := strconv.Atoi(strings.TrimPrefix(task.Name, "part-"))
				if err != nil {
					return nil, err
				}
				e.Result = rest
				change(part, &e)
				line, err = json.Marshal(e)
				return signed(key, task, append(append(line, '\n'), e.Result...)), err
			}, nil
		}})
	}()
	t.Cleanup(func() { cancel(); <-done; q.Close() })
}

// signed returns a result as a worker with a key sends it.
func signed(key ed25519.PrivateKey, task *queue.Task, result []byte) []byte {
	job, sum := sha256.Sum256(task.Job.Description()), sha256.Sum256(result)
	sign := ed25519.Sign(key, fmt.Appendf(nil, "heddle result\n%x\n%s\n%s\n%x", job, task.Name, task.Ticket, sum))
	line, _ := json.Marshal(map[string][]byte{"key": key.Public().(ed25519.PublicKey), "sign": sign, "job": job[:]})
	return append(append(line, '\n'), result...)
}

// leaky has a goroutine that is blocked forever, which is found in some of its last
// states.
const leaky = `package main

import "sync"

func main() {
	var mu sync.Mutex
	c := make(chan int)
	for range 3 {
		go func() {
			mu.Lock()
			mu.Unlock()
			c <- 1
		}()
	}
	<-c
	<-c
}
`

// splitResult splits the bytes of a part's result: its numbers, findings and notes.
func splitResult(data []byte) (numbers, findings, notes []byte) {
	rest := data
	for range 4 {
		_, n := binary.Uvarint(rest)
		rest = rest[n:]
	}
	numbers = data[:len(data)-len(rest)]
	length, n := binary.Uvarint(rest)
	rest = rest[n:]
	return numbers, rest[:length], rest[length:]
}

func joinResult(numbers []byte, findings string, notes []byte) []byte {
	out := binary.AppendUvarint(bytes.Clone(numbers), uint64(len(findings)))
	return append(append(out, findings...), notes...)
}

// flipState changes the fingerprint of a state that a result tells of: one of those that
// the part has found, or the first one on the way to it.
func flipState(data []byte, onWay bool) []byte {
	numbers, findings, states := splitResult(data)
	states = bytes.Clone(states)
	at := 16 // after the sums
	number := func() uint64 {
		x, n := binary.Uvarint(states[at:])
		at += n
		return x
	}
	own := number()
	if onWay {
		for range own {
			number()
			at += 16
		}
		number()
	}
	number()
	states[at] ^= 1
	return joinResult(numbers, string(findings), states)
}

func withoutFindings(data []byte) []byte {
	numbers, _, notes := splitResult(data)
	return joinResult(numbers, "[]", notes)
}

func withFinding(data []byte) []byte {
	numbers, _, notes := splitResult(data)
	return joinResult(numbers, `[{"kind":"leak","message":"honestly","pos":{},"path":"AA=="}]`, notes)
}

// testLies: what a worker says that is not so is noticed, it is said who has said it, and
// the verdict is the right one. What cannot be noticed by comparison is noticed by examining a sample.
func testLies(t *testing.T, good, bad certificateOf) {
	if code, stdout, _ := runHeddle("certify", "-property", allProperties, "-o", t.TempDir(), bad.file, bad.program); code != 1 || !strings.HasPrefix(stdout, "violation: ") {
		t.Fatalf("got exit %d, %q, want a leak", code, stdout)
	}
	for _, test := range []struct {
		name    string
		c       certificateOf
		recheck string
		args    []string
		lie     func(part int, e *envelope)
		code    int
		stdout  string
		stderr  string
	}{
		{name: "the truth", c: good, recheck: "1", lie: func(int, *envelope) {}, stdout: good.want},
		{name: "a finding", c: bad, recheck: "0", args: []string{"-property", allProperties}, lie: func(int, *envelope) {}, code: 1, stdout: "violation: "},
		{name: "another fingerprint of the start", c: good, recheck: "0", stdout: good.want,
			lie: func(part int, e *envelope) {
				if part == 2 {
					e.Result = flipState(e.Result, true)
				}
			},
			stderr: "gave a wrong result of part 2: it came to other states"},
		{name: "another fingerprint of a state that nobody else knows", c: good, recheck: "1", stdout: good.want,
			lie:    func(part int, e *envelope) { e.Result = flipState(e.Result, false) },
			stderr: "gave a wrong result of part 1: it came to other states than this process does"},
		{name: "another fingerprint of a state that others come to", c: good, recheck: "0", stdout: good.want,
			lie: func(part int, e *envelope) {
				if part == 2 {
					e.Result = flipState(e.Result, false)
				}
			},
			stderr: "gave a wrong result of part 2: it came to other states"},
		{name: "a refusal", c: good, recheck: "0", stdout: good.want,
			lie: func(part int, e *envelope) {
				if part == 3 {
					*e = envelope{Failure: "a transition that does not exist", Part: e.Part}
				}
			},
			stderr: `gave a wrong result of part 3: it says "a transition that does not exist", which is not so`},
		{name: "fewer fingerprints", c: good, recheck: "0", stdout: good.want,
			lie:    func(part int, e *envelope) { e.Result = e.Result[:len(e.Result)-16] },
			stderr: "gave a wrong result of part 1: the result of a part is damaged"},
		{name: "the result of another part", c: good, recheck: "0", stdout: good.want,
			lie:    func(part int, e *envelope) { e.Result[0]++ },
			stderr: "which is not what part 1 has"},
		{name: "nonsense", c: good, recheck: "0", stdout: good.want,
			lie:    func(part int, e *envelope) { e.Result = []byte("nothing is wrong, honestly") },
			stderr: "gave a wrong result of part 1: the result of a part is damaged"},
		{name: "assumptions that are none", c: good, recheck: "0", stdout: good.want,
			lie:    func(part int, e *envelope) { e.Found = "{" },
			stderr: "gave a wrong result of part 1: "},
		{name: "nothing about a leak", c: bad, recheck: "1", args: []string{"-property", allProperties}, code: 1, stdout: "violation: ",
			lie:    func(part int, e *envelope) { e.Result = withoutFindings(e.Result) },
			stderr: `it does not say "`},
		{name: "nothing about a leak, and nobody looks", c: bad, recheck: "0", args: []string{"-property", allProperties},
			lie:    func(part int, e *envelope) { e.Result = withoutFindings(e.Result) },
			stdout: strings.NewReplacer("no deadlock, ", "no deadlock, leak, ", "for: leak, ", "for: ").Replace(bad.want)},
		{name: "a leak where there is none", c: good, recheck: "0", stdout: good.want,
			lie:    func(part int, e *envelope) { e.Result = withFinding(e.Result) },
			stderr: `gave a wrong result of part 1: it says "leak: honestly", which is not so`},
	} {
		args := append([]string{"certify", "-distribute", "-slice", "20", "-confidence", "0", "-recheck", test.recheck, "-workers", "2", "-all", "-o", t.TempDir()}, test.args...)
		co := begin(t, append(args, test.c.file, test.c.program)...)
		lie(t, co.address(), test.lie)
		code, stdout, stderr := co.wait()
		if code != test.code || !strings.HasPrefix(stdout, strings.TrimSuffix(test.stdout, "\n")) || !strings.Contains(stderr, test.stderr) {
			t.Errorf("%s: got exit %d, %q, %q, want exit %d, %q, %q", test.name, code, stdout, stderr, test.code, test.stdout, test.stderr)
		}
	}
}

// testAnotherProgram: a worker that has another program under the name does not take
// part, and both sides say so; one with the right one does the work.
func testAnotherProgram(t *testing.T, c, bad certificateOf) {
	other := bad.program
	co := begin(t, "certify", "-distribute", "-slice", "100", c.file, c.program)
	url := co.address()
	wrong := begin(t, "worker", "-C", os.TempDir(), "-join", url, other)
	select {
	case text := <-co.noted:
		if !strings.Contains(text, "does not take part: "+other+" is another program here") {
			t.Errorf("got %q from the worker with another program", text)
		}
	case <-time.After(patience):
		t.Fatalf("got nothing from the worker with another program: %s", wrong.stderr())
	}
	right := begin(t, "worker", "-C", os.TempDir(), "-join", url, "-idle", "1s")
	code, stdout, stderr := co.wait()
	if code != 0 || !c.says(stdout) {
		t.Errorf("got exit %d, %q, %q, want %q", code, stdout, stderr, c.want)
	}
	if _, _, stderr := right.wait(); !strings.Contains(stderr, "parts") || strings.Contains(stderr, "did 0 parts") {
		t.Errorf("got %q from the worker with the program", stderr)
	}
	if !strings.Contains(wrong.stderr(), "is another program here") {
		t.Errorf("got %q on the other side", wrong.stderr())
	}
}

// testElsewhere: a worker takes no program that is not below its folder, whatever the
// coordinator says, and both say so.
func testElsewhere(t *testing.T, c, _ certificateOf) {
	co := begin(t, "certify", "-distribute", "-slice", "100", c.file, c.program)
	url := co.address()
	folder := t.TempDir()
	wary := begin(t, "worker", "-C", folder, "-join", url)
	select {
	case text := <-co.noted:
		if !strings.Contains(text, "does not take part: it is about "+c.program+": this worker takes programs below ") {
			t.Errorf("got %q from the worker in another folder", text)
		}
	case <-time.After(patience):
		t.Fatalf("got nothing from the worker in another folder: %s", wary.stderr())
	}
	if said := wary.stderr(); !strings.Contains(said, "worker: takes programs below "+folder+", and nothing else\n") || !strings.Contains(said, "the coordinator wants [") {
		t.Errorf("got %q on the other side", said)
	}
	begin(t, "worker", "-join", url, "-idle", "1s", c.program) // what the user names may be anywhere
	if code, stdout, stderr := co.wait(); code != 0 || !c.says(stdout) {
		t.Errorf("got exit %d, %q, %q, want %q", code, stdout, stderr, c.want)
	}
}

// testReplaced: a client with the credentials of a worker replaces a part in the queue. The
// verdict is the right one, and the worker who got it is not blamed.
func testReplaced(t *testing.T, c, _ certificateOf) {
	co := begin(t, "certify", "-distribute", "-slice", "20", "-recheck", "1", c.file, c.program)
	url := co.address()
	q, err := connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	job := jobOf(t, q)
	for there := false; !there; { // the parts before it are there, too
		if there, err = job.Has(t.Context(), "part-3"); err != nil {
			t.Fatal(err)
		}
	}
	other, err := job.Bytes(t.Context(), "part-1", 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if err := job.Put(t.Context(), "part-2", bytes.NewReader(other)); err != nil {
		t.Fatal(err)
	}
	begin(t, "worker", "-C", os.TempDir(), "-join", url, "-idle", "1s")
	code, stdout, stderr := co.wait()
	if code != 0 || stdout != c.want || !strings.Contains(stderr, "was given another part 2 than this one") || strings.Contains(stderr, "is out") {
		t.Errorf("got exit %d, %q, %q, want %q", code, stdout, stderr, c.want)
	}
}

// testForged: a certificate that is not that of its program is refused, whoever
// examines it.
func testForged(t *testing.T, c, _ certificateOf) {
	data, err := os.ReadFile(c.file)
	if err != nil {
		t.Fatal(err)
	}
	forged := filepath.Join(t.TempDir(), "forged.heddle")
	if err := os.WriteFile(forged, rewrite(t, data, func(h *cert.Header) { h.Reduce = false }), 0o666); err != nil {
		t.Fatal(err)
	}
	co := begin(t, "certify", "-distribute", "-slice", "20", forged, c.program)
	begin(t, "worker", "-C", os.TempDir(), "-join", co.address(), "-idle", "2s")
	if code, stdout, stderr := co.wait(); code != 1 || !regexp.MustCompile("^refused: .*forged.heddle: a (transition|state|false claim) ").MatchString(stdout) {
		t.Errorf("got exit %d, %q, %q, want it refused", code, stdout, stderr)
	}
}

// TestDistributedModel: models are certified by others, too.
func TestDistributedModel(t *testing.T) {
	dir := t.TempDir()
	model, file := filepath.Join(dir, "m.mcrl2"), filepath.Join(dir, "m.heddle")
	text := "act a, b;\nproc P(n: Nat) = (n < 9) -> a . P(n + 1) + (n >= 9) -> b . P(0);\ninit P(0) || P(0);\n"
	if err := os.WriteFile(model, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, stdout, stderr := runHeddle("check", "-search", "dfs", "-cert", file, model); code != 0 {
		t.Fatalf("got exit %d, %q, %q", code, stdout, stderr)
	}
	for _, extra := range [][]string{nil, {"-trustful", "-trust-unsigned"}, {"-action", "b"}} {
		wantCode, want, _ := runHeddle(append(append([]string{"certify"}, extra...), file, model)...)
		co := begin(t, append(append([]string{"certify", "-distribute", "-workers", "3", "-recheck", "0.5"}, extra...), file, model)...)
		begin(t, "worker", "-C", os.TempDir(), "-join", co.address(), "-idle", "2s")
		code, stdout, stderr := co.wait()
		stdout = regexp.MustCompile("; by workers: .*").ReplaceAllString(stdout, "")
		if code != wantCode || stdout != want {
			t.Errorf("%v: got exit %d, %q, %q, want exit %d, %q", extra, code, stdout, stderr, wantCode, want)
		}
	}
	for _, extra := range [][]string{nil, {"-states", "7"}, {"-action", "b"}} {
		args := append([]string{"check", "-swarm", "2", "-o", t.TempDir()}, extra...)
		wantCode, want, _ := runHeddle(append(slices.Clone(args), model)...)
		co := begin(t, append(args, "-distribute", model)...)
		begin(t, "worker", "-C", os.TempDir(), "-join", co.address(), "-idle", "2s")
		code, stdout, stderr := co.wait()
		if code != wantCode || stdout != want || (code == 0) != proven.MatchString(stderr) {
			t.Errorf("swarm %v: got exit %d, %q, %q, want exit %d, %q", extra, code, stdout, stderr, wantCode, want)
		}
	}
}

// testNonsense: what makes no sense, and what would let strangers in.
func testNonsense(t *testing.T, c, _ certificateOf) {
	for _, test := range []struct{ line, want string }{
		{"certify -listen 127.0.0.1:0", "are for -distribute"},
		{"certify -distribute -nats nats://127.0.0.1:1 -store x", "-nats names a server"},
		{"certify -distribute -recheck 2", "between 0 and 1"},
		{"certify -distribute -confidence 1.5", "between 0 and 1"},
		{"certify -distribute -confidence NaN", "between 0 and 1"},
		{"certify -distribute -liars 0", "a number of forged results"},
		{"certify -distribute -patience -1s", "how long to wait"},
		{"certify -distribute -tls-cert x", "needs its key"},
		{"check -distribute", "-distribute is for a swarm"},
		{"check -distribute -swarm 2 -workers 2", "-distribute is for a swarm"},
		{"check -distribute -swarm 2 -lts x.aut", "made by a search of this process"},
		{"check -swarm -1", "at least one member"},
		{"worker", "-join: give the text that the coordinator prints"},
		{"worker -join nats://127.0.0.1:1", "not what a coordinator prints"},
		{"worker -join heddle://t@127.0.0.1:1/00", "fingerprint"},
		{"worker -join heddle://t@127.0.0.1:1/00 -nats nats://127.0.0.1:1", "leave out the others"},
		{"worker -nats nats://192.0.2.1:4222 -token t", "a token without TLS can be read on the way"},
		{"certify -distribute -nats nats://192.0.2.1:4222 -token t", "a token without TLS can be read on the way"},
	} {
		args := strings.Fields(test.line)
		if args[0] == "certify" {
			args = append(args, c.file)
		}
		args = append(args, c.program)
		if code, stdout, stderr := runHeddle(args...); code != 2 || !strings.Contains(stderr, test.want) {
			t.Errorf("%s: got exit %d, %q, %q, want %q", test.line, code, stdout, stderr, test.want)
		}
	}
}

// testToken: workers need what the coordinator prints, on the loopback interface, too, and
// where others can reach it.
func testToken(t *testing.T, c, _ certificateOf) {
	co := begin(t, "certify", "-distribute", "-listen", "0.0.0.0:0", "-token", "open-sesame", c.file, c.program)
	j, err := queue.ParseJoin(co.address())
	if err != nil || j.Token != "open-sesame" {
		t.Fatalf("got %+v, %v", j, err)
	}
	_, port, err := net.SplitHostPort(j.Addr)
	if err != nil {
		t.Fatal(err)
	}
	j.Addr = "127.0.0.1:" + port
	right, wrong, other := j.String(), j, j
	wrong.Token, other.Pin = "open-barley", strings.Repeat("00", 32)
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"-join", wrong.String()}, "Authorization"},
		{[]string{"-join", other.String()}, "another fingerprint"},
		{[]string{"-nats", "nats://" + j.Addr}, "x509"},
	} {
		if code, _, stderr := begin(t, append([]string{"worker"}, test.args...)...).wait(); code != 2 || !strings.Contains(stderr, test.want) {
			t.Errorf("%v: got exit %d, %q, want %q", test.args, code, stderr, test.want)
		}
	}
	begin(t, "worker", "-C", os.TempDir(), "-join", right, "-idle", "2s")
	if code, stdout, stderr := co.wait(); code != 0 || !c.says(stdout) {
		t.Errorf("got exit %d, %q, %q, want %q", code, stdout, stderr, c.want)
	}
}

// proven is what is said of a member of a swarm that saw everything.
var proven = regexp.MustCompile(`worker \S+ says that search \d+ of the swarm saw everything: its certificate was examined here, \d+ transitions`)

// testSwarm: the members of a swarm are searched by others, and what is said at the
// end is what a swarm of this process says. That one saw everything is shown by its certificate.
func testSwarm(t *testing.T, good, bad certificateOf) {
	for _, test := range []struct {
		name    string
		program string
		flags   []string
		code    int
		want    string // the beginning of the last line
	}{
		{"complete", good.program, nil, 0, "verified: "},
		{"cut off", good.program, []string{"-states", "20"}, 3, "inconclusive: "},
		{"a leak", bad.program, nil, 1, "violation: "},
		{"all leaks", bad.program, []string{"-all"}, 1, "violation: "},
	} {
		args := append([]string{"check", "-swarm", "3", "-o", t.TempDir()}, test.flags...)
		_, alone, _ := runHeddle(append(slices.Clone(args), test.program)...)
		co := begin(t, append(args, "-distribute", test.program)...)
		begin(t, "worker", "-C", os.TempDir(), "-join", co.address(), "-idle", "1s")
		code, stdout, stderr := co.wait()
		lines := strings.Split(strings.TrimSpace(stdout), "\n")
		if code != test.code || !strings.HasPrefix(lines[len(lines)-1], test.want) {
			t.Errorf("%s: got exit %d, %q, %q, want exit %d, %q", test.name, code, stdout, stderr, test.code, test.want)
		}
		if (code == 0) != proven.MatchString(stderr) {
			t.Errorf("%s: got exit %d, %q", test.name, code, stderr)
		}
		// With one worker members are searched in their order, as alone. What makes
		// states differ is not counted by others.
		if _, after, ok := strings.Cut(alone, "what makes states differ"); ok {
			alone = after[strings.Index(after, "\nmore: ")+1:]
		}
		// Nor is it known which bounds others have met.
		stdout, _, _ = strings.Cut(stdout, "; bounds: ")
		alone, _, _ = strings.Cut(alone, "; bounds: ")
		// Nor whether these are all leaks.
		if test.name == "all leaks" {
			var ok bool
			if stdout, _, ok = strings.Cut(stdout, "; not covered: worker "); !ok {
				t.Errorf("%s: got %q, want that a worker says that these are all", test.name, stdout)
			}
			stdout += "\n"
		}
		if stdout != alone {
			t.Errorf("%s: got %q, want %q", test.name, stdout, alone)
		}
	}
}

// testRemote: the work may be on a server that is somebody else's. Nothing is left there.
func testRemote(t *testing.T, c, _ certificateOf) {
	s, err := natsqueue.Serve(t.TempDir(), "", queue.Credentials{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	begin(t, "worker", "-C", os.TempDir(), "-nats", s.URL()) // before there is anything to do
	co := begin(t, "certify", "-distribute", "-nats", s.URL(), "-slice", "50", c.file, c.program)
	if code, stdout, stderr := co.wait(); code != 0 || !c.says(stdout) {
		t.Errorf("got exit %d, %q, %q, want %q", code, stdout, stderr, c.want)
	}
	q, err := natsqueue.Connect(t.Context(), s.URL(), queue.Credentials{}, queue.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	if jobs, err := q.Jobs(t.Context()); err != nil || len(jobs) != 0 {
		t.Errorf("got %d jobs, %v at the end, want none", len(jobs), err)
	}
}

// testCluster: the work is on a cluster of three servers, of which one is lost in the middle.
func testCluster(t *testing.T, c, _ certificateOf) {
	cluster := queuetest.Start(t, 3)
	url := cluster.URL()
	co := begin(t, "certify", "-distribute", "-nats", url, "-stall", "2s", "-slice", "5", "-recheck", "0.2", c.file, c.program)
	if got := co.address(); got != url {
		t.Errorf("got address %s, want %s", got, url)
	}
	letGo := hold(t, url) // so that not all is done before the server is lost
	for range 2 {
		begin(t, "worker", "-C", os.TempDir(), "-nats", url)
	}
	results(t, url, func(n int) bool {
		if n == 2 {
			cluster.Stop(cluster.Leader("KV_heddle-jobs"))
		}
		return n < 2
	})
	letGo()
	if code, stdout, stderr := co.wait(); code != 0 || !c.says(stdout) {
		t.Errorf("got exit %d, %q, %q, want %q", code, stdout, stderr, c.want)
	}
}

// testInterrupted: a coordinator that is told to stop says how to go on, and does.
func testInterrupted(t *testing.T, c, _ certificateOf) {
	args := []string{"certify", "-distribute", "-store", filepath.Join(t.TempDir(), "store"), "-slice", "50", c.file, c.program}
	first := spawn(t, args...)
	url := first.address()
	q, err := connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	jobOf(t, q)
	q.Close()
	if err := first.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code, stdout, stderr := first.wait(); code != 3 || stdout != "" || !strings.Contains(stderr, "interrupted: the same command goes on from here") {
		t.Errorf("got exit %d, %q, %q, want that it was interrupted", code, stdout, stderr)
	}
	second := spawn(t, args...)
	spawn(t, "worker", "-C", os.TempDir(), "-join", second.address())
	if code, stdout, stderr := second.wait(); code != 0 || !c.says(stdout) || !strings.Contains(stderr, "going on") {
		t.Errorf("got exit %d, %q, %q, want %q", code, stdout, stderr, c.want)
	}
}

// TestPartsView: the line about all parts.
func TestPartsView(t *testing.T) {
	v := newPartsView(io.Discard, "./p", "parts", 8)
	v.Ended(0)
	v.Ended(0)
	v.Told(1, queue.Progress{Worker: "a", Attempt: 1, Data: []byte("420")})
	v.Told(2, queue.Progress{Worker: "b", Attempt: 3, Data: []byte("nonsense")})
	v.Told(0, queue.Progress{Worker: "b", Attempt: 1, Data: []byte("10")})
	v.Told(99, queue.Progress{Worker: "b", Attempt: 1})
	if got, want := v.text(), "./p: 1 of 8 parts, 2 in work by 2 workers, 1 begun again [#40.....]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := v.bar(4), "70.."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
