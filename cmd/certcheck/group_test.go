package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestGroups: both checkers say the same of programs side by side, and of a server with its arguments.
func TestGroups(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"go.mod": "module m\n\ngo 1.26\n",
		"client/main.go": `package main

import (
	"net"
	"os"
)

func main() {
	c, err := net.Dial("tcp", "127.0.0.1:7000")
	if err != nil {
		if len(os.Args) > 1 {
			return
		}
		panic(err)
	}
	b := make([]byte, 1)
	if _, err := c.Read(b); err != nil || b[0] != '1' {
		panic(string(b))
	}
}
`,
		"server/main.go": `package main

import (
	"net"
	"os"
)

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:7000")
	if err != nil {
		panic(err)
	}
	c, err := l.Accept()
	if err != nil {
		panic(err)
	}
	answer := "1"
	if len(os.Args) > 1 {
		answer = os.Args[1]
	}
	c.Write([]byte(answer))
}
`,
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	fields := strings.Fields
	server := []string{"-server-package", "./server"}
	wrong := []string{"-server-package", "./server 2"}
	for _, test := range []struct {
		name             string
		check, certify   []string // flags
		source           []string
		written, verdict int
	}{
		{"a server", server, server, fields("./client"), 0, 0},
		{"a server with another argument", server, wrong, fields("./client"), 0, 1},
		{"a server that is none", server, nil, fields("./server ./client"), 0, 1},
		{"a server that answers wrongly", append(fields("-property race,fatal"), wrong...), wrong, fields("./client"), 0, 1},
		{"side by side", nil, nil, fields("./server ./client"), 0, 0},
		{"side by side, with arguments", nil, nil, fields("./server ./client -- 1"), 0, 0},
		{"side by side, with wrong arguments", fields("-property race,fatal"), nil, fields("./server ./client -- 2"), 0, 1},
		{"another order", server, fields("-server-package ./client"), fields("./server"), 0, 1},
	} {
		file := filepath.Join(t.TempDir(), "c.heddle")
		source := fields("./client")
		if len(test.source) > 1 && test.name != "a server that is none" {
			source = test.source
		}
		code, out := heddle(append(append([]string{"check", "-o", t.TempDir(), "-cert", file}, test.check...), source...)...)
		if code != test.written {
			t.Errorf("%s: written: got exit %d, %q", test.name, code, out)
			continue
		}
		one, said := heddle(append(append(append([]string{"certify", "-o", t.TempDir()}, test.certify...), file), test.source...)...)
		two, also := certcheck(append(append(test.certify[:len(test.certify):len(test.certify)], file), test.source...)...)
		if one != two || one != test.verdict {
			t.Errorf("%s: heddle certify: exit %d, %q; certcheck: exit %d, %q; want %d", test.name, one, said, two, also, test.verdict)
		}
	}
	for _, args := range [][]string{{"-server-package", "'", "c", "./client"}, {"-server-package", "./server", "c", "client/main.go"}, {"c", "a.mcrl2", "b.mcrl2"}, {"-run", "X", "c", ".", "./server"}} {
		if code, out := certcheck(args...); code != 2 {
			t.Errorf("%v: got exit %d, %q, want 2", args, code, out)
		}
	}
}
