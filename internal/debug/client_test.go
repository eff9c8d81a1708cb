package debug_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-dap"

	"github.com/heddle-mc/heddle/internal/cli"
)

// A client is an editor: it sends requests and reads what comes back.
type client struct {
	t      *testing.T
	w      io.Writer
	r      *bufio.Reader
	seq    int
	output strings.Builder // what was printed
	file   string          // the program's source
	done   chan int
}

// debugProgram checks a program of testdata, or several side by side, in which something has to be found, and begins to debug what was found.
// The client looks at the last one.
func debugProgram(t *testing.T, names ...string) *client {
	t.Helper()
	dir, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	var out bytes.Buffer
	app := &cli.App{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Backend: cli.Machine{}}
	args := []string{"check", "-C", dir, "-o", folder}
	for _, name := range names {
		args = append(args, "./"+name)
	}
	if code := app.Main(context.Background(), args); code != 1 {
		t.Fatalf("check: got exit %d, want 1:\n%s", code, out.String())
	}
	trace := ""
	_ = filepath.Walk(folder, func(path string, info os.FileInfo, err error) error {
		if filepath.Base(path) == "trace.json" {
			trace = path
		}
		return nil
	})
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	c := &client{t: t, w: toServer, r: bufio.NewReader(fromServer), file: filepath.Join(dir, names[len(names)-1], "main.go"), done: make(chan int, 1)}
	go func() {
		var errs bytes.Buffer
		app := &cli.App{Stdin: fromClient, Stdout: toClient, Stderr: &errs, Backend: cli.Machine{}}
		code := app.Main(context.Background(), []string{"debug", trace})
		if errs.Len() > 0 {
			t.Errorf("debug: got %q on standard error, want nothing", errs.String())
		}
		toClient.Close()
		c.done <- code
	}()
	t.Cleanup(func() { toServer.Close() })
	return c
}

// send sends a request.
func (c *client) send(command string, args any) {
	c.t.Helper()
	c.seq++
	data, err := json.Marshal(map[string]any{"seq": c.seq, "type": "request", "command": command, "arguments": args})
	if err != nil {
		c.t.Fatal(err)
	}
	if err := dap.WriteBaseMessage(c.w, data); err != nil {
		c.t.Fatal(err)
	}
}

// read reads the next message that is no output.
func (c *client) read() dap.Message {
	c.t.Helper()
	for {
		m, err := dap.ReadProtocolMessage(c.r)
		if err != nil {
			c.t.Fatal(err)
		}
		switch e := m.(type) {
		case *dap.OutputEvent:
			c.output.WriteString(e.Body.Output)
		case *dap.ThreadEvent:
		default:
			return m
		}
	}
}

// ask sends a request and reads the answer to it, which has to be of a type.
func ask[T dap.Message](c *client, command string, args any) T {
	c.t.Helper()
	c.send(command, args)
	m := c.read()
	res, ok := m.(T)
	if !ok {
		data, _ := json.Marshal(m)
		c.t.Fatalf("%s: got %T, want %T: %s", command, m, res, data)
	}
	if r := any(res).(dap.ResponseMessage).GetResponse(); r.RequestSeq != c.seq {
		c.t.Fatalf("%s: got the answer to request %d, want %d", command, r.RequestSeq, c.seq)
	}
	return res
}

// begin goes through the beginning of a session.
func (c *client) begin(stopOnEntry bool) dap.StoppedEventBody {
	c.t.Helper()
	caps := ask[*dap.InitializeResponse](c, "initialize", map[string]any{"adapterID": "heddle"}).Body
	if !caps.SupportsStepBack || !caps.SupportsConditionalBreakpoints {
		c.t.Errorf("got %+v, want that it steps back and has conditional breakpoints", caps)
	}
	if _, ok := c.read().(*dap.InitializedEvent); !ok {
		c.t.Fatal("want the event initialized")
	}
	ask[*dap.LaunchResponse](c, "launch", map[string]any{"stopOnEntry": stopOnEntry})
	ask[*dap.ConfigurationDoneResponse](c, "configurationDone", nil)
	return c.stopped()
}

// stopped reads that the program stands still.
func (c *client) stopped() dap.StoppedEventBody {
	c.t.Helper()
	e, ok := c.read().(*dap.StoppedEvent)
	if !ok {
		c.t.Fatalf("got %T, want the event stopped", e)
	}
	return e.Body
}

// move has the program moved.
func (c *client) move(command string, thread int) dap.StoppedEventBody {
	c.t.Helper()
	c.send(command, map[string]any{"threadId": thread})
	if r, ok := c.read().(dap.ResponseMessage); !ok || !r.GetResponse().Success {
		c.t.Fatalf("%s: got %+v, want success", command, r)
	}
	return c.stopped()
}

// breakpoints sets breakpoints of the form "line" or "line: condition", and returns which of them can be hit.
func (c *client) breakpoints(list ...string) (verified []bool) {
	c.t.Helper()
	var points []map[string]any
	for _, text := range list {
		line, cond, _ := strings.Cut(text, ": ")
		var n int
		fmt.Sscan(line, &n)
		points = append(points, map[string]any{"line": n, "condition": cond})
	}
	for _, b := range ask[*dap.SetBreakpointsResponse](c, "setBreakpoints", map[string]any{"source": map[string]any{"path": c.file}, "breakpoints": points}).Body.Breakpoints {
		verified = append(verified, b.Verified)
	}
	return verified
}

// where returns the innermost frame in the program's own file, with its variables, as one line.
func (c *client) where(thread int, names ...string) string {
	c.t.Helper()
	for _, f := range ask[*dap.StackTraceResponse](c, "stackTrace", map[string]any{"threadId": thread}).Body.StackFrames {
		if f.Source.Path != c.file {
			continue
		}
		text := fmt.Sprintf("%s:%d", f.Name, f.Line)
		for _, name := range names {
			text += fmt.Sprintf(" %s=%s", name, c.eval(f.Id, name))
		}
		return text
	}
	return "elsewhere"
}

func (c *client) eval(frame int, expr string) string {
	c.t.Helper()
	c.send("evaluate", map[string]any{"expression": expr, "frameId": frame, "context": "watch"})
	switch m := c.read().(type) {
	case *dap.EvaluateResponse:
		return m.Body.Result
	case *dap.ErrorResponse:
		return "!" + m.Message
	default:
		c.t.Fatalf("got %T", m)
	}
	return ""
}

// quit ends the session.
func (c *client) quit() {
	c.t.Helper()
	ask[*dap.DisconnectResponse](c, "disconnect", nil)
	if code := <-c.done; code != 0 {
		c.t.Errorf("got exit %d, want 0", code)
	}
}

// TestDeadlockBackward: from a deadlock of two goroutines that take two locks in different orders, backward to the first lock that is taken in
// the wrong order.
func TestDeadlockBackward(t *testing.T) {
	c := debugProgram(t, "abba")
	stop := c.begin(false)
	if stop.Reason != "exception" || !strings.Contains(stop.Text, "deadlock: main is blocked forever") {
		t.Fatalf("got %+v, want the deadlock", stop)
	}
	info := ask[*dap.ExceptionInfoResponse](c, "exceptionInfo", map[string]any{"threadId": stop.ThreadId}).Body
	if info.ExceptionId != "deadlock" || !strings.Contains(info.Details.StackTrace, "main.main.func1 holds from.mu since step 1") {
		t.Errorf("got %+v, want what holds what", info)
	}
	var names []string
	threads := ask[*dap.ThreadsResponse](c, "threads", nil).Body.Threads
	for _, th := range threads {
		names = append(names, th.Name)
	}
	if want := []string{"main", "main.main.func1", "main.main.func2#2"}; !slices.Equal(names, want) {
		t.Fatalf("threads: got %q, want %q", names, want)
	}
	for i, want := range []string{
		"main.main:40 a.name=\"a\" a.mu=locked b.mu=locked",
		"main.transfer:19 from.name=\"a\" to.name=\"b\" amount=5 to.mu=locked",
		"main.transfer:19 from.name=\"b\" to.name=\"a\" amount=3 to.mu=locked",
	} {
		var vars []string
		for _, f := range strings.Fields(want)[1:] {
			name, _, _ := strings.Cut(f, "=")
			vars = append(vars, name)
		}
		if got := c.where(threads[i].Id, vars...); got != want {
			t.Errorf("%s: got %s, want %s", names[i], got, want)
		}
	}

	// The second goroutine takes the lock that the first one wants, while that one has its own already: this is where it goes wrong.
	if got := c.breakpoints(`18: from.name == "b"`); !got[0] {
		t.Fatal("the breakpoint is not verified")
	}
	stop = c.move("reverseContinue", stop.ThreadId)
	if stop.Reason != "breakpoint" || stop.ThreadId != threads[2].Id {
		t.Fatalf("got %+v, want the breakpoint of %s", stop, names[2])
	}
	if got, want := c.where(stop.ThreadId, "from.mu", "to.mu"), "main.transfer:18 from.mu=unlocked to.mu=locked"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	// Before that nothing is locked.
	if stop = c.move("reverseContinue", stop.ThreadId); stop.Reason != "entry" {
		t.Errorf("got %+v, want the start", stop)
	}
	if got, want := c.where(threads[2].Id, "from.mu", "to.mu"), "main.transfer:18 from.mu=unlocked to.mu=unlocked"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	// And forward again, to the same place and to the same end.
	if stop = c.move("continue", stop.ThreadId); stop.Reason != "breakpoint" || stop.ThreadId != threads[2].Id {
		t.Errorf("got %+v, want the breakpoint again", stop)
	}
	if stop = c.move("next", stop.ThreadId); c.where(stop.ThreadId, "from.mu", "to.mu") != "main.transfer:19 from.mu=locked to.mu=locked" {
		t.Errorf("got %s, want the next line, with both locked", c.where(stop.ThreadId, "from.mu", "to.mu"))
	}
	if stop = c.move("stepBack", stop.ThreadId); c.where(stop.ThreadId, "from.mu") != "main.transfer:18 from.mu=unlocked" {
		t.Errorf("got %s, want the line before", c.where(stop.ThreadId, "from.mu"))
	}
	c.breakpoints()
	if stop = c.move("continue", stop.ThreadId); stop.Reason != "exception" {
		t.Errorf("got %+v, want the deadlock again", stop)
	}
	if got := c.output.String(); strings.Count(got, "begins\n") != 1 || strings.Count(got, "lock from.mu#2") != 1 {
		t.Errorf("got output %q, want each line once", got)
	}
	c.quit()
}

// TestValues: variables of many types, a conditional breakpoint in a loop in the middle of a step, and a panic.
func TestValues(t *testing.T) {
	c := debugProgram(t, "values")
	stop := c.begin(true)
	if stop.Reason != "entry" {
		t.Fatalf("got %+v, want the start", stop)
	}
	if got := c.breakpoints("25: i == 3", "25: f()", "1000"); !slices.Equal(got, []bool{true, false, false}) {
		t.Errorf("got %v verified, want the first alone", got)
	}
	stop = c.move("continue", stop.ThreadId)
	who := stop.ThreadId
	for expr, want := range map[string]string{
		"i": "3", "sum": "3", "total": "3", "n": "5", "scale": "!scale is (not kept: not used any more)", "text": `"5 of 0.5"`, "none": "nil", "s": "main.point({x: 3, y: 4})", "s.y": "4",
		"list[1].x": "3", "len(list)": "2", `byName["first"].y`: "2", "len(byName)": "1", "sum == 3 && list[0].x < 2": "true", "none == nil": "true",
		"!(n != 5)": "true", "main.total": "3", "nosuch": "!nosuch is not known here", "list[7]": "![{...} {...}] has no [7]", "f()": "!\"f()\": calls cannot be evaluated: nothing of the program is executed for that",
	} {
		if got := strings.TrimPrefix(c.where(who, expr), "main.add:25 "+expr+"="); got != want && !(expr == "list[7]" && strings.HasSuffix(got, "has no [7]")) {
			t.Errorf("%s: got %s, want %s", expr, got, want)
		}
	}
	if got, want := c.tree(who, 2), `Arguments
  ch chan int = chan int 0/0
  list []main.point = [{x: 1, y: 2} {x: 3, y: 4}]
    [0] main.point = {x: 1, y: 2}
    [1] main.point = {x: 3, y: 4}
  scale float64 = (not kept: not used any more)
Locals
  n int = 5
  sum int = 3
  byName map[string]*main.point = map[string]*main.point of 1
    ["first"] *main.point = &{x: 1, y: 2}
  s main.shape = main.point({x: 3, y: 4})
    x int = 3
    y int = 4
  none error = nil
  text string = "5 of 0.5"
  i int = 3
Package variables
  main.total int = 3
`; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	for _, test := range []struct{ move, want string }{
		{"next", "main.add:26 i=3 sum=6 total=3"},
		{"next", "main.add:24 i=3 sum=6 total=6"},
		{"stepBack", "main.add:26 i=3 sum=6 total=3"},
		{"stepBack", "main.add:25 i=3 sum=3 total=3"},
		{"stepBack", "main.add:24 i=2 sum=3 total=3"},
		{"next", "main.add:25 i=3 sum=3 total=3"},
	} {
		c.move(test.move, who)
		if got := c.where(who, "i", "sum", "total"); got != test.want {
			t.Errorf("%s: got %s, want %s", test.move, got, test.want)
		}
	}
	c.breakpoints("31")
	c.move("continue", who)
	c.breakpoints()
	if c.move("stepIn", who); c.where(who, "sum") != "main.add.func1:28 sum=10" {
		t.Errorf("got %s, want the function literal", c.where(who, "sum"))
	}
	if c.move("stepOut", who); !strings.HasPrefix(c.where(who, "sum"), "main.add:") || !strings.HasSuffix(c.where(who, "sum"), "sum=11") {
		t.Errorf("got %s, want to be back", c.where(who, "sum"))
	}
	stop = c.move("continue", who)
	if stop.Reason != "exception" || !strings.Contains(stop.Text, "sum is wrong") || c.where(stop.ThreadId) != "main.add:33" {
		t.Errorf("got %+v at %s, want the panic at line 33", stop, c.where(stop.ThreadId))
	}
	if c.move("stepBack", who); c.where(who) != "main.add:32" {
		t.Errorf("got %s, want line 32", c.where(who))
	}
	if res := ask[*dap.EvaluateResponse](c, "evaluate", map[string]any{"expression": "to 1", "context": "repl"}); res.Body.Result != "before step 1" {
		t.Errorf("got %q", res.Body.Result)
	}
	c.stopped()
	c.quit()
}

// tree tells the variables of the innermost frame, some levels deep.
func (c *client) tree(thread, depth int) string {
	c.t.Helper()
	var b strings.Builder
	frame := ask[*dap.StackTraceResponse](c, "stackTrace", map[string]any{"threadId": thread, "levels": 1}).Body.StackFrames[0]
	for _, s := range ask[*dap.ScopesResponse](c, "scopes", map[string]any{"frameId": frame.Id}).Body.Scopes {
		b.WriteString(s.Name + "\n")
		c.branch(&b, s.VariablesReference, "  ", depth)
	}
	return b.String()
}

func (c *client) branch(b *strings.Builder, ref int, indent string, depth int) {
	for _, v := range ask[*dap.VariablesResponse](c, "variables", map[string]any{"variablesReference": ref}).Body.Variables {
		fmt.Fprintf(b, "%s%s %s = %s\n", indent, v.Name, v.Type, v.Value)
		if depth > 1 && v.VariablesReference > 0 {
			c.branch(b, v.VariablesReference, indent+"  ", depth-1)
		}
	}
}

// TestNonsense: requests that make no sense, or that nobody knows, are refused, and the session goes on.
func TestNonsense(t *testing.T) {
	c := debugProgram(t, "abba")
	stop := c.begin(true)
	for _, test := range []struct {
		command string
		args    any
	}{
		{"scopes", map[string]any{"frameId": 99}},
		{"variables", map[string]any{"variablesReference": 99}},
		{"evaluate", map[string]any{"expression": "1 +"}},
		{"evaluate", map[string]any{"expression": "to 77", "context": "repl"}},
		{"exceptionInfo", map[string]any{"threadId": 1}},
		{"readMemory", map[string]any{"memoryReference": "x", "count": 1}},
		{"nosuchrequest", nil},
	} {
		c.send(test.command, test.args)
		if m, ok := c.read().(*dap.ErrorResponse); !ok || m.Success {
			t.Errorf("%s: got %+v, want that it is refused", test.command, m)
		}
	}
	for _, thread := range []int{-1, 0, 99, 1 << 40} {
		if n := len(ask[*dap.StackTraceResponse](c, "stackTrace", map[string]any{"threadId": thread, "startFrame": -3}).Body.StackFrames); n != 0 {
			t.Errorf("thread %d: got %d frames, want none", thread, n)
		}
	}
	if stop = c.move("next", 99); stop.Reason != "exception" {
		t.Errorf("got %+v, want the end: a thread that is not there never moves", stop)
	}
	c.quit()
}

// TestProcesses: programs that run side by side are debugged together. One of them has ended, by a panic, and is looked at as it was before.
func TestProcesses(t *testing.T) {
	c := debugProgram(t, "server", "client")
	stop := c.begin(false)
	if stop.Reason != "exception" || !strings.Contains(stop.Text, "panic") {
		t.Fatalf("got %+v, want the panic", stop)
	}
	var names []string
	for _, th := range ask[*dap.ThreadsResponse](c, "threads", nil).Body.Threads {
		names = append(names, th.Name)
	}
	if want := []string{"server/main", "client/main"}; !slices.Equal(names, want) {
		t.Errorf("threads: got %q, want %q", names, want)
	}
	if got, want := c.where(stop.ThreadId, "answer"), `main.main:20 answer="got hello\n"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if stop = c.move("stepBack", stop.ThreadId); c.where(stop.ThreadId, "answer") != `main.main:19 answer="got hello\n"` {
		t.Errorf("got %s, want the line before, with the answer", c.where(stop.ThreadId, "answer"))
	}
	c.file = strings.Replace(c.file, "/client/", "/server/", 1)
	c.breakpoints("20")
	if stop = c.move("reverseContinue", stop.ThreadId); c.where(stop.ThreadId, "line") != `main.main:20 line="hello\n"` {
		t.Errorf("got %s, want the server", c.where(stop.ThreadId, "line"))
	}
	c.quit()
}
