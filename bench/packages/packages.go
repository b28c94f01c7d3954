// Package packages fetches published packages, and the tools that check them, with the clients of their registries, and
// runs commands on them. Versions are pinned by the caller, and digests where the caller has them. What was fetched stays
// in a cache.
package packages

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// limit bounds one command.
const limit = 20 * time.Minute

// Cache is the folder of what was fetched.
type Cache struct {
	Dir    string
	Python []string // what is installed beside Python packages
	Node   []string // and beside npm packages
}

// Open makes the folder of a cache. Without dir it is the folder with this name below the user's cache directory.
func Open(dir, name string) (Cache, error) {
	if dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return Cache{}, fmt.Errorf("finding a cache directory (give one with -dir): %w", err)
		}
		dir = filepath.Join(cache, name)
	}
	dir, err := filepath.Abs(dir)
	return Cache{Dir: dir}, errors.Join(err, os.MkdirAll(dir, 0o755))
}

// Missing is the error for a program that the machine does not have.
type Missing string

func (m Missing) Error() string { return string(m) + " is not installed" }

// Need returns Missing for the first program that is not installed.
func Need(programs ...string) error {
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			return Missing(p)
		}
	}
	return nil
}

// Output is what a command printed, and its exit status.
type Output struct {
	Argv           []string
	Stdout, Stderr []byte
	Code           int
}

// Run runs a command, which may exit with any status. env is added to the environment.
func Run(dir string, env []string, argv ...string) (o Output, err error) {
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		return o, fmt.Errorf("running %s: %w", strings.Join(argv, " "), err)
	}
	return Output{argv, stdout.Bytes(), stderr.Bytes(), cmd.ProcessState.ExitCode()}, nil
}

// Must runs a command that must exit with 0, and returns its stdout.
func Must(dir string, env []string, argv ...string) ([]byte, error) {
	o, err := Run(dir, env, argv...)
	if err == nil && o.Code != 0 {
		err = fmt.Errorf("%s exited with %d:\n%s", strings.Join(argv, " "), o.Code, o.Stderr)
	}
	return o.Stdout, err
}

// Keep writes what a run left into a folder, for people.
func Keep(dir string, files map[string][]byte) error {
	err := os.MkdirAll(dir, 0o755)
	for name, data := range files {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), data, 0o644))
	}
	return err
}

// Once calls fill for a folder of the cache, unless it has completed before.
func (c Cache) Once(dir string, fill func() error) error {
	done := dir + ".complete"
	if _, err := os.Stat(done); err == nil {
		return nil
	}
	if err := c.Remove(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := fill(); err != nil {
		return err
	}
	return os.WriteFile(done, nil, 0o644)
}

// Remove removes files in the cache that match a pattern.
func (c Cache) Remove(pattern string) error {
	if !strings.HasPrefix(pattern, c.Dir+string(filepath.Separator)) {
		return fmt.Errorf("%s is not in the cache", pattern)
	}
	files, err := filepath.Glob(pattern)
	for _, f := range files {
		err = errors.Join(err, os.RemoveAll(f))
	}
	return err
}
