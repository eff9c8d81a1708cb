//go:build linux && !amd64

package fork

import (
	"fmt"
	"runtime"
)

// Registers of this processor are not known, so no process is frozen.
type registers struct{ known bool }

func (r *registers) waiting(int) error {
	return fmt.Errorf("not known for %s", runtime.GOARCH)
}

func (r *registers) call(pid int, call uintptr, args ...uint64) error { return r.waiting(pid) }

func (r *registers) again(pid int) error { return r.waiting(pid) }

func (r *registers) scratch() uint64 { return 0 }

func result64(pid int) (int64, error) { return 0, nil }
