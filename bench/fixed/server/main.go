// Command server speaks TLS or HTTP/2, and says something else each time that it is started.
//
//	server tls|http2 ADDR
package main

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log"
	"math/big"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"
)

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: server tls|http2 ADDR")
	}
	if os.Args[1] == "http2" {
		log.Fatal(serveHTTP2(os.Args[2]))
	}
	log.Fatal(serveTLS(os.Args[2]))
}

// serveHTTP2 answers requests with an id and how many there were.
func serveHTTP2(addr string) error {
	p := new(http.Protocols)
	p.SetUnencryptedHTTP2(true)
	var n atomic.Int64
	s := http.Server{Addr: addr, Protocols: p, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Id", rand.Text())
		fmt.Fprintln(w, n.Add(1))
	})}
	return s.ListenAndServe()
}

// serveTLS answers each line with how many there were.
func serveTLS(addr string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	now := time.Now()
	c := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: now, NotAfter: now.Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	if err != nil {
		return err
	}
	l, err := tls.Listen("tcp", addr, &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}})
	if err != nil {
		return err
	}
	var n atomic.Int64
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		go func() {
			defer c.Close()
			for in := bufio.NewScanner(c); in.Scan(); {
				fmt.Fprintln(c, n.Add(1))
			}
		}()
	}
}
