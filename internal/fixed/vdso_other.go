//go:build linux && !amd64

package fixed

import (
	"fmt"
	"runtime"
)

// replaced: the code of this processor is not known.
var replaced map[string][]byte

// Supported says why processes cannot be made to repeat themselves on this processor, if so.
func Supported() error { return fmt.Errorf("not supported on this processor (%s)", runtime.GOARCH) }
