package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/hostile"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// TestHostile: certificates in which something was changed, with sums that are right, are refused for a program that is
// wrong, and are no reason to crash. Half of them say that they are of that program.
func TestHostile(t *testing.T) {
	t.Chdir(t.TempDir())
	program := "package main\n\nimport \"os\"\n\nfunc main() {\n\tc := make(chan int)\n\tgo func() { c <- 1 }()\n\tif <-c; len(os.Args) == 1 {\n\t\tpanic(\"wrong\")\n\t}\n}\n"
	if err := os.WriteFile("main.go", []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, out := heddle("check", "-cert", "c.heddle", "main.go", "--", "safe"); code != 0 {
		t.Fatalf("exit %d, %s", code, out)
	}
	honest, err := os.ReadFile("c.heddle")
	if err != nil {
		t.Fatal(err)
	}
	c, err := cert.Open(bytes.NewReader(honest), int64(len(honest)))
	if err != nil {
		t.Fatal(err)
	}
	var settings []cert.Pair
	for _, p := range c.Header.Settings {
		if p.Name != "args" {
			settings = append(settings, p)
		}
	}
	c.Header.Settings = settings
	forged, err := cert.Reseal(honest, c.Header, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range testlong.Or(30, 500) {
		r := hostile.Dice(1, uint64(i))
		from := honest
		if r.IntN(2) == 0 {
			from = forged
		}
		bad, what := hostile.Certificate(r, from)
		if err := os.WriteFile("c.heddle", bad, 0o666); err != nil {
			t.Fatal(err)
		}
		if code, out := certcheck("c.heddle", "main.go"); code == diag.ExitOK || code == diag.ExitBug || strings.ContainsAny(out, "\x1b\u200b\x00") {
			t.Errorf("file %d, %s: got exit %d, %q", i, what, code, out)
		}
	}
}
