package iocache

import (
	"bytes"
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
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestParseRules(t *testing.T) {
	for _, test := range []struct {
		text string
		n    int
		peer string
		err  string
	}{
		{"http-date", 1, "", ""},
		{" peer db postgres-key ", 1, "db", ""},
		{"peer q nats-info", 6, "q", ""},
		{"response: a => b", 1, "", ""},
		{"peer x response: a => b", 1, "x", ""},
		{"http-dat", 0, "", `rule "http-dat": want a name that heddle rules lists, or [peer PEER ](request|response|message): PATTERN => REPLACEMENT`},
		{"response: a", 0, "", `rule "response: a": want [peer PEER ](request|response|message): PATTERN => REPLACEMENT`},
	} {
		list, err := ParseRules(test.text)
		if test.err != "" {
			if err == nil || err.Error() != test.err {
				t.Errorf("%q: got %v, want %s", test.text, err, test.err)
			}
			continue
		}
		if err != nil || len(list) != test.n || list[0].Peer != test.peer {
			t.Errorf("%q: got %v %v, want %d for %q", test.text, list, err, test.n, test.peer)
		}
	}
	if !slices.IsSortedFunc(ReadyMades, func(a, b ReadyMade) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("ready-made rules are not sorted")
	}
}

// greeting is that of a MySQL server: HandshakeV10.
func greeting(thread, salt1, salt2 string) string {
	body := "\x0a8.0.36\x00" + thread + salt1 + "\x00" + "\xff\xff\xff\x02\x00\xff\xdf\x15" + strings.Repeat("\x00", 10) + salt2 + "\x00caching_sha2_password\x00"
	return string(rune(len(body))) + "\x00\x00\x00" + body
}

// TestReadyMades: each makes answers equal that differ in what it is for, and no others.
func TestReadyMades(t *testing.T) {
	const info = `INFO {"server_id":"%s","server_name":"%[1]s","version":"2.15.2","proto":1,"host":"127.0.0.1","port":%d,"headers":true,"max_payload":%d,"client_id":%d,"client_ip":"127.0.0.1","nonce":"%[1]s","xkey":"%[1]s"} ` + "\r\n"
	tests := map[string]struct{ a, b, other string }{
		"http-date": {
			"HTTP/1.1 200 OK\r\nDate: Tue, 17 Nov 2026 01:39:43 GMT\r\nexpires: 0\r\n\r\nhi", "HTTP/1.1 200 OK\r\nDate: Tue, 17 Nov 2026 01:39:45 GMT\r\nexpires: 1\r\n\r\nhi",
			"HTTP/1.1 200 OK\r\nDate: Tue, 17 Nov 2026 01:39:45 GMT\r\nexpires: 1\r\n\r\nho"},
		"mqtt-id": {
			" 5\x00\x002\"\x00\n\x12\x00)auto-ECC952FB-63D2-01E6-82B4-9BC6E3440CD4!\x00\x14", " 5\x00\x002\"\x00\n\x12\x00)auto-F54FDA59-F1B9-061D-79F4-148C5FD318FF!\x00\x14",
			" 5\x00\x872\"\x00\n\x12\x00)auto-F54FDA59-F1B9-061D-79F4-148C5FD318FF!\x00\x14"},
		"mysql-greeting": {
			greeting("\x08\x00\x00\x00", "12345678", "abcdefghijkl"), greeting("\x09\x00\x00\x00", "\xff\x0a\x80\x27xyz!", "\x7f\xfe\x0a\x0dghijkl\x80?"),
			strings.Replace(greeting("\x09\x00\x00\x00", "12345678", "abcdefghijkl"), "8.0.36", "8.0.37", 1)},
		"nats-info":    {fmt.Sprintf(info, "NALF", 40165, 100, 5), fmt.Sprintf(info, "NB3C", 33875, 100, 16), fmt.Sprintf(info, "NB3C", 33875, 200, 6)},
		"postgres-key": {"TimeZone\x00K\x00\x00\x00\x0c\x00\x00L\xe3\x9d\xee\x14\xbbZ\x00\x00\x00\x05I", "TimeZone\x00K\x00\x00\x00\x0c\x00\x00L\xe4\x0aU\xbd\x1aZ\x00\x00\x00\x05I", "TimeZone\x00K\x00\x00\x00\x0c\x00\x00L\xe4NU\xbd\x1aZ\x00\x00\x00\x05T"},
		"redis-id":     {"%7\r\n$5\r\nproto\r\n:3\r\n$2\r\nid\r\n:4\r\n", "%7\r\n$5\r\nproto\r\n:3\r\n$2\r\nid\r\n:15\r\n", "%7\r\n$5\r\nproto\r\n:2\r\n$2\r\nid\r\n:15\r\n"},
		"rfc3339":      {`{"at":"2026-11-17T01:39:43Z"}`, `{"at":"2026-11-17T02:39:43.25+01:00"}`, `{"at":"2026-11-17"}`},
		"smtp-id": {
			"220 mx ESMTP Exim 4.96 Tue, 17 Nov 2026 01:39:43 +0000\r\n250 2.0.0 Ok: queued as 4F3A12B\r\n250 OK id=1rB2cD-0001ab-Cd\r\n",
			"220 mx ESMTP Exim 4.96 Wed, 18 Nov 2026 01:39:43 +0000\r\n250 2.0.0 Ok: queued as 5F3A12BB\r\n250 OK id=1rB2cE-0001ab-Ce\r\n",
			"220 mx ESMTP Exim 4.97 Wed, 18 Nov 2026 01:39:43 +0000\r\n250 2.0.0 Ok: queued as 5F3A12BB\r\n250 OK id=1rB2cE-0001ab-Ce\r\n"},
		"tls-hello": {"\x16\x03\x03\x00\x41\x02\x00\x00\x3d\x03\x03\xd4\xef", "\x16\x03\x03\x00\x41\x02\x00\x00\x3d\x03\x03\x0a\x99\x00", "\x15\x03\x03\x00\x02\x02\x14"},
		"uuid":      {"id 9b2d3a84-3e2c-4a2f-9d58-0f6b1f1c2d3e.", "id 00000000-3e2c-4a2f-9d58-0F6B1F1C2D3E.", "id 9b2d3a84-3e2c-4a2f-9d58-0f6b1f1c2d3ef."},
	}
	for _, m := range ReadyMades {
		rules, err := m.parse()
		if err != nil {
			t.Fatal(err)
		}
		test, ok := tests[m.Name]
		if !ok {
			t.Errorf("%s has no test", m.Name)
		}
		a, _ := rules.response("p", []byte(test.a))
		b, _ := rules.response("p", []byte(test.b))
		other, _ := rules.response("p", []byte(test.other))
		if !bytes.Equal(a, b) || bytes.Equal(a, other) {
			t.Errorf("%s:\n%q and\n%q shall be equal, and not\n%q", m.Name, a, b, other)
		}
		later, _ := rules.response("p", []byte("before\r\n"+test.a))
		if string(later) != "before\r\n"+string(a) {
			t.Errorf("%s: after other answers: got %q", m.Name, later)
		}
	}
}

// TestReadyMadesNatively holds rules against servers that are installed: two conversations of the same requests differ
// as they are, and do not differ with the rule.
func TestReadyMadesNatively(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{dir, filepath.Dir(dir)} { // both were made for this test; the server may run as somebody else
		os.Chmod(d, 0o755)
	}
	port := freePort(t)
	secure := freePort(t)
	conf := filepath.Join(dir, "nginx.conf")
	writeKey(t, dir)
	hello := clientHello(t)
	os.WriteFile(conf, fmt.Appendf(nil, "daemon off; pid %[1]s/pid; error_log /dev/null; events{} http{ access_log off; server{ listen 127.0.0.1:%[2]s; expires 1h; location / {return 200 hello;} } server{ listen 127.0.0.1:%[3]s ssl; ssl_certificate %[1]s/cert.pem; ssl_certificate_key %[1]s/key.pem; } }", dir, port, secure), 0o644)
	pg := ""
	if list, _ := filepath.Glob("/usr/lib/postgresql/*/bin"); len(list) > 0 {
		pg = list[len(list)-1]
	}
	start := "\x00\x00\x00\x29\x00\x03\x00\x00user\x00postgres\x00database\x00postgres\x00\x00"
	for _, test := range []struct {
		rule    string
		prepare string
		command string
		ask     string
		until   string // the end of the answer
	}{
		{"redis-id", "", "redis-server --port " + port + " --save ''", "*2\r\n$5\r\nHELLO\r\n$1\r\n3\r\n", "modules\r\n*0\r\n"},
		{"http-date", "", "nginx -c " + conf, "GET / HTTP/1.1\r\nHost: x\r\n\r\n", "hello"},
		{"tls-hello", "", "nginx -c " + conf, hello, "\x0e\x00\x00\x00"}, // ServerHelloDone
		{"mqtt-id", "", "mosquitto -p " + port, "\x10\x0d\x00\x04MQTT\x05\x02\x00\x3c\x00\x00\x00", "!\x00\x14"},
		{"postgres-key", pg + "/initdb -A trust -U postgres -D " + dir + "/pg", pg + "/postgres -D " + dir + "/pg -k " + dir + " -h 127.0.0.1 -p " + port, start, "Z\x00\x00\x00\x05I"},
	} {
		t.Run(test.rule, func(t *testing.T) {
			if _, err := exec.LookPath(strings.Fields(test.command)[0]); err != nil {
				t.Skipf("not installed: %v", err)
			}
			var as *syscall.SysProcAttr
			if test.prepare != "" && os.Getuid() == 0 { // postgres does not run as root
				os.Mkdir(filepath.Join(dir, "pg"), 0o700)
				as = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
				if os.Chown(filepath.Join(dir, "pg"), 65534, 65534) != nil || os.Chown(dir, 65534, 65534) != nil {
					t.Skip("the folder cannot be given to another user")
				}
			}
			if test.prepare != "" {
				c := exec.Command("sh", "-c", test.prepare)
				c.SysProcAttr = as
				if out, err := c.CombinedOutput(); err != nil {
					t.Skipf("cannot be prepared: %v\n%s", err, out)
				}
			}
			server := exec.Command("sh", "-c", "exec "+test.command)
			server.SysProcAttr, server.Dir = as, dir
			if err := server.Start(); err != nil {
				t.Fatal(err)
			}
			defer server.Wait()
			defer server.Process.Signal(syscall.SIGINT)
			port := port
			if test.rule == "tls-hello" {
				port = secure
			}
			a := askServer(t, port, test.ask, test.until)
			for now := time.Now().Unix(); test.rule == "http-date" && time.Now().Unix() == now; { // another second
				time.Sleep(10 * time.Millisecond)
			}
			b := askServer(t, port, test.ask, test.until)
			rules, err := ParseRules(test.rule)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Equal(a, b) {
				t.Errorf("the answers do not differ: %q", a)
			}
			x, _ := rules.response("p", a)
			y, _ := rules.response("p", b)
			if !bytes.Equal(x, y) {
				t.Errorf("with the rule the answers differ:\n%q\n%q", x, y)
			}
		})
	}
}

// writeKey writes a key and a certificate for a TLS server.
func writeKey(t *testing.T, dir string) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	cert, err := x509.CreateCertificate(rand.Reader, about, about, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	data, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile(filepath.Join(dir, "cert.pem"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert}), 0o644)
	os.WriteFile(filepath.Join(dir, "key.pem"), pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: data}), 0o644)
}

// clientHello returns what a client of TLS 1.2 says first.
func clientHello(t *testing.T) string {
	here, there := net.Pipe()
	defer there.Close()
	go tls.Client(here, &tls.Config{InsecureSkipVerify: true, MaxVersion: tls.VersionTLS12}).Handshake()
	b := make([]byte, 4096)
	n, err := there.Read(b)
	if err != nil {
		t.Fatal(err)
	}
	return string(b[:n])
}

func freePort(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// askServer connects until the server answers in full.
func askServer(t *testing.T, port, ask, until string) []byte {
	var got []byte
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		c, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err != nil {
			continue
		}
		c.SetDeadline(end)
		io.WriteString(c, ask)
		got = nil
		for b := make([]byte, 1<<16); err == nil && !bytes.HasSuffix(got, []byte(until)); {
			var n int
			n, err = c.Read(b)
			got = append(got, b[:n]...)
		}
		c.Close()
		if err == nil {
			return got
		}
	}
	t.Fatalf("no answer that ends with %q: %q", until, got)
	return nil
}
