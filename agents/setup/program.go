package setup

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"cairn/internal/build"
)

// Stays returns an error if the program lies where it must not be installed from, since settings would name a file that
// is gone in a few days.
func (s Surroundings) Stays() error {
	why := ""
	temp := os.TempDir()
	if real, err := filepath.EvalSymlinks(temp); err == nil {
		temp = real
	}
	for _, part := range strings.Split(filepath.ToSlash(s.Program), "/") {
		if strings.HasPrefix(part, "go-build") {
			why = "Go's build cache, which is emptied from time to time"
		}
	}
	if cache := s.Getenv("GOCACHE"); filepath.IsAbs(cache) && within(cache, s.Program) {
		why = "Go's build cache, which is emptied from time to time"
	}
	if why == "" && (within(temp, s.Program) || within(os.TempDir(), s.Program)) {
		why = "a temporary directory"
	}
	if why == "" {
		return nil
	}
	return fmt.Errorf("this program lies in %s (%s): agents would start what is not there any more. Install it first:\n%s\nthen: cairn init", why, s.Program, build.Install())
}

func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// byName returns a warning if a project's files would start another cairn than this one, or none.
func (s Surroundings) byName() []string {
	if !s.Project {
		return nil
	}
	path, err := exec.LookPath("cairn")
	switch same, _ := sameFile(path, s.Program); {
	case err != nil:
		return []string{"the project's files start cairn by its name, and it is not on your PATH: add " + filepath.Dir(s.Program)}
	case !same:
		return []string{fmt.Sprintf("the project's files start cairn by its name: on your PATH that is %s, not this program, %s", path, s.Program)}
	}
	return nil
}

func sameFile(a, b string) (bool, error) {
	x, err := os.Stat(a)
	if err != nil {
		return false, err
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y), err
}
