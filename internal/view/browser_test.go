package view

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/trace"
)

// A browser is a real one without a window, spoken to through a pipe.
type browser struct {
	t       *testing.T
	w       *os.File
	r       *bufio.Reader
	next    int
	session string
	asked   []string // addresses that the page has asked for
	errors  []string
}

// findBrowser returns the command of a browser that speaks the protocol, "" if there is none.
func findBrowser() string {
	for _, name := range []string{os.Getenv("HEDDLE_CHROMIUM"), "chromium", "chromium-browser", "google-chrome", "headless_shell"} {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			return path
		}
	}
	return ""
}

func startBrowser(t *testing.T) *browser {
	t.Helper()
	path := findBrowser()
	if path == "" {
		t.Skip("no Chromium is installed: the page is not looked at in a browser")
	}
	inR, inW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
		"--remote-debugging-pipe", "--window-size=1400,950", "--user-data-dir="+t.TempDir(), "about:blank")
	cmd.ExtraFiles = []*os.File{inR, outW}
	if err := cmd.Start(); err != nil {
		t.Skipf("%s does not start, so the page is not looked at in a browser: %v", path, err)
	}
	inR.Close()
	outW.Close()
	b := &browser{t: t, w: inW, r: bufio.NewReader(outR)}
	t.Cleanup(func() {
		b.session = ""
		fmt.Fprintf(b.w, `{"id":0,"method":"Browser.close"}`+"\x00")
		inW.Close()
		_ = cmd.Wait()
	})
	var target struct{ TargetID string }
	b.ask("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var session struct{ SessionID string }
	b.ask("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &session)
	b.session = session.SessionID
	for _, domain := range []string{"Page", "Network", "Runtime", "Log"} {
		b.ask(domain+".enable", nil, nil)
	}
	return b
}

type message struct {
	ID     int             `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  json.RawMessage `json:"error,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
}

// ask has something done and waits for the answer.
func (b *browser) ask(method string, params, result any) {
	b.t.Helper()
	b.next++
	m := map[string]any{"id": b.next, "method": method}
	if params != nil {
		m["params"] = params
	}
	if b.session != "" {
		m["sessionId"] = b.session
	}
	data, err := json.Marshal(m)
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.w.Write(append(data, 0)); err != nil {
		b.t.Fatal(err)
	}
	b.until(func(m *message) bool {
		if m.ID != b.next {
			return false
		}
		if m.Error != nil {
			b.t.Fatalf("%s: %s", method, m.Error)
		}
		if result != nil {
			if err := json.Unmarshal(m.Result, result); err != nil {
				b.t.Fatal(err)
			}
		}
		return true
	})
}

// until reads what the browser says until something has come.
func (b *browser) until(wanted func(*message) bool) {
	b.t.Helper()
	for {
		data, err := b.r.ReadBytes(0)
		if err != nil {
			b.t.Fatalf("the browser is gone: %v", err)
		}
		var m message
		if err := json.Unmarshal(bytes.TrimSuffix(data, []byte{0}), &m); err != nil {
			b.t.Fatal(err)
		}
		switch m.Method {
		case "Network.requestWillBeSent":
			var p struct{ Request struct{ URL string } }
			_ = json.Unmarshal(m.Params, &p)
			b.asked = append(b.asked, p.Request.URL)
		case "Runtime.exceptionThrown", "Log.entryAdded":
			b.errors = append(b.errors, string(m.Params))
		}
		if wanted(&m) {
			return
		}
	}
}

// open opens an address.
func (b *browser) open(url string) {
	b.t.Helper()
	b.ask("Page.navigate", map[string]any{"url": url}, nil)
	b.until(func(m *message) bool { return m.Method == "Page.loadEventFired" })
}

// eval evaluates an expression of the page, as text.
func (b *browser) eval(expr string) string {
	b.t.Helper()
	var r struct {
		Result           struct{ Value any }
		ExceptionDetails json.RawMessage
	}
	b.ask("Runtime.evaluate", map[string]any{"expression": expr, "returnByValue": true, "awaitPromise": true}, &r)
	if r.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expr, r.ExceptionDetails)
	}
	return fmt.Sprint(r.Result.Value)
}

// press presses keys.
func (b *browser) press(keys ...string) {
	b.t.Helper()
	codes := map[string]int{"ArrowUp": 38, "ArrowDown": 40, "ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35, "PageUp": 33, "PageDown": 34, "Tab": 9}
	for _, key := range keys {
		text := ""
		if len(key) == 1 {
			text = key
		}
		for _, kind := range []string{"keyDown", "keyUp"} {
			params := map[string]any{"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": codes[key]}
			if kind == "keyDown" && text != "" {
				params["text"] = text
			}
			b.ask("Input.dispatchKeyEvent", params, nil)
		}
	}
}

// picture keeps a picture of the page, if somebody wants to look at it: HEDDLE_PICTURES names a folder.
func (b *browser) picture(name string) {
	b.t.Helper()
	dir := os.Getenv("HEDDLE_PICTURES")
	if dir == "" {
		return
	}
	var shot struct{ Data string }
	b.ask("Page.captureScreenshot", nil, &shot)
	data, err := base64.StdEncoding.DecodeString(shot.Data)
	if err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), data, 0o666); err != nil {
		b.t.Fatal(err)
	}
}

// serve shows a page and returns its address.
func serve(t *testing.T, s interface{ Page() ([]byte, error) }) string {
	t.Helper()
	page, err := s.Page()
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ready, done := make(chan string, 1), make(chan error, 1)
	go func() { done <- Serve(ctx, l, page, func(url string) { ready <- url }) }()
	t.Cleanup(func() { cancel(); <-done })
	return <-ready
}

const (
	label    = `document.querySelector(".label").textContent`
	drawn    = `new Promise((done) => requestAnimationFrame(() => setTimeout(done)))` // what was asked for is there
	selected = drawn + `.then(() => document.querySelector(".row.selected").getAttribute("aria-label"))`
)

// TestInBrowser: the page is opened in a real browser and moved through by keys. It asks nobody for anything.
func TestInBrowser(t *testing.T) {
	b := startBrowser(t)
	url := serve(t, sample(t))
	b.open(url)
	if got, want := b.eval("document.title"), "deadlock: sample"; got != want {
		t.Errorf("title: got %q, want %q", got, want)
	}
	if got, want := b.eval("document.querySelector('h1').textContent"), "deadlock <img src=x onerror=alert(1)> is blocked"; got != want {
		t.Errorf("headline: got %q, want %q", got, want)
	}
	b.picture("sample-light")
	for _, test := range []struct{ key, label, selected string }{
		{"", "the end", "the end, main: deadlock: <img src=x onerror=alert(1)> is blocked, main.go:5, matters"},
		{"Home", "before the first step", "before the first step, main: accept client"},
		{"ArrowDown", "step 1 of 6", "step 1, main: go f, main.go:3"},
		{"j", "step 2 of 6", "step 2, main: lock mu, main.go:4, matters"},
		{"n", "step 3 of 6", "step 3, f: lock other, main.go:4, matters"},
		{"ArrowRight", "step 4–5 of 6", "… 2 steps in the library"},
		{"f", "step 5 of 6", "step 5, f: read more, main.go:4"},
		{"[", "step 4 of 6", "step 4, f: read, main.go:4"},
		{"p", "step 3 of 6", "step 3, f: lock other, main.go:4, matters"},
		{"k", "step 2 of 6", "step 2, main: lock mu, main.go:4, matters"},
		{"PageDown", "the end", "the end, main: deadlock: <img src=x onerror=alert(1)> is blocked, main.go:5, matters"},
		{"ArrowUp", "step 6 of 6", "step 6, main: send <b>x</b>, main.go:5"},
	} {
		if test.key != "" {
			b.press(test.key)
		}
		if got := b.eval(label); got != test.label {
			t.Errorf("%s: got %q, want %q", test.key, got, test.label)
		}
		if got := b.eval(selected); got != test.selected {
			t.Errorf("%s: got %q, want %q", test.key, got, test.selected)
		}
	}
	b.eval(drawn)
	for what, expr := range map[string]string{
		"a message is an arrow":       `document.querySelectorAll(".message path").length >= 2`,
		"who waits is drawn":          `document.querySelectorAll(".graph .node").length === 2 && document.querySelectorAll(".graph .wait").length === 2`,
		"orders are drawn":            `document.querySelectorAll(".edge").length > 0`,
		"the source is there":         `document.querySelector(".code .here").textContent.includes("other.Lock()")`,
		"the slider says the step":    `document.querySelector("#slider").getAttribute("aria-valuetext").startsWith("step 6, ")`,
		"it is announced":             `document.querySelector("[aria-live]").textContent.startsWith("step 6, ")`,
		"steps are a list":            `document.querySelector("[role=listbox]").getAttribute("aria-activedescendant") === document.querySelector(".row.selected").id`,
		"the list has the focus":      `document.activeElement.id === "steps"`,
		"all buttons have names":      `[...document.querySelectorAll("button")].every((b) => b.getAttribute("aria-label"))`,
		"panels have titles":          `[...document.querySelectorAll("section.panel")].every((s) => document.getElementById(s.getAttribute("aria-labelledby")))`,
		"nothing has become markup":   `document.querySelectorAll("img, b, iframe").length === 0`,
		"variables that were changed": `document.querySelector(".variables").textContent.includes("What was changed so far (1)")`,
	} {
		if b.eval(expr) != "true" {
			t.Errorf("%s: got no, want yes", what)
		}
	}
	b.press("t")
	b.picture("sample-dark")
	if got := b.eval(`getComputedStyle(document.body).backgroundColor`); got != "rgb(13, 17, 23)" {
		t.Errorf("dark: got %s", got)
	}
	b.press("t")
	// The slider has the keys when it has the focus.
	b.eval(`document.querySelector("#slider").focus()`)
	b.press("ArrowLeft")
	if got := b.eval(label); got != "step 5 of 6" {
		t.Errorf("slider: got %q, want step 5", got)
	}
	// On paper all steps are there.
	if got := b.eval(`dispatchEvent(new Event("beforeprint")), document.querySelectorAll(".paper tr").length`); got != "8" {
		t.Errorf("paper: got %s lines, want 8", got)
	}
	if len(b.errors) > 0 {
		t.Errorf("the page complains: %s", strings.Join(b.errors, "\n"))
	}
	for _, asked := range b.asked {
		if asked != url && asked != "data:," {
			t.Errorf("the page asks for %s", asked)
		}
	}
	if got := b.eval(`fetch("https://example.com/").then(() => "reached", () => "refused")`); got != "refused" {
		t.Errorf("another origin: got %s, want refused", got)
	}
}

// long is a trace of n steps by twenty goroutines.
func long(n int) *Story {
	t := &trace.Trace{Finding: diag.Finding{Kind: "deadlock", Message: "main is blocked"}}
	for i := range n {
		actor := fmt.Sprintf("main.worker#%d", i*7%20+1)
		e := lts.Event{Actor: actor, Action: fmt.Sprintf("lock queue[%d].mu", i%50), Pos: diag.Pos{File: "main.go", Line: i%400 + 1}}
		e.Touched = []lts.Touch{{Thing: fmt.Sprint("q", i%50), Write: true}}
		e.Changed = []lts.Change{{Name: fmt.Sprintf("main.count%d", i%100), Old: fmt.Sprint(i), New: fmt.Sprint(i + 1)}}
		t.Steps = append(t.Steps, trace.Step{Event: e, Weight: trace.Weight(i % 3), Switch: true})
	}
	t.Path = make(lts.Path, n)
	s := Tell(t, "long", "")
	s.Files[0].Text = strings.Repeat("\tx = compute(x, y, z) // a line of source\n", 400)
	for i := range s.Steps {
		s.Steps[i].Frame = &Frame{Func: "main.worker", Vars: [][2]string{{"i", fmt.Sprint(i)}, {"job", fmt.Sprintf("{id: %d, text: \"job\"}", i)}, {"done", "false"}}}
		waits := []Wait{{Lane: i % 20, For: "lock", File: -1, By: []int{(i + 1) % 20}}}
		s.Steps[i].Waits = &waits
	}
	s.Starts, s.Ends = make([]*Frame, len(s.Lanes)), make([]*Frame, len(s.Lanes))
	return s
}

// spent is how much CPU time the page has used so far, in milliseconds.
func (b *browser) spent() float64 {
	b.t.Helper()
	var r struct {
		Metrics []struct {
			Name  string
			Value float64
		}
	}
	b.ask("Performance.getMetrics", nil, &r)
	for _, m := range r.Metrics {
		if m.Name == "TaskDuration" {
			return 1000 * m.Value
		}
	}
	b.t.Fatal("the browser does not tell how long tasks take")
	return 0
}

// TestLongInBrowser: a page of 10,000 steps has as many elements as one of few. How much CPU time a move of the slider takes is said, and not
// judged: that depends on the machine.
func TestLongInBrowser(t *testing.T) {
	b := startBrowser(t)
	b.ask("Performance.enable", map[string]any{"timeDomain": "threadTicks"}, nil)
	b.open(serve(t, long(10000)))
	loaded := b.spent()
	b.press("Home", "ArrowDown", "PageDown", "n", "]")
	if got, want := b.eval(label), "step 35 of 10000"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	b.eval(drawn)
	b.picture("long")
	worst := 0.0
	for i := range 40 {
		before := b.spent()
		at := i * 1237 % 10000
		b.eval(fmt.Sprintf(`document.querySelector("#slider").value = %d, document.querySelector("#slider").dispatchEvent(new Event("input")), %s`, at, drawn))
		worst = max(worst, b.spent()-before)
		if got, want := b.eval(label), fmt.Sprintf("step %d of 10000", at+1); got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
	}
	t.Logf("10,000 steps: %.0f ms of CPU time to load, and at most %.0f to move the slider", loaded, worst)
	var n int
	fmt.Sscan(b.eval(`document.querySelectorAll("*").length`), &n)
	if n > 3000 {
		t.Errorf("got %d elements, want that only what can be seen is there", n)
	}
	if len(b.errors) > 0 {
		t.Errorf("the page complains: %s", strings.Join(b.errors, "\n"))
	}
}
