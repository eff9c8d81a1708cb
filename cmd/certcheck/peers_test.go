package main

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/hostile"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// TestMain is the peer of programs, too, if it is called so.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) != "peer" {
		os.Exit(m.Run())
	}
	l, err := net.Listen("tcp", os.Args[1])
	for err == nil {
		var c net.Conn
		if c, err = l.Accept(); err == nil {
			go func() {
				for in := bufio.NewScanner(c); in.Scan(); {
					fmt.Fprintln(c, strings.ToUpper(in.Text()))
				}
				c.Close()
			}()
		}
	}
	os.Exit(1)
}

// TestPeers: what peers said is played to the program, by both checkers, if that is allowed. Where it was changed the program is wrong, or it
// is not known what they would say.
func TestPeers(t *testing.T) {
	talker, err := os.ReadFile("../../internal/cli/testdata/talker/main.go")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, "peer"); err != nil {
		t.Fatal(err)
	}
	write(t, "main.go", talker)
	if code, out := heddle("check", "-cert", "c.heddle", "-patience", "1ms", "-server", "./peer {addr}", "main.go"); code != 0 {
		t.Fatalf("got exit %d, %s", code, out)
	}
	if err := os.Remove("peer"); err != nil {
		t.Fatal(err)
	}
	if one, two, said, also := opinions("-allow", "peers", "c.heddle", "main.go"); one != 0 || two != 0 || !strings.Contains(also, "if 1 recorded peers say what is in the certificate") {
		t.Fatalf("heddle certify: exit %d, %s; certcheck: exit %d, %s", one, said, two, also)
	}
	if one, two, said, also := opinions("c.heddle", "main.go"); one != 1 || two != 1 || !strings.Contains(also, "(-allow peers)") {
		t.Errorf("heddle certify: exit %d, %s; certcheck: exit %d, %s", one, said, two, also)
	}
	honest := read(t, "c.heddle")
	c, err := cert.Open(bytes.NewReader(honest), int64(len(honest)))
	if err != nil {
		t.Fatal(err)
	}
	text, err := c.Traffic()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		old, new string
		code     int
	}{
		{`< "A\n"`, `< "B\n"`, 1},
		{`< "A\n"`, `< eof`, 1},
		{`> "a\n"`, `> "x\n"`, 3},
		{string(text), "", 1},
		{"iocache tree", "iocache", 1},
		{"iocache tree", "iocache linear", 1},
	} {
		edited := strings.Replace(string(text), test.old, test.new, 1)
		data, err := cert.Reseal(honest, c.Header, []byte(edited))
		if err != nil || edited == string(text) {
			t.Fatalf("%q in %s: %v", test.old, text, err)
		}
		write(t, "c.heddle", data)
		if one, two, said, also := opinions("-allow", "peers", "c.heddle", "main.go"); one == 0 || two != test.code {
			t.Errorf("%q for %q: heddle certify: exit %d, %s; certcheck: exit %d, %s", test.new, test.old, one, said, two, also)
		}
	}
	many := c.Header
	many.Settings = slices.Clone(many.Settings)
	for i := range many.Settings {
		if p := &many.Settings[i]; p.Name == "peers" {
			p.Value = "[" + strings.Repeat(strings.Trim(p.Value, "[]")+",", 200) + strings.Trim(p.Value, "[]") + "]"
		}
	}
	data, err := cert.Reseal(honest, many, text)
	if err != nil {
		t.Fatal(err)
	}
	write(t, "c.heddle", data)
	if one, two, said, also := opinions("-allow", "peers", "c.heddle", "main.go"); one != 1 || two != 1 {
		t.Errorf("201 peers: heddle certify: exit %d, %s; certcheck: exit %d, %s", one, said, two, also)
	}
	certified := 0
	for k := range testlong.Or[uint64](12, 300) {
		bad, what := hostile.Certificate(hostile.Dice(7, k), honest)
		write(t, "c.heddle", bad)
		one, two, said, also := opinions("-allow", "peers", "c.heddle", "main.go")
		if one == diag.ExitBug || two == diag.ExitBug || one == diag.ExitOK && two == diag.ExitFinding || strings.HasPrefix(also, "violation") && one == diag.ExitOK {
			t.Errorf("file %d, %s: heddle certify: exit %d, %s; certcheck: exit %d, %s", k, what, one, said, two, also)
		}
		if two == diag.ExitOK {
			certified++
			t.Logf("file %d: %s: heddle certify: exit %d", k, what, one)
		}
	}
	t.Logf("certcheck certifies %d", certified)
	if code, _ := certcheck("-allow", "late", "c.heddle", "main.go"); code != 2 {
		t.Errorf("something else is allowed: exit %d", code)
	}
}
