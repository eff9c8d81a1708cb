package natsqueue

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// made returns credentials in which nothing is missing that keeps strangers out: a token, and
// a certificate for TLS. They are kept with what a server keeps, so that who was connected
// can connect again.
func made(store string, c Credentials) (Credentials, error) {
	if c.CA != "" {
		return c, nil // clients have certificates of their own
	}
	if c.Token != "" && !word(c.Token) {
		return c, errors.New("a token of a coordinator has letters, digits, - and _ only, since it is part of what workers are given")
	}
	if c.Token == "" {
		file := filepath.Join(store, "token")
		text, err := os.ReadFile(file)
		if err != nil || len(text) == 0 {
			text = []byte(drawn())
			if err := os.WriteFile(file, text, 0o600); err != nil {
				return c, err
			}
		}
		c.Token = strings.TrimSpace(string(text))
	}
	if c.Cert == "" && c.Key == "" {
		c.Cert, c.Key = filepath.Join(store, "tls-cert.pem"), filepath.Join(store, "tls-key.pem")
		if _, err := tls.LoadX509KeyPair(c.Cert, c.Key); err != nil {
			if err := signOwn(c.Cert, c.Key); err != nil {
				return c, err
			}
		}
	}
	return c, nil
}

// drawn returns a secret.
func drawn() string {
	b := make([]byte, 20)
	rand.Read(b) // it does not fail
	return hex.EncodeToString(b)
}

// signOwn makes a certificate that nobody but itself has signed. Clients know it by its
// fingerprint, so it says nothing else, and lasts.
func signOwn(cert, key string) error {
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "heddle"},
		NotBefore: time.Now().Add(-24 * time.Hour), NotAfter: time.Now().AddDate(10, 0, 0),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &k.PublicKey, k)
	if err != nil {
		return err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(k)
	if err != nil {
		return err
	}
	if err := os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600); err != nil {
		return err
	}
	return os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600)
}

// pin returns the fingerprint of a certificate.
func pin(der []byte) string {
	sum := sha256.Sum256(der)
	return hex.EncodeToString(sum[:])
}

// A doorkeeper lets in the coordinator, by a token that only this process knows, and workers.
// Workers may not make or remove jobs and tasks, nor change what is kept. And they may not
// read tasks but by being given them: what they do read, jobs, blobs and results, they ask
// for by its subject, which tasks do not allow.
type doorkeeper struct{ own, workers string }

var workerPermissions = &server.Permissions{Publish: &server.SubjectPermission{Deny: []string{
	"heddle.task.>", "heddle.ended.>", wakeSubject, "$KV.>",
	"$JS.API.STREAM.CREATE.>", "$JS.API.STREAM.UPDATE.>", "$JS.API.STREAM.DELETE.>", "$JS.API.STREAM.PURGE.>", "$JS.API.STREAM.RESTORE.>",
	"$JS.API.STREAM.MSG.GET.>", "$JS.API.STREAM.SNAPSHOT.>",
	"$JS.API.STREAM.MSG.DELETE.>", "$JS.API.CONSUMER.DURABLE.>", "$JS.API.CONSUMER.DELETE.*." + crew, "$JS.API.CONSUMER.PAUSE.>",
	"$JS.API.CONSUMER.CREATE.*." + crew, "$JS.API.CONSUMER.CREATE.*." + crew + ".>",
}}}

// Check lets a client in.
func (d *doorkeeper) Check(c server.ClientAuthentication) bool {
	token := []byte(c.GetOpts().Token)
	switch {
	case subtle.ConstantTimeCompare(token, []byte(d.own)) == 1:
		c.RegisterUser(&server.User{Username: "coordinator"})
	case subtle.ConstantTimeCompare(token, []byte(d.workers)) == 1:
		c.RegisterUser(&server.User{Username: "worker", Permissions: workerPermissions})
	default:
		return false
	}
	return true
}
