package natsqueue

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
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
		{"0.0.0.0:0", Credentials{}, "can be reached by others: a token is needed"},
		{":0", Credentials{}, "can be reached by others"},
		{"[::]:0", Credentials{}, "can be reached by others"},
		{"192.0.2.1:0", Credentials{}, "can be reached by others"},
		{"0.0.0.0:0", Credentials{Cert: cert, Key: key}, "can be reached by others"}, // anybody may connect
		{"127.0.0.1:0", Credentials{Cert: cert}, "needs its key"},
		{"0.0.0.0:0", Credentials{Token: "t", CA: ca}, "needs a certificate of the server"},
		{"127.0.0.1", Credentials{}, "is no address"},
		{"127.0.0.1:x", Credentials{}, "is no port"},
		{"0.0.0.0:0", Credentials{Token: "t"}, ""},
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
