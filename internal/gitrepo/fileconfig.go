package gitrepo

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/config"
)

// fileConfig is git's configuration as its files have it: what `git config
// --list` says, for files without includes. Keys are spelled as by canonicalKey.
type fileConfig struct {
	all map[string]string
}

func newFileConfig() *fileConfig { return &fileConfig{all: map[string]string{}} }

// read adds a file, which may be missing unless it must be there. It is false
// when git has to be asked what the file says.
func (c *fileConfig) read(path string, must bool) bool {
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return !must
	}
	if err != nil {
		return false
	}
	parsed := config.New()
	if err := config.NewDecoder(bytes.NewReader(text)).Decode(parsed); err != nil {
		return false
	}
	for _, s := range parsed.Sections {
		if !c.add(strings.ToLower(s.Name), s.Options) {
			return false
		}
		for _, sub := range s.Subsections {
			if !c.add(strings.ToLower(s.Name)+"."+sub.Name, sub.Options) {
				return false
			}
		}
	}
	return true
}

// meaningful are the sections whose values are used.
var meaningful = map[string]bool{"core": true, "extensions": true, "user": true, "author": true, "committer": true, "cairn": true, "remote": true}

func (c *fileConfig) add(section string, options config.Options) bool {
	first, _, _ := strings.Cut(section, ".")
	if first == "include" || first == "includeif" {
		return false
	}
	for _, o := range options {
		// The decoder does not tell "key" (true) from "key =" (empty), and reads
		// lines that go on and tabs otherwise than git.
		if meaningful[first] && (o.Value == "" || strings.ContainsAny(o.Value, "\n\t")) {
			return false
		}
		c.all[section+"."+strings.ToLower(o.Key)] = o.Value
	}
	return true
}

// fileSettings are the settings of the repository as far as they can be read
// without git.
func (r *Repo) fileSettings() (map[string]string, bool) {
	system, ok := systemConfig()
	if !ok || !plainEnvironment() {
		return nil, false
	}
	c := newFileConfig()
	for _, path := range append(system, globalConfig()...) {
		if !c.read(path, false) {
			return nil, false
		}
	}
	if !c.read(filepath.Join(r.CommonDir, "config"), true) {
		return nil, false
	}
	if c.all["extensions.worktreeconfig"] == "true" && !c.read(filepath.Join(r.GitDir, "config.worktree"), false) {
		return nil, false
	}
	return c.all, true
}

// systemConfig is the file for all users. Where it is was decided when git was
// built, so that it is known for the usual places of git only.
func systemConfig() (paths []string, ok bool) {
	switch strings.ToLower(os.Getenv("GIT_CONFIG_NOSYSTEM")) {
	case "":
	case "1", "true", "yes", "on":
		return nil, true
	default:
		return nil, false
	}
	if path, set := os.LookupEnv("GIT_CONFIG_SYSTEM"); set {
		return []string{path}, true
	}
	git, err := exec.LookPath("git")
	switch {
	case err != nil:
		return nil, true // no git, no file of its
	case runtime.GOOS == "linux" && git == "/usr/bin/git":
		return []string{"/etc/gitconfig"}, true
	}
	return nil, false
}

// globalConfig are the user's own files.
func globalConfig() []string {
	if path, set := os.LookupEnv("GIT_CONFIG_GLOBAL"); set {
		return []string{path}
	}
	home, xdg := os.Getenv("HOME"), os.Getenv("XDG_CONFIG_HOME")
	if xdg == "" && home != "" {
		xdg = filepath.Join(home, ".config")
	}
	var paths []string
	if xdg != "" {
		paths = append(paths, filepath.Join(xdg, "git", "config"))
	}
	if home != "" {
		paths = append(paths, filepath.Join(home, ".gitconfig"))
	}
	return paths
}
