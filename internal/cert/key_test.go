package cert

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"testing"
)

// TestKeys: keys are written as crypto/x509 writes them, and read again.
func TestKeys(t *testing.T) {
	private := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))
	public := private.Public().(ed25519.PublicKey)
	want, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	got := AppendPrivateKey(nil, private)
	if !bytes.Equal(got, want) {
		t.Errorf("got private key %x, want %x", got, want)
	}
	if again, ok := ReadPrivateKey(got); !ok || !again.Equal(private) {
		t.Errorf("got private key %x, %v, want %x", again, ok, private)
	}
	if want, err = x509.MarshalPKIXPublicKey(public); err != nil {
		t.Fatal(err)
	}
	if got = AppendPublicKey(nil, public); !bytes.Equal(got, want) {
		t.Errorf("got public key %x, want %x", got, want)
	}
	if again, ok := ReadPublicKey(got); !ok || !again.Equal(public) {
		t.Errorf("got public key %x, %v, want %x", again, ok, public)
	}
	for _, bad := range [][]byte{nil, got[1:], got[:len(got)-1], append(bytes.Clone(got), 0), AppendPrivateKey(nil, private)} {
		if key, ok := ReadPublicKey(bad); ok {
			t.Errorf("got key %x of %x, want none", key, bad)
		}
	}
	if key, ok := ReadPrivateKey(got); ok {
		t.Errorf("got private key %x of a public one, want none", key)
	}
}
