package natsqueue

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"os"

	"github.com/nats-io/nats.go"
)

// pair returns one's own certificates.
func pair(c Credentials) ([]tls.Certificate, error) {
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
func authorities(c Credentials) (*x509.CertPool, error) {
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

// clientOptions returns the options of a connection.
func clientOptions(c Credentials) ([]nats.Option, error) {
	var opts []nats.Option
	if c.Token != "" {
		opts = append(opts, nats.Token(c.Token))
	}
	if c.User != "" {
		opts = append(opts, nats.UserCredentials(c.User))
	}
	own, err := pair(c)
	if err != nil {
		return nil, err
	}
	pool, err := authorities(c)
	if err != nil {
		return nil, err
	}
	if own != nil || pool != nil {
		opts = append(opts, nats.Secure(&tls.Config{MinVersion: tls.VersionTLS12, Certificates: own, RootCAs: pool}))
	}
	return opts, nil
}

// serverTLS returns the settings of one who listens, nil without TLS.
func serverTLS(c Credentials) (*tls.Config, error) {
	own, err := pair(c)
	if err != nil {
		return nil, err
	}
	pool, err := authorities(c)
	if err != nil {
		return nil, err
	}
	if own == nil {
		if pool != nil {
			return nil, fmt.Errorf("TLS needs a certificate of the server and its key, too")
		}
		return nil, nil
	}
	t := &tls.Config{MinVersion: tls.VersionTLS12, Certificates: own}
	if pool != nil {
		t.ClientCAs, t.ClientAuth = pool, tls.RequireAndVerifyClientCert
	}
	return t, nil
}

// protects reports whether the credentials keep strangers out of a server.
func protects(c Credentials) bool { return c.Token != "" || c.Cert != "" && c.CA != "" }

// loopback reports whether an address is one that only this machine can reach.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
