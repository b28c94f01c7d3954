//go:build unix

package shell

import "syscall"

// execProcess returns only if it fails.
func execProcess(argv, environ []string) error { return syscall.Exec(argv[0], argv, environ) }
