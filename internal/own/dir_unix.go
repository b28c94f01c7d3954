//go:build unix

package own

import "syscall"

// errNotDir: a part of the path is a file, so that no directory is below it.
const errNotDir = syscall.ENOTDIR
