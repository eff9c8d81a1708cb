package cli

import (
	"errors"
	"os"
	"os/exec"
)

// programSuffix is what names of programs end in. There is no permission to execute.
const programSuffix = ".exe"

// become executes another command in place of this one, and ends with its exit code. It returns only if that fails. Both get what is typed to interrupt them.
func become(name string, args, env []string) error {
	cmd := exec.Command(name, args[1:]...)
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = env, os.Stdin, os.Stdout, os.Stderr
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		return err
	}
	os.Exit(cmd.ProcessState.ExitCode())
	return nil
}
