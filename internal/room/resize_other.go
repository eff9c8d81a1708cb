//go:build !linux

package room

// resize copies, since pages cannot be moved here.
func resize(old []byte, n int) ([]byte, error) {
	b, err := zeroed(n, false)
	if err != nil {
		return nil, err
	}
	copy(b, old)
	return b, giveBack(old)
}
