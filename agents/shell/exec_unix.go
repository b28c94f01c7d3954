//go:build unix

package shell

import "syscall"

// Exec replaces this process by a program. It returns only if that fails.
func Exec(argv, environ []string) error { return syscall.Exec(argv[0], argv, environ) }
