//go:build !unix

package shell

import (
	"errors"
	"os"
	"os/exec"
)

// Exec runs a program and exits with its status, since this system cannot replace a process by another program. It
// returns only if that fails.
func Exec(argv, environ []string) error {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = environ, os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	if exit := new(exec.ExitError); err == nil || errors.As(err, &exit) {
		os.Exit(cmd.ProcessState.ExitCode())
	}
	return err
}
