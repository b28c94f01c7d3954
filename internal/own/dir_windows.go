package own

import "syscall"

// errNotDir says that a part of the path does not exist or is not a directory.
const errNotDir = syscall.ERROR_PATH_NOT_FOUND
