package certify

import (
	"crypto/hmac"
	"crypto/sha256"
)

// SealKey returns the secret that the checkpoints of this user are sealed with. It comes from OwnKey, and tells nothing
// about that.
func SealKey() ([]byte, error) {
	own, err := OwnKey()
	if err != nil {
		return nil, err
	}
	seal := hmac.New(sha256.New, own.Seed())
	seal.Write([]byte("heddle checkpoint"))
	return seal.Sum(nil), nil
}
