package cert

import (
	"bytes"
	"crypto/ed25519"
)

// Keys are written as other tools write Ed25519 keys, in DER: RFC 8410, sections 4 and
// 7. There is one way to do it, with a fixed beginning that is followed by the 32 bytes
// of the key. Package crypto/x509 can read it, too, but it is larger than all of this
// package and is needed for nothing else.
var (
	privateStart = []byte{0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20} // version 0, the algorithm, a string in a string
	publicStart  = []byte{0x30, 0x2a, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 3, 0x21, 0}                // the algorithm, a string of whole bytes
)

// AppendPrivateKey appends a key that signs, as PKCS #8 has it.
func AppendPrivateKey(b []byte, key ed25519.PrivateKey) []byte {
	return append(append(b, privateStart...), key.Seed()...)
}

// ReadPrivateKey reads what AppendPrivateKey writes.
func ReadPrivateKey(data []byte) (ed25519.PrivateKey, bool) {
	seed, ok := bytes.CutPrefix(data, privateStart)
	if !ok || len(seed) != ed25519.SeedSize {
		return nil, false
	}
	return ed25519.NewKeyFromSeed(seed), true
}

// AppendPublicKey appends the key of who signs, as PKIX has it.
func AppendPublicKey(b []byte, key ed25519.PublicKey) []byte {
	return append(append(b, publicStart...), key...)
}

// ReadPublicKey reads what AppendPublicKey writes.
func ReadPublicKey(data []byte) (ed25519.PublicKey, bool) {
	key, ok := bytes.CutPrefix(data, publicStart)
	if !ok || len(key) != ed25519.PublicKeySize {
		return nil, false
	}
	return bytes.Clone(key), true
}
