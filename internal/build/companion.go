package build

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Companion finds a program that is installed with this one: beside it, or on
// PATH.
func Companion(name string) (string, error) {
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), name+filepath.Ext(self))
		if _, err := os.Stat(beside); err == nil {
			return beside, nil
		}
	}
	path, err := exec.LookPath(name)
	if errors.Is(err, exec.ErrNotFound) {
		return "", fmt.Errorf("%s is not installed beside cairn, nor on PATH; all programs are installed by:\n%s", name, Install())
	}
	return path, err
}
