// TLS with a certificate of its own, over a pipe of package net and over TCP.
package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"math/big"
	"net"
	"time"
)

func certificate() (tls.Certificate, *x509.CertPool) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	t := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, t, t, &key.PublicKey, key)
	if err != nil {
		panic(err)
	}
	cert, _ := x509.ParseCertificate(der)
	pool := x509.NewCertPool()
	pool.AddCert(cert)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}

func serve(c net.Conn) {
	b := make([]byte, 100)
	n, err := c.Read(b)
	if err != nil {
		return // a client that did not like the certificate
	}
	fmt.Fprintf(c, "you said %q", b[:n])
	c.Close()
}

func ask(c *tls.Conn) {
	fmt.Fprint(c, "secret")
	b, err := io.ReadAll(c)
	st := c.ConnectionState()
	fmt.Printf("%s %v %x %v\n", b, err, st.Version, st.HandshakeComplete)
	c.Close()
}

func main() {
	cert, pool := certificate()
	server := &tls.Config{Certificates: []tls.Certificate{cert}}
	client := &tls.Config{RootCAs: pool, ServerName: "localhost"}

	a, b := net.Pipe()
	go serve(tls.Server(a, server))
	ask(tls.Client(b, client))

	l, err := tls.Listen("tcp", "127.0.0.1:0", server)
	if err != nil {
		panic(err)
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go serve(c)
		}
	}()
	c, err := tls.Dial("tcp", l.Addr().String(), client)
	if err != nil {
		panic(err)
	}
	ask(c)
	_, err = tls.Dial("tcp", l.Addr().String(), &tls.Config{ServerName: "localhost"})
	fmt.Println(err)
	_, err = tls.Dial("tcp", l.Addr().String(), &tls.Config{RootCAs: pool, ServerName: "elsewhere"})
	fmt.Println(err)
	l.Close()
}
