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

// linkPeer makes the test binary a peer, in the current folder.
func linkPeer(t *testing.T) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, "peer"); err != nil {
		t.Fatal(err)
	}
}

// TestPeers: what peers said is played to the program, by both checkers, if that is allowed. Where it was changed the program is wrong, or it
// is not known what they would say.
func TestPeers(t *testing.T) {
	talker, err := os.ReadFile("../../internal/cli/testdata/talker/main.go")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	linkPeer(t)
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
	c := opened(t, honest)
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

// TestUnmet: who never meets whom it was to be shown with is not certified, by either of them, whatever a certificate says.
func TestUnmet(t *testing.T) {
	t.Chdir(t.TempDir())
	linkPeer(t)
	write(t, "main.go", []byte("package main\n\nimport (\n\t\"net\"\n\t\"os\"\n)\n\nfunc main() {\n\tif len(os.Args) < 2 {\n\t\treturn\n\t}\n"+
		"\tif os.Args[1] == \"listen\" {\n\t\tl, err := net.Listen(\"tcp\", \"127.0.0.1:7000\")\n\t\tif err != nil {\n\t\t\tpanic(err)\n\t\t}\n\t\tgo l.Accept()\n\t\treturn\n\t}\n"+
		"\tc, err := net.Dial(\"tcp\", os.Args[1])\n\tif err == nil {\n\t\tc.Close()\n\t}\n}\n"))
	drop := func(name string) func([]cert.Pair) []cert.Pair {
		return func(list []cert.Pair) []cert.Pair {
			return slices.DeleteFunc(list, func(p cert.Pair) bool { return p.Name == name })
		}
	}
	for _, test := range []struct {
		name           string
		check, certify []string // behind the file
		without        string
		want           string
	}{
		{"a peer", []string{"-patience", "1ms", "-server", "./peer {addr}", "main.go", "--", "127.0.0.1:7000"}, []string{"main.go"}, "args", "the program never had to do with server"},
		{"nobody comes", []string{"-alone", "-property", "race,fatal", "main.go", "--", "listen"}, []string{"main.go", "--", "listen"}, "alone", "nobody came to 127.0.0.1:7000"},
	} {
		if code, out := heddle(append([]string{"check", "-o", "out", "-cert", "c.heddle"}, test.check...)...); code != 0 {
			t.Fatalf("%s: got exit %d, %s", test.name, code, out)
		}
		write(t, "c.heddle", withSettings(t, read(t, "c.heddle"), drop(test.without)))
		one, two, said, also := opinions(append([]string{"-allow", "peers", "c.heddle"}, test.certify...)...)
		if one == 0 || two != diag.ExitIncomplete || !strings.Contains(also, test.want) {
			t.Errorf("%s: heddle certify: exit %d, %s; certcheck: exit %d, %s", test.name, one, said, two, also)
		}
	}
	// Several programs have no peers: heddle check says so, and a certificate that says otherwise is refused.
	write(t, "go.mod", []byte("module m\n\ngo 1.26\n"))
	peer := []string{"-patience", "1ms", "-server", "./peer {addr}"}
	if code, out := heddle(slices.Concat([]string{"check", "-o", "out"}, peer, []string{".", "."})...); code != diag.ExitUsage {
		t.Errorf("several programs with a peer: got exit %d, %s", code, out)
	}
	if code, out := heddle(slices.Concat([]string{"check", "-o", "out", "-cert", "one.heddle"}, peer, []string{".", "--", "127.0.0.1:7000"})...); code != 0 {
		t.Fatalf("got exit %d, %s", code, out)
	}
	if code, out := heddle("check", "-o", "out", "-cert", "two.heddle", ".", "."); code != 0 {
		t.Fatalf("got exit %d, %s", code, out)
	}
	one, two := opened(t, read(t, "one.heddle")), opened(t, read(t, "two.heddle"))
	for _, name := range []string{"cache", "peers"} {
		if value := cert.Lookup(one.Header.Settings, name); value != "" {
			two.Header.Settings = append(two.Header.Settings, cert.Pair{Name: name, Value: value})
		}
	}
	traffic, err := one.Traffic()
	if err != nil {
		t.Fatal(err)
	}
	forged, err := cert.Reseal(read(t, "two.heddle"), two.Header, traffic)
	if err != nil {
		t.Fatal(err)
	}
	write(t, "two.heddle", forged)
	if one, two, said, also := opinions("-allow", "peers", "two.heddle", ".", "."); one == 0 || two != diag.ExitFinding || !strings.Contains(also, "it has 1 peers, of 2 programs") {
		t.Errorf("several programs with a peer: heddle certify: exit %d, %s; certcheck: exit %d, %s", one, said, two, also)
	}
}

// opened returns a certificate.
func opened(t *testing.T, data []byte) *cert.Reader {
	t.Helper()
	c, err := cert.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return c
}
