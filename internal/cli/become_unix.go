//go:build unix

package cli

import "syscall"

// programSuffix is what names of programs end in.
const programSuffix = ""

// become makes another command of this process. It returns only if that fails.
func become(name string, args, env []string) error { return syscall.Exec(name, args, env) }
