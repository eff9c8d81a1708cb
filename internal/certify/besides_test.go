package certify

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
)

// TestBesides: what check looks at after its search is looked at with a certificate, too, whose author need
// not have done it.
func TestBesides(t *testing.T) {
	for _, test := range []struct {
		name, body string
		finding    string // or
		left       string
	}{
		{name: "nothing", body: "go func() { time.Sleep(time.Second) }(); net.ParseIP(\"\")"},
		{name: "a race that time hides", finding: "race", body: `x := 0
	done := make(chan int, 1)
	go func() { x++; done <- 1; done <- 2 }()
	time.Sleep(time.Second)
	x++
	<-done
	<-done
	net.ParseIP("")`},
		{name: "nobody is at the other end", left: "nobody was at 127.0.0.1:4000", body: `if c, err := net.Dial("tcp", "127.0.0.1:4000"); err == nil {
		c.Close()
	}
	time.Now()`},
		{name: "no end", left: "no path came to the end", body: `net.ParseIP("")
	for last := time.Now(); ; {
		if now := time.Now(); now.Sub(last) > time.Hour {
			return
		}
		time.Sleep(time.Millisecond)
	}`},
	} {
		code := check.Compiled(compileRandom(t, "package main\n\nimport (\n\t\"net\"\n\t\"time\"\n)\n\nfunc main() {\n\t"+test.body+"\n}\n"), false)
		spec := check.New()
		spec.Program.Packages = check.List{"p"}
		if test.left == "no path came to the end" {
			spec.Model.Ticks = 3
		}
		data := plainCertificate(t, code, spec)
		r, err := cert.Open(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		of, known, err := ReadSpec(r)
		if err != nil {
			t.Fatal(err)
		}
		p, err := NewProgram(r, "p", of, known)
		if err != nil {
			t.Fatal(err)
		}
		p.Code = code
		e, err := p.Examine(context.Background(), r, Options{Workers: 1})
		switch {
		case test.left != "":
			if diag.ExitCode(err) != diag.ExitIncomplete || !strings.Contains(err.Error(), test.left) {
				t.Errorf("%s: got %v, want it inconclusive: %s", test.name, err, test.left)
			}
		case err != nil:
			t.Errorf("%s: %v", test.name, err)
		case test.finding == "" && len(e.Findings) > 0 || test.finding != "" && (len(e.Findings) == 0 || e.Findings[0].Kind != test.finding):
			t.Errorf("%s: got %v, want %q", test.name, e.Findings, test.finding)
		}
	}
}

// plainCertificate returns the certificate of a search, by an author who has done nothing besides.
func plainCertificate(t *testing.T, code *check.Code, spec *check.Spec) []byte {
	t.Helper()
	p := &Program{Name: "p", Code: code, Process: spec.Process("p"), Spec: spec}
	var err error
	if p.Settings, err = spec.System(); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	var res *explore.Result
	check.Settle(execute.Unknown(), func(known execute.Known) ([]*execute.Found, bool) {
		out.Reset()
		p.Settings.Known = known
		h := p.Header("test", true)
		h.Settings = append(h.Settings, cert.Pair{Name: assumeName, Value: known.Text()}, cert.Pair{Name: viewsName, Value: known.Views.String()})
		w, err := cert.NewWriter(&out, h)
		if err != nil {
			t.Fatal(err)
		}
		recorder := cert.NewRecorder(w)
		pool := &check.Pool{Make: p.New}
		defer pool.Close()
		res, err = explore.Run(pool.New, explore.Options{Reduce: true, Observer: recorder})
		if err != nil {
			t.Fatal(err)
		}
		if check.Held(check.FoundIn(pool.List)) {
			circles := &check.Pool{Make: p.New}
			defer circles.Close()
			if _, err := check.LookForCircles(circles.New, explore.Options{Reduce: true}); err != nil {
				t.Fatal(err)
			}
			pool.List = append(pool.List, circles.List...)
			circles.List = nil
		}
		if err := recorder.Close(nil); err != nil {
			t.Fatal(err)
		}
		return check.FoundIn(pool.List), len(res.Findings) > 0
	})
	if res.Verdict != explore.Verified {
		t.Fatalf("got %v, %v, want it verified", res.Findings, res.Left)
	}
	sys, err := p.New()
	if err != nil {
		t.Fatal(err)
	}
	twice(t, out.Bytes(), sys)
	return out.Bytes()
}
