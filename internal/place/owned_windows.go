package place

import "io/fs"

// owned is true: here the directory for temporary files is the user's own.
func owned(fs.FileInfo) bool { return true }
