//go:build linux

package peer

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/heddle-mc/heddle/internal/iocache"
	"github.com/heddle-mc/heddle/internal/testlong"
)

func init() {
	// Says what a Go program takes for time and random numbers. Those of package math/rand, and the order of maps, depend on which
	// thread a goroutine runs on, which is not fixed.
	helpers["random"] = func(args []string) {
		serveLines(args[0], func(c *net.TCPConn, line string) {
			fmt.Fprintf(c, "%s %s\n", rand.Text(), time.Now().Format(time.RFC3339Nano))
		})
	}
	// Speaks HTTP/2, without TLS.
	helpers["http2"] = func(args []string) {
		p := new(http.Protocols)
		p.SetUnencryptedHTTP2(true)
		s := http.Server{Addr: args[0], Protocols: p, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Id", rand.Text())
			fmt.Fprintln(w, "hello", r.URL)
		})}
		fmt.Println(s.ListenAndServe())
	}
	// Speaks TLS.
	helpers["tls"] = func(args []string) {
		cert, key, err := certificate()
		if err != nil {
			os.Exit(95)
		}
		pair, err := tls.X509KeyPair(cert, key)
		if err != nil {
			os.Exit(96)
		}
		l, err := tls.Listen("tcp", args[0], &tls.Config{Certificates: []tls.Certificate{pair}})
		for err == nil {
			var c net.Conn
			if c, err = l.Accept(); err == nil {
				go c.(*tls.Conn).Handshake()
			}
		}
		fmt.Println(err)
	}
	// Answers by what a command says.
	helpers["run"] = func(args []string) {
		serveLines(args[0], func(c *net.TCPConn, line string) {
			text, err := exec.Command(args[1], args[2:]...).CombinedOutput()
			if err != nil {
				text = fmt.Append(text, err)
			}
			c.Write(text)
		})
	}
}

// runs asks a server in several runs, by some requests on two connections in each, and returns what it says in each.
func runs(t *testing.T, spec Spec, n int, lines ...string) (answers []string) {
	t.Helper()
	g := newGroup(t, spec)
	if got := len(g.Fixed()); spec.Fixed && got != 1 {
		t.Skipf("system calls cannot be watched here: %v", g.Notes())
	}
	for range n {
		l := start(t, g, iocache.HistoryID{Peer: "server", Whole: true})
		l.hear("")
		var all strings.Builder
		for i, line := range lines {
			conn := out(i % 2)
			if i < 2 {
				l.say(iocache.Open, conn, "", "")
			}
			if err := l.p.Do(iocache.Request{Kind: iocache.Write, Conn: conn, Data: []byte(line)}); err != nil {
				t.Fatal(err)
			}
			text, err := l.heard()
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintln(&all, text)
		}
		l.p.Stop()
		answers = append(answers, all.String())
	}
	if notes := g.Notes(); len(notes) > 0 {
		t.Errorf("got notes %q, want none", notes)
	}
	return answers
}

// compile compiles a program in C.
func compile(t *testing.T, file string, flags ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "program")
	if text, err := exec.Command("gcc", append(flags, "-o", name, file)...).CombinedOutput(); err != nil {
		t.Skipf("gcc: %v %s", err, text)
	}
	return name
}

const pythonServer = `
import os, random, socket, sys, time, uuid
host, port = sys.argv[1].split(':')
l = socket.socket()
l.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
l.bind((host, int(port)))
l.listen()
import selectors
s = selectors.DefaultSelector()
s.register(l, selectors.EVENT_READ)
while True:
    for key, _ in s.select():
        if key.fileobj is l:
            s.register(l.accept()[0], selectors.EVENT_READ)
            continue
        c = key.fileobj
        if not c.recv(1000):
            s.unregister(c)
            continue
        c.sendall(f'{os.urandom(8).hex()} {time.time()} {random.random()} {uuid.uuid4()} {hash("x")} {id(s)} {set("abcdefgh")}\n'.encode())
`

// TestFixed: a server whose time and random numbers are fixed says the same in each run, in whatever language it is written.
// One for which they are not does not, or else the test would show nothing.
func TestFixed(t *testing.T) {
	python := func(t *testing.T) Spec {
		if _, err := exec.LookPath("python3"); err != nil {
			t.Skip("python3 is not installed")
		}
		return Spec{Role: Server, Args: []string{"python3", "-c", pythonServer, "{addr}"}, Ready: hang, Answer: hang}
	}
	for _, test := range []struct {
		name string
		spec func(t *testing.T) Spec
	}{
		{"go", func(*testing.T) Spec { return helper(Server, "random", "{addr}") }},
		{"python", python},
		{"shell", func(*testing.T) Spec {
			return helper(Server, "run", "{addr}", "sh", "-c", "date +%s.%N; head -c 8 /dev/urandom | od -tx1; mktemp -u; date")
		}},
		{"c", func(t *testing.T) Spec { return helper(Server, "run", "{addr}", compile(t, "testdata/ask.c")) }},
		{"c without libraries", func(t *testing.T) Spec {
			return helper(Server, "run", "{addr}", compile(t, "testdata/ask.c", "-static"))
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			spec := test.spec(t)
			lines := []string{"a\n", "b\n", "c\n"}
			// One line is enough: the program in C looks at the clock for a second, which is a true one here.
			if got := runs(t, spec, 2, lines[0]); got[0] == got[1] {
				t.Errorf("not fixed: got %q twice, want a server that does not repeat itself", got[0])
			}
			spec.Fixed = true
			got := runs(t, spec, testlong.Or(2, 5), lines...)
			for i := range got {
				if got[i] != got[0] {
					t.Errorf("got\n%swant\n%s", got[i], got[0])
				}
			}
			if words := strings.Count(got[0], "waited all truly"); strings.HasPrefix(test.name, "c") && words != len(lines) {
				t.Errorf("got %s, want that it waits until the end %d times", got[0], len(lines))
			}
			t.Log(got[0])
		})
	}
}

// TestFixedProtocols: the same of servers that prove who they are, number what they say, and tell the date.
func TestFixedProtocols(t *testing.T) {
	frame := func(kind, flags byte, stream byte, payload string) string {
		return string([]byte{0, 0, byte(len(payload)), kind, flags, 0, 0, 0, stream}) + payload
	}
	get := func(stream byte) string { // GET / of localhost, with the names of the static table
		return frame(1, 5, stream, "\x82\x86\x84\x41\x09localhost")
	}
	begin := "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, "")
	for _, test := range []struct {
		name  string
		spec  func(t *testing.T) Spec
		lines []string
	}{
		{"http2", func(*testing.T) Spec { return helper(Server, "http2", "{addr}") },
			[]string{begin + get(1) + get(3), begin + get(1), get(5), get(3)}},
		{"tls of go", func(*testing.T) Spec { return helper(Server, "tls", "{addr}") }, []string{hello(t), hello(t)}},
		{"tls of nginx", nginx, []string{hello(t), hello(t)}},
		{"scram of postgres", postgres, []string{startup, startup, scram, scram}},
		{"tls of python", pythonTLS, []string{hello(t), hello(t)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			spec := test.spec(t)
			if got := runs(t, spec, 2, test.lines...); got[0] == got[1] {
				t.Errorf("not fixed: got %q twice, want a server that does not repeat itself", got[0])
			}
			spec.Fixed = true
			got := runs(t, spec, testlong.Or(2, 5), test.lines...)
			for i := range got {
				if got[i] != got[0] {
					t.Errorf("got\n%q\nwant\n%q", got[i], got[0])
				}
			}
			t.Logf("%.300q", got[0])
		})
	}
}

// startup begins a session with postgres, as user u, and scram a proof that the client knows the password.
const (
	startup = "\x00\x00\x00\x1b\x00\x03\x00\x00user\x00u\x00database\x00u\x00\x00"
	scram   = "p\x00\x00\x00\x26SCRAM-SHA-256\x00\x00\x00\x00\x10n,,n=,r=abcdefgh"
)

// postgres is one with a password. Each run has a copy of its files.
func postgres(t *testing.T) Spec {
	bin, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(bin) == 0 {
		t.Skip("postgres is not installed: apt install postgresql")
	}
	dir, err := os.MkdirTemp("/tmp", "heddle-postgres")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	as := ""
	if os.Getuid() == 0 { // as which it refuses to run
		as = "setpriv --reuid=postgres --regid=postgres --clear-groups "
	}
	at := filepath.Dir(bin[0])
	make := fmt.Sprintf("echo secret > %[1]s/password && chmod -R a+rwx %[1]s && %[2]s %[3]s -D %[1]s/data -U u -A scram-sha-256 --pwfile %[1]s/password -N", dir, as, bin[0])
	if text, err := exec.Command("sh", "-c", make).CombinedOutput(); err != nil {
		t.Skipf("initdb: %v %s", err, text)
	}
	run := fmt.Sprintf("%[2]s sh -c 'cp -r %[1]s/data %[1]s/{port} && exec %[3]s/postgres -D %[1]s/{port} -p {port} -k %[1]s -c autovacuum=off -c fsync=off'", dir, as, at)
	return Spec{Role: Server, Command: run, Ready: hang, Answer: hang}
}

// hello returns what a client of TLS says first.
func hello(t *testing.T) string {
	t.Helper()
	ours, theirs := net.Pipe()
	defer ours.Close()
	defer theirs.Close()
	go tls.Client(theirs, &tls.Config{InsecureSkipVerify: true}).Handshake()
	head := make([]byte, 5)
	if _, err := io.ReadFull(ours, head); err != nil {
		t.Fatal(err)
	}
	body := make([]byte, int(head[3])<<8|int(head[4]))
	if _, err := io.ReadFull(ours, body); err != nil {
		t.Fatal(err)
	}
	return string(head) + string(body)
}

// certificate returns one for this machine, and its key.
func certificate() (cert, key []byte, err error) {
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	now := time.Now()
	c := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: now, NotAfter: now.Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	if cert, err = x509.CreateCertificate(rand.Reader, c, c, &k.PublicKey, k); err != nil {
		return nil, nil, err
	}
	key, err = x509.MarshalPKCS8PrivateKey(k)
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}), err
}

// certificateFiles writes one down.
func certificateFiles(t *testing.T) (cert, key string) {
	t.Helper()
	c, k, err := certificate()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for name, data := range map[string][]byte{cert: c, key: k} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

func nginx(t *testing.T) Spec {
	if _, err := exec.LookPath("nginx"); err != nil {
		t.Skip("nginx is not installed: apt install nginx-light")
	}
	cert, key := certificateFiles(t)
	dir := t.TempDir()
	conf := filepath.Join(dir, "nginx.conf")
	text := fmt.Sprintf(`daemon off; master_process off; pid %[1]s/PORT.pid; error_log stderr;
events {}
http { access_log off; server { listen 127.0.0.1:PORT ssl; ssl_certificate %[2]s; ssl_certificate_key %[3]s; location / { return 200 "hello"; } } }
`, dir, cert, key)
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return Spec{Role: Server, Command: fmt.Sprintf("sed s/PORT/{port}/ %s > %s/{port}.conf && exec nginx -p %s -c %s/{port}.conf", conf, dir, dir, dir), Ready: hang, Answer: hang}
}

func pythonTLS(t *testing.T) Spec {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed")
	}
	cert, key := certificateFiles(t)
	const server = `
import socket, ssl, sys, threading
host, port = sys.argv[1].split(':')
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[2], sys.argv[3])
l = socket.socket()
l.bind((host, int(port)))
l.listen()
def serve(c):
    context.wrap_socket(c, server_side=True)
while True:
    threading.Thread(target=serve, args=(l.accept()[0],)).start()
`
	return Spec{Role: Server, Args: []string{"python3", "-c", server, "{addr}", cert, key}, Ready: hang, Answer: hang}
}
