//go:build unix

package shell

import "syscall"

// Exec puts a program in the place of this process. It returns only if that fails.
func Exec(argv, environ []string) error { return syscall.Exec(argv[0], argv, environ) }
