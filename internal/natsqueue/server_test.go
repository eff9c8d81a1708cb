package natsqueue

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/heddle-mc/heddle/internal/queue"
)

// TestStrangers: a server that others can reach demands credentials.
func TestStrangers(t *testing.T) {
	dir := t.TempDir()
	cert, key, ca := authority(t, dir)
	for _, test := range []struct {
		listen string
		c      Credentials
		want   string // "" if it is accepted
	}{
		{"0.0.0.0:0", Credentials{}, "can be reached by others: a TLS certificate is needed"},
		{":0", Credentials{}, "can be reached by others"},
		{"[::]:0", Credentials{}, "can be reached by others"},
		{"192.0.2.1:0", Credentials{}, "can be reached by others"},
		{"0.0.0.0:0", Credentials{Cert: cert, Key: key}, "can be reached by others"}, // anybody may connect
		{"127.0.0.1:0", Credentials{Cert: cert}, "needs its key"},
		{"127.0.0.1:0", Credentials{Token: "t", CA: ca}, "needs a certificate of the server"},
		{"127.0.0.1", Credentials{}, "is no address"},
		{"127.0.0.1:x", Credentials{}, "is no port"},
		{"0.0.0.0:0", Credentials{Token: "t"}, "can be reached by others"}, // it can be read on the way
		{"0.0.0.0:0", Credentials{Token: "t", Cert: cert, Key: key}, ""},
		{"0.0.0.0:0", Credentials{Make: true}, ""},
		{"127.0.0.1:0", Credentials{Make: true}, ""},
		{"127.0.0.1:0", Credentials{Make: true, Token: "open@sesame"}, "letters, digits"},
		{"0.0.0.0:0", Credentials{Make: true, Cert: cert, Key: key, CA: ca}, ""},
		{"0.0.0.0:0", Credentials{Make: true, CA: ca}, "can be reached by others"},
		{"0.0.0.0:0", Credentials{Cert: cert, Key: key, CA: ca}, ""},
		{"127.0.0.1:0", Credentials{}, ""},
		{"localhost:0", Credentials{}, ""},
	} {
		s, err := Serve(t.TempDir(), test.listen, test.c)
		if err == nil {
			s.Close()
		}
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s, %+v: got %v, want %q", test.listen, test.c, err, test.want)
		}
	}
}

// reach reports whether a queue can be used.
func reach(t *testing.T, s *Server, c Credentials) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	q, err := Connect(ctx, s.URL(), c, Options{})
	if err != nil {
		return err
	}
	defer q.Close()
	_, err = q.makeBucket(ctx)
	return err
}

func TestToken(t *testing.T) {
	s, err := Serve(t.TempDir(), "127.0.0.1:0", Credentials{Token: "open sesame"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for token, want := range map[string]string{"open sesame": "", "open barley": "Authorization", "": "Authorization"} {
		if err := reach(t, s, Credentials{Token: token}); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("token %q: got %v, want %q", token, err, want)
		}
	}
	q, err := s.Connect(t.Context(), Options{})
	if err != nil {
		t.Fatalf("within the process: got %v", err)
	}
	q.Close()
}

func TestTLS(t *testing.T) {
	cert, key, ca := authority(t, t.TempDir())
	otherCert, otherKey, _ := authority(t, t.TempDir())
	s, err := Serve(t.TempDir(), "127.0.0.1:0", Credentials{Cert: cert, Key: key, CA: ca})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := reach(t, s, Credentials{Cert: cert, Key: key, CA: ca}); err != nil {
		t.Errorf("with the right certificate: got %v", err)
	}
	if reach(t, s, Credentials{CA: ca}) == nil {
		t.Error("without a certificate: got a connection, want none")
	}
	if reach(t, s, Credentials{Cert: otherCert, Key: otherKey, CA: ca}) == nil {
		t.Error("with the certificate of another authority: got a connection, want none")
	}
	q, err := s.Connect(t.Context(), Options{})
	if err != nil {
		t.Fatalf("within the process: got %v", err)
	}
	q.Close()
}

// TestOneServer: a store is served by one process.
func TestOneServer(t *testing.T) {
	dir := t.TempDir()
	serve(t, dir)
	if _, err := Serve(dir, "", Credentials{}); err == nil || !strings.Contains(err.Error(), "another process has this store open") {
		t.Errorf("got %v, want the store refused", err)
	}
}

// authority makes a certificate that is its own authority, for 127.0.0.1.
func authority(t *testing.T, dir string) (cert, key, ca string) {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "heddle"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &k.PublicKey, k)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(k)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for name, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key, cert
}

// TestMade: a server that makes its credentials lets in who has its text, again after it was
// started again, and nobody else; and these may do what workers do.
func TestMade(t *testing.T) {
	dir := t.TempDir()
	start := func() *Server {
		s, err := Serve(dir, "", Credentials{Make: true})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := start()
	text := s.Join()
	s.Close()
	if s = start(); s.Join() != text {
		t.Errorf("got %s after a restart, want %s", s.Join(), text)
	}
	defer s.Close()
	join, err := queue.ParseJoin(text)
	if err != nil {
		t.Fatal(err)
	}
	other, err := Serve(t.TempDir(), "", Credentials{Make: true})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	stranger, err := queue.ParseJoin(other.Join())
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		url  string
		c    Credentials
		want string
	}{
		{"the right one", join.URL(), join.Credentials(), ""},
		{"no credentials", join.URL(), Credentials{}, "x509:"},
		{"no credentials, without TLS", "nats://" + join.Addr, Credentials{}, "x509:"},
		{"no token", join.URL(), Credentials{Pin: join.Pin}, "Authorization"},
		{"another token", join.URL(), Credentials{Token: stranger.Token, Pin: join.Pin}, "Authorization"},
		{"another server", stranger.URL(), join.Credentials(), "another fingerprint"},
	} {
		q, err := Connect(t.Context(), test.url, test.c, Options{})
		if err == nil {
			q.Close()
		}
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.want)
		}
	}
	coordinator, err := s.Connect(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer coordinator.Close()
	j := open(t, coordinator, 3)
	q, err := Connect(t.Context(), join.URL(), join.Credentials(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	fire := hire(t, q, "w", func(ctx context.Context, task *Task) ([]byte, error) {
		return make([]byte, 2*inline), nil // so that it is a blob
	})
	if got := collect(t, j, 3); len(got) != 3 || len(got["t0"].Data) != 2*inline {
		t.Errorf("got %d results", len(got))
	}
	fire()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	if _, err := q.js.Publish(ctx, j.task("t9"), nil); err == nil {
		t.Error("a worker can add a task")
	}
	if err := q.js.DeleteStream(ctx, j.results()); err == nil {
		t.Error("a worker can remove results")
	}
	if err := j.Add(t.Context(), "t9", "secret", nil); err != nil {
		t.Fatal(err)
	}
	spy(t, q, j)
	if there, err := j.Present(t.Context()); err != nil || !there {
		t.Errorf("got %v, %v, want the job as it was", there, err)
	}
}

// TestTokenIsHidden: a token is not sent to another machine without TLS.
func TestTokenIsHidden(t *testing.T) {
	for url, refused := range map[string]bool{
		"nats://192.0.2.1:4222": true, "192.0.2.1": true, "tls://192.0.2.1:4222": false, "nats://127.0.0.1:4222": false,
		"nats://[::1]:4222": false, "tls://192.0.2.1:4222,nats://192.0.2.2:4222": true, "nats://localhost": false,
	} {
		if err := hidden(url, Credentials{Token: "t"}); (err != nil) != refused {
			t.Errorf("%s: got %v, want refused: %v", url, err, refused)
		}
		if err := hidden(url, Credentials{}); err != nil {
			t.Errorf("%s without a token: got %v", url, err)
		}
	}
}

// spy tries to read a task that it was not given.
func spy(t *testing.T, q *Queue, j *Job) {
	t.Helper()
	s, err := q.js.Stream(t.Context(), j.tasks())
	if err != nil {
		t.Fatal(err)
	}
	within := func(do func(ctx context.Context) error) error {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		return do(ctx)
	}
	for name, do := range map[string]func(ctx context.Context) error{
		"asks for it": func(ctx context.Context) error {
			_, err := s.GetLastMsgForSubject(ctx, j.task("t9"))
			return err
		},
		"asks for it by its number": func(ctx context.Context) error {
			_, err := s.GetMsg(ctx, s.CachedInfo().State.LastSeq)
			return err
		},
		"asks for it directly": func(ctx context.Context) error {
			m, err := q.nc.RequestWithContext(ctx, "$JS.API.DIRECT.GET."+j.tasks()+"."+j.task("t9"), nil)
			if err == nil && m.Header.Get(headerTicket) == "" {
				err = errors.New("it says nothing")
			}
			return err
		},
		"has another consumer": func(ctx context.Context) error {
			_, err := s.CreateConsumer(ctx, jetstream.ConsumerConfig{AckPolicy: jetstream.AckExplicitPolicy})
			return err
		},
		"follows it": func(ctx context.Context) error {
			_, err := q.js.OrderedConsumer(ctx, j.tasks(), jetstream.OrderedConsumerConfig{})
			return err
		},
	} {
		if err := within(do); err == nil {
			t.Errorf("a worker that %s gets a task that it was not given", name)
		}
	}
}
