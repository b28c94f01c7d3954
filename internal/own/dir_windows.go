package own

import "syscall"

// errNotDir: a part of the path is not there, or no directory.
const errNotDir = syscall.ERROR_PATH_NOT_FOUND
