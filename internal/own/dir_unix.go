//go:build unix

package own

import "syscall"

// errNotDir: a part of the path is a file, so that there is none below it.
const errNotDir = syscall.ENOTDIR
