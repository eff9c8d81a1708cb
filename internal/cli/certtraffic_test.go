package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/cert"
)

// TestTraffic: the certificate of a program with peers is certified when none is
// running, and what they said cannot be edited.
func TestTraffic(t *testing.T) {
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	peer := filepath.Join(dir, "peer") // by this name the test binary is the peer of scripts
	if err := os.Symlink(self, peer); err != nil {
		t.Fatal(err)
	}
	program, file := filepath.Join(dir, "main.go"), filepath.Join(dir, "c.heddle")
	if err := os.WriteFile(program, []byte(pageText(t, "testdata/talker/main.go")), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, stdout, stderr := runHeddle("check", "-cert", file, "-patience", "1ms", "-server", peer+" upper {addr}", program); code != 0 {
		t.Fatalf("got exit %d, %q, %q", code, stdout, stderr)
	}
	if err := os.Remove(peer); err != nil {
		t.Fatal(err)
	}
	for _, workers := range []string{"1", "2"} {
		code, stdout, stderr := runHeddle("certify", "-allow", "peers", "-workers", workers, file, program)
		if code != 0 || !strings.Contains(stdout, "what 1 recorded peers said") {
			t.Errorf("got exit %d, %q, %q", code, stdout, stderr)
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c, err := cert.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	said, err := c.Traffic()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ old, new string }{
		{`< "A\n"`, `< "B\n"`},             // another answer
		{`< "A\n"`, `< eof`},               // no answer
		{`> "a\n"`, `> "x\n"`},             // to another question
		{string(said), ""},                 // nothing
		{"iocache tree", "iocache"},        // not a recording
		{"iocache tree", "iocache linear"}, // of another mode
	} {
		edited := strings.Replace(string(said), test.old, test.new, 1)
		if edited == string(said) {
			t.Fatalf("%q is not in the traffic:\n%s", test.old, said)
		}
		if err := os.WriteFile(file, rewriteAll(t, data, func(*cert.Header) {}, []byte(edited)), 0o666); err != nil {
			t.Fatal(err)
		}
		if code, stdout, stderr := runHeddle("certify", "-allow", "peers", "-o", filepath.Join(dir, "out"), file, program); code != 1 && code != 3 || stdout+stderr == "" {
			t.Errorf("%q for %q: got exit %d, %q, %q, want it refused", test.new, test.old, code, stdout, stderr)
		}
	}
}
