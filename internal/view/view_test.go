package view

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/trace"
)

// TestBundleIsFresh: what is embedded was made of the sources that are here.
func TestBundleIsFresh(t *testing.T) {
	h := sha256.New()
	list, err := os.ReadDir("web/src") // in the order of names
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		text, err := os.ReadFile(filepath.Join("web/src", e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(h, "%s %d\n%s", e.Name(), len(text), text)
	}
	want := "/* made by web/build.mjs of sources " + hex.EncodeToString(h.Sum(nil)) + " */\n"
	for name, text := range map[string]string{"view.js": program, "sheet.js": sheetProgram, "view.css": style} {
		if !strings.HasPrefix(text, want) {
			t.Errorf("%s: got %.120q, want %q: run npm ci && npm run build in internal/view/web", name, text, want)
		}
	}
}

// TestBundleAgain: to bundle the sources again makes the same bytes.
func TestBundleAgain(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed: that the bundle is what esbuild makes is not looked at")
	}
	if _, err := os.Stat("web/node_modules/esbuild"); err != nil {
		t.Skip("esbuild is not installed, run npm ci in internal/view/web: that the bundle is what it makes is not looked at")
	}
	dir := t.TempDir()
	if out, err := exec.Command("node", "web/build.mjs", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, want := range map[string]string{"view.js": program, "sheet.js": sheetProgram, "view.css": style} {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || string(got) != want {
			t.Errorf("%s: got other bytes (%v) than are in web/dist", name, err)
		}
	}
	if out, err := exec.Command("node", "web/node_modules/typescript/bin/tsc", "--noEmit", "-p", "web").CombinedOutput(); err != nil {
		t.Errorf("types: %v\n%s", err, out)
	}
}

// sample is a trace with all that a page shows. Its texts are such that they would do something if they were taken for markup.
func sample(t *testing.T) *Story {
	t.Helper()
	root := t.TempDir()
	source := "package main\n\nfunc main() {\n\tmu.Lock() // </script><script>document.title = 'bad'</script>\n\tother.Lock()\n}\n"
	if err := os.WriteFile(filepath.Join(root, "main.go"), []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	at := func(line int) diag.Pos { return diag.Pos{File: "main.go", Line: line, Col: 2} }
	step := func(actor, action string, line int, weight trace.Weight) trace.Step {
		return trace.Step{Event: lts.Event{Actor: actor, Action: action, Pos: at(line)}, Weight: weight}
	}
	tr := &trace.Trace{
		Finding: diag.Finding{Kind: "deadlock", Message: "<img src=x onerror=alert(1)> is blocked", Pos: at(5)},
		Before:  []lts.Event{{Actor: "main", Action: "accept client", Messages: []lts.Message{{From: "client", To: "main", Text: "connect"}}}},
		Steps: []trace.Step{
			step("main", "go main.f", 3, trace.Past), step("main", "lock mu", 4, trace.Key), step("main.f", "lock other", 4, trace.Key),
			step("main.f", "read", 4, trace.Apart), step("main.f", "read more", 4, trace.Apart), step("main", "send <b>x</b>", 5, trace.Past),
		},
		Waiting: []lts.Waiting{{Actor: "main", For: "lock other", Pos: at(5), Releasers: []string{"main.f"}}, {Actor: "main.f", For: "lock mu", Pos: at(5), Releasers: []string{"main"}}},
	}
	tr.Steps[1].Changed = []lts.Change{{Name: "main.n", Old: "1", New: "2"}}
	tr.Steps[1].Touched, tr.Steps[3].Touched = []lts.Touch{{Thing: "mu", Write: true}}, []lts.Touch{{Thing: "mu", Write: true}}
	tr.Steps[3].Library, tr.Steps[4].Library = true, true
	tr.Steps[5].Messages = []lts.Message{{From: "main", To: "client", Text: "<b>x</b>"}}
	tr.Path = make(lts.Path, len(tr.Steps))
	return Tell(tr, "sample", root)
}

// TestStory: lanes, edges, messages and sources are told.
func TestStory(t *testing.T) {
	s := sample(t)
	var lanes []string
	for _, l := range s.Lanes {
		lanes = append(lanes, l.Name)
	}
	if got, want := strings.Join(lanes, ","), "main,f,client"; got != want {
		t.Errorf("lanes: got %s, want %s", got, want)
	}
	if got := fmt.Sprint(s.Steps[2].After, s.Steps[3].After, s.Steps[0].Meets); got != "[0] [1] [1]" {
		t.Errorf("got edges and meetings %s, want [0] [1] [1]: f was started by step 1, and reads what step 2 has written", got)
	}
	if len(s.Files) != 1 || !strings.HasPrefix(s.Files[0].Text, "package main") {
		t.Errorf("got files %+v, want the source", s.Files)
	}
	if got := s.Steps[5].Sent; len(got) != 1 || s.Lanes[got[0].To].Name != "client" || !s.Lanes[got[0].To].Outside {
		t.Errorf("got messages %+v, want one to the client", got)
	}
	data, err := s.Page()
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	if strings.Count(page, "<script") != 2 || strings.Count(page, "</script>") != 2 || strings.Contains(page, "<img") {
		t.Error("what the program says has become markup")
	}
	for _, m := range regexp.MustCompile(`(?:src|href)="([^"]*)"|https?://[^ "'\\]*`).FindAllString(strings.Replace(page, program, "", 1), -1) {
		if m != `href="data:,"` {
			t.Errorf("the page mentions %s, want that it needs nothing", m)
		}
	}
	begin := strings.Index(page, `id="story">`) + len(`id="story">`)
	var again Story
	if err := json.NewDecoder(strings.NewReader(page[begin:])).Decode(&again); err != nil || again.Message != s.Message {
		t.Errorf("got message %q, %v, want %q", again.Message, err, s.Message)
	}
}

// TestOnlySources: a trace that names another file than a source does not get it into the page.
func TestOnlySources(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("password"), 0o666); err != nil {
		t.Fatal(err)
	}
	tr := &trace.Trace{Finding: diag.Finding{Kind: "panic", Pos: diag.Pos{File: secret, Line: 1}}, Waiting: []lts.Waiting{{Actor: "main", Pos: diag.Pos{File: "/dev/zero.go", Line: 1}}}}
	s := Tell(tr, "x", "")
	for _, f := range s.Files {
		if f.Text != "" {
			t.Errorf("%s: got %q, want nothing", f.Name, f.Text)
		}
	}
}

// TestNames: lanes have short names that differ.
func TestNames(t *testing.T) {
	for _, test := range []struct{ full, want string }{
		{"main example.com/a/b.f#2 example.com/a/b.g", "main f g"},
		{"srv/main cli/main cli/main.main.func1 srv/main.main.func1", "srv/main cli/main cli/main.func1 srv/main.func1"},
		{"main main.f net/http.(*conn).serve#2", "main f (*conn).serve"},
	} {
		tr := &trace.Trace{}
		for _, name := range strings.Fields(test.full) {
			tr.Waiting = append(tr.Waiting, lts.Waiting{Actor: name})
		}
		var got []string
		for _, l := range Tell(tr, "x", "").Lanes {
			got = append(got, l.Name)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: got %s, want %s", test.full, strings.Join(got, " "), test.want)
		}
	}
}

// TestServe: the page is there for who knows its address, and for nobody else.
func TestServe(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ready, done := make(chan string, 1), make(chan error, 1)
	go func() { done <- Serve(ctx, l, []byte("the page"), func(url string) { ready <- url }) }()
	url := <-ready
	host := l.Addr().String()
	path := strings.TrimPrefix(url, "http://"+host)
	if len(path) < 20 {
		t.Errorf("got the path %q, want one that cannot be guessed", path)
	}
	for _, test := range []struct{ request, want string }{
		{"GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n", "HTTP/1.1 200 OK"},
		{"HEAD " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n", "HTTP/1.1 200 OK"},
		{"GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n", "HTTP/1.1 404 Not Found"},
		{"GET " + path + "x HTTP/1.1\r\nHost: " + host + "\r\n\r\n", "HTTP/1.1 404 Not Found"},
		{"GET " + path + " HTTP/1.1\r\nHost: evil.example\r\n\r\n", "HTTP/1.1 404 Not Found"},
		{"GET " + path + " HTTP/1.1\r\n\r\n", "HTTP/1.1 404 Not Found"},
		{"POST " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n", "HTTP/1.1 405 Method Not Allowed"},
		{"GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nHost: evil.example\r\n\r\n", "HTTP/1.1 400 Bad Request"},
		{"nonsense\r\n\r\n", "HTTP/1.1 400 Bad Request"},
		{"GET " + path + " HTTP/1.1\r\nX: " + strings.Repeat("x", maxRequest) + "\r\n\r\n", "HTTP/1.1 400 Bad Request"},
	} {
		c, err := net.Dial("tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(c, test.request)
		data, _ := io.ReadAll(c)
		c.Close()
		if got, _, _ := strings.Cut(string(data), "\r\n"); got != test.want {
			t.Errorf("%.60q: got %q, want %q", test.request, got, test.want)
		}
		if has, ok := bytes.Contains(data, []byte("the page")), strings.HasPrefix(test.request, "GET") && strings.HasSuffix(test.want, "OK"); has != ok {
			t.Errorf("%.60q: got the page: %v, want %v", test.request, has, ok)
		}
	}
	cancel()
	if err := <-done; err != nil {
		t.Errorf("got %v, want the end", err)
	}
}
