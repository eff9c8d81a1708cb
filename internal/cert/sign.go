package cert

import (
	"crypto/ed25519"
	"crypto/sha256"
)

// signed returns what a signature signs: the digest, and words that keep the
// signature from meaning anything elsewhere.
func signed(digest [sha256.Size]byte) []byte {
	return append([]byte("heddle certificate\x00"), digest[:]...)
}

// Sign returns the bytes that, at the end of the file of a certificate, say that
// the owner of a key vouches for it.
func Sign(c *Reader, key ed25519.PrivateKey) []byte {
	payload := append([]byte(nil), key.Public().(ed25519.PublicKey)...)
	payload = append(payload, ed25519.Sign(key, signed(c.Digest))...)
	return appendSection(nil, secSign, payload)
}

// SignedBy reports whether the owner of a key has signed.
func (c *Reader) SignedBy(key ed25519.PublicKey) bool {
	for _, s := range c.Signatures {
		if s.Key.Equal(key) {
			return true
		}
	}
	return false
}
