package fleets

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Discover lists the git repositories in a directory and below it, sorted. It does not
// look into repositories, nor into directories whose name begins with a dot.
func Discover(dir string) ([]string, error) {
	var found []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !d.IsDir():
			return nil
		case path != dir && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		}
		if _, err := os.Stat(filepath.Join(path, ".git")); err == nil {
			found = append(found, path)
			return fs.SkipDir
		}
		if _, err := os.Stat(filepath.Join(path, "HEAD")); err == nil && isBare(path) {
			found = append(found, path)
			return fs.SkipDir
		}
		return nil
	})
	slices.Sort(found)
	return found, err
}

func isBare(dir string) bool {
	for _, name := range []string{"objects", "refs"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}
