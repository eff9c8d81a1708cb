package natsqueue

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"

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
	if c.Pin != "" {
		opts = append(opts, nats.Secure(&tls.Config{
			MinVersion: tls.VersionTLS12, Certificates: own,
			InsecureSkipVerify: true, // it is verified below that it is the one certificate
			VerifyConnection: func(s tls.ConnectionState) error {
				if len(s.PeerCertificates) == 0 || pin(s.PeerCertificates[0].Raw) != c.Pin {
					return errors.New("tls: the server is not the coordinator: its certificate has another fingerprint")
				}
				return nil
			},
		}))
	} else if own != nil || pool != nil {
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

// protects reports whether the credentials keep strangers out of a server. A token that is
// sent without TLS can be read on the way.
func protects(c Credentials) bool { return c.Cert != "" && (c.Token != "" || c.CA != "") }

// hidden refuses to send a token to another machine without TLS.
func hidden(url string, c Credentials) error {
	if c.Token == "" || c.Pin != "" || c.Cert != "" || c.CA != "" {
		return nil
	}
	for _, one := range strings.Split(url, ",") {
		one = strings.TrimSpace(one)
		scheme, rest, ok := strings.Cut(one, "://")
		if !ok {
			scheme, rest = "nats", one
		}
		if _, after, ok := strings.Cut(rest, "@"); ok {
			rest = after
		}
		host, _, err := net.SplitHostPort(rest)
		if err != nil {
			host = rest
		}
		if scheme != "tls" && scheme != "wss" && !loopback(host) {
			return fmt.Errorf("%s: a token without TLS can be read on the way: say tls://%s, or give -tls-ca", one, rest)
		}
	}
	return nil
}

// loopback reports whether an address is one that only this machine can reach.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
