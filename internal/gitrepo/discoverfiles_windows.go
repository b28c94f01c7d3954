package gitrepo

import "io/fs"

// On Windows git is asked: only it knows whose a directory is and how a path is
// spelled.
func physical(string) (string, bool)           { return "", false }
func sameDevice(fs.FileInfo, fs.FileInfo) bool { return false }
func ownedByUs(string) bool                    { return false }
