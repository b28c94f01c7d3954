// Package build says which build of cairn a program is, with one text for all programs.
package build

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
)

// version is set by the linker for a release: -ldflags "-X cairn/internal/build.version=…".
var version string

// Version is a release or "devel", with the commit that the program was built from and
// that commit's time, as far as the toolchain wrote them down:
// "v0.1.0 (commit 1b8451d7abcd, 2026-11-24T14:22:03Z)".
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return text(version, info)
}

// Install is the command that installs all programs of cairn. If the module has no
// public path, it works only in a clone of the source.
func Install() string {
	path := "cairn"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Path != "" {
		path = info.Main.Path
	}
	return install(path)
}

func install(module string) string {
	if host, _, _ := strings.Cut(module, "/"); strings.Contains(host, ".") {
		return "  go install " + module + "/cmd/...@latest"
	}
	return "  go install ./cmd/...    (in the clone of cairn; into $(go env GOPATH)/bin)"
}

func text(release string, info *debug.BuildInfo) string {
	set := map[string]string{}
	for _, s := range info.Settings {
		set[s.Key] = s.Value
	}
	if release == "" {
		release = strings.TrimSuffix(info.Main.Version, "+dirty")
		if release == "" || release == "(devel)" || strings.HasPrefix(release, "v0.0.0-") { // a pseudo-version repeats the commit and its time
			release = "devel"
		}
	}
	commit := set["vcs.revision"]
	if commit == "" {
		return release
	}
	known := []string{"commit " + commit[:min(len(commit), 12)]}
	if at := set["vcs.time"]; at != "" {
		known = append(known, at)
	}
	if set["vcs.modified"] == "true" {
		known = append(known, "with changes")
	}
	return release + " (" + strings.Join(known, ", ") + ")"
}

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
