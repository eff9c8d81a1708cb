// Package goroot finds the Go installation, whose own test programs and sources
// some tests read. It knows nothing about what is in it.
package goroot

import (
	"os/exec"
	"strings"
	"sync"
)

// Dir returns the root of the installation to which the go command on the path
// belongs. It panics if there is none, since it is tests that ask.
var Dir = sync.OnceValue(func() string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		panic("go env GOROOT: " + err.Error())
	}
	return strings.TrimSpace(string(out))
})
