//go:build unix

package own

import "syscall"

// errNotDir says that a part of the path is a file, not a directory.
const errNotDir = syscall.ENOTDIR
