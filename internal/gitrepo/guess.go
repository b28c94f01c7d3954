package gitrepo

import (
	"os"
	"path/filepath"
)

// Guess says which repository a directory seems to belong to, where git cannot be
// asked or does not want to tell: its common directory, and the root of its working
// tree ("" where GIT_DIR names it). It runs nothing, reads no configuration, and
// vouches for nothing: enough to remember whose a thing is, not to touch it.
func Guess(dir string) (common, top string, ok bool) {
	if named := os.Getenv("GIT_DIR"); named != "" {
		if !filepath.IsAbs(named) {
			named = filepath.Join(dir, named)
		}
		common, ok = realCommon(named)
		return common, "", ok
	}
	start, ok := physical(dir)
	if !ok {
		return "", "", false
	}
	for at := start; ; at = filepath.Dir(at) {
		git := filepath.Join(at, ".git")
		if info, err := os.Stat(git); err == nil {
			if info.Mode().IsRegular() {
				if git, ok = gitFile(git); !ok {
					return "", "", false
				}
			}
			common, ok = realCommon(git)
			return common, at, ok
		}
		if filepath.Dir(at) == at {
			return "", "", false
		}
	}
}

func realCommon(gitDir string) (string, bool) {
	real, err := filepath.EvalSymlinks(gitDir)
	if err != nil {
		return "", false
	}
	return commonDir(real)
}
