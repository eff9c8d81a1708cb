package queue

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"os"

	"github.com/nats-io/nats.go"
)

// Credentials say who one is, and who the other has to be. All are optional.
type Credentials struct {
	Token string // a secret that both sides know
	// Cert and Key are files with one's own certificate and its key, CA is one with
	// the certificates that the other's has to be signed by. All are PEM.
	Cert, Key, CA string
	// User is a credentials file of NATS, for clients.
	User string
}

// pair returns one's own certificates.
func (c Credentials) pair() ([]tls.Certificate, error) {
	if (c.Cert == "") != (c.Key == "") {
		return nil, fmt.Errorf("a TLS certificate needs its key, and the other way round")
	}
	if c.Cert == "" {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(c.Cert, c.Key)
	if err != nil {
		return nil, err
	}
	return []tls.Certificate{pair}, nil
}

// authorities returns those that the other's certificate has to be signed by.
func (c Credentials) authorities() (*x509.CertPool, error) {
	if c.CA == "" {
		return nil, nil
	}
	text, err := os.ReadFile(c.CA)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s: there is no certificate in it", c.CA)
	}
	return pool, nil
}

// client returns the options of a connection.
func (c Credentials) client() ([]nats.Option, error) {
	var opts []nats.Option
	if c.Token != "" {
		opts = append(opts, nats.Token(c.Token))
	}
	if c.User != "" {
		opts = append(opts, nats.UserCredentials(c.User))
	}
	pair, err := c.pair()
	if err != nil {
		return nil, err
	}
	pool, err := c.authorities()
	if err != nil {
		return nil, err
	}
	if pair != nil || pool != nil {
		opts = append(opts, nats.Secure(&tls.Config{MinVersion: tls.VersionTLS12, Certificates: pair, RootCAs: pool}))
	}
	return opts, nil
}

// server returns the settings of one who listens, nil without TLS.
func (c Credentials) server() (*tls.Config, error) {
	pair, err := c.pair()
	if err != nil {
		return nil, err
	}
	pool, err := c.authorities()
	if err != nil {
		return nil, err
	}
	if pair == nil {
		if pool != nil {
			return nil, fmt.Errorf("TLS needs a certificate of the server and its key, too")
		}
		return nil, nil
	}
	t := &tls.Config{MinVersion: tls.VersionTLS12, Certificates: pair}
	if pool != nil {
		t.ClientCAs, t.ClientAuth = pool, tls.RequireAndVerifyClientCert
	}
	return t, nil
}

// protects reports whether the credentials keep strangers out of a server.
func (c Credentials) protects() bool { return c.Token != "" || c.Cert != "" && c.CA != "" }

// loopback reports whether an address is one that only this machine can reach.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
