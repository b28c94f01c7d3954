package gitrepo

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/gitconfig"
)

// Config returns git's value for key ("cairn.branch"), the last one if there are
// several, "" if it is not set. All of the configuration is read at the first call,
// from its files or, if those are not certain, by git, and remembered.
func (r *Repo) Config(ctx context.Context, key string) (string, error) {
	all, err := r.settings(ctx)
	return all[canonicalKey(key)], err
}

func (r *Repo) settings(ctx context.Context) (map[string]string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.config != nil {
		return r.config, nil
	}
	if all, ok := r.fileSettings(); ok {
		r.config = all
		return all, nil
	}
	all, err := r.askSettings(ctx)
	if err == nil {
		r.config = all
	}
	return all, err
}

func (r *Repo) askSettings(ctx context.Context) (map[string]string, error) {
	g := r.storeGit()
	g.opts = []string{"--git-dir=" + r.GitDir} // includes the worktree's own configuration
	out, err := g.run(ctx, "read the git configuration", nil, "config", "--null", "--list")
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for entry := range strings.SplitSeq(string(out), "\x00") {
		key, value, ok := strings.Cut(entry, "\n")
		if key == "" {
			continue
		}
		if !ok {
			value = "true" // a key without "=" is a true boolean
		}
		all[key] = value
	}
	return all, nil
}

// canonicalKey is key as git prints it: section and variable in lower case, a
// subsection between them as it is.
func canonicalKey(key string) string {
	first, last := strings.IndexByte(key, '.'), strings.LastIndexByte(key, '.')
	if first < 0 {
		return strings.ToLower(key)
	}
	return strings.ToLower(key[:first]) + key[first:last] + strings.ToLower(key[last:])
}

// person is who a commit is by.
type person struct{ name, email string }

var nobody = person{"cairn", "cairn@localhost"}

// people returns the author and the committer by git's own rules, except for those rules
// that look up host names, which may take seconds. If name or email is unknown it is
// "cairn <cairn@localhost>".
func (r *Repo) people(ctx context.Context) (author, committer person, err error) {
	all, err := r.settings(ctx)
	find := func(role string) person {
		p := person{
			name:  firstClean(os.Getenv("GIT_"+strings.ToUpper(role)+"_NAME"), all[role+".name"], all["user.name"]),
			email: firstClean(os.Getenv("GIT_"+strings.ToUpper(role)+"_EMAIL"), all[role+".email"], all["user.email"], os.Getenv("EMAIL")),
		}
		if p.name == "" || p.email == "" {
			return nobody
		}
		return p
	}
	return find("author"), find("committer"), err
}

// firstClean is the first value that is not empty after the characters which git forbids
// in an identity are removed.
func firstClean(candidates ...string) string {
	for _, s := range candidates {
		s = strings.Map(func(c rune) rune {
			if c < ' ' || c == 0x7f || c == '<' || c == '>' {
				return -1
			}
			return c
		}, strings.ToValidUTF8(s, ""))
		if s = strings.Trim(s, " .,:;\"\\'"); s != "" {
			return s
		}
	}
	return ""
}

// sharing is core.sharedRepository as git understands it: bits to add, or,
// when exact, the bits to have.
type sharing struct {
	bits  os.FileMode
	exact bool
}

func (r *Repo) sharing(ctx context.Context) (sharing, error) {
	all, err := r.settings(ctx)
	switch v := strings.ToLower(all["core.sharedrepository"]); v {
	case "", "umask", "false", "no", "off", "0":
		return sharing{}, err
	case "group", "true", "yes", "on", "1":
		return sharing{bits: 0o660}, err
	case "all", "world", "everybody", "2":
		return sharing{bits: 0o664}, err
	default:
		n, perr := strconv.ParseUint(v, 8, 32)
		if perr != nil || n&0o600 != 0o600 {
			return sharing{}, err // git itself fails with this value
		}
		return sharing{bits: os.FileMode(n & 0o666), exact: true}, err
	}
}

// apply is git's rule: no write bit if the owner has none, and a directory is
// searchable for everyone who may read it.
func (s sharing) apply(mode os.FileMode, dir bool) os.FileMode {
	if s.bits == 0 {
		return mode
	}
	bits := s.bits
	if mode&0o200 == 0 {
		bits &^= 0o222
	}
	if s.exact {
		mode &^= 0o777
	}
	mode |= bits
	if dir {
		mode |= (mode & 0o444) >> 2
		if mode&0o060 != 0 {
			mode |= os.ModeSetgid
		}
	}
	return mode
}

// fileConfig is git's configuration read from its files: the same as `git config
// --list`, for files without includes. Keys are spelled as by canonicalKey.
type fileConfig struct {
	all map[string]string
}

func newFileConfig() *fileConfig { return &fileConfig{all: map[string]string{}} }

// read adds a file, which may be missing unless must is set. It is false if git has to
// be asked for the file's settings.
func (c *fileConfig) read(path string, must bool) bool {
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return !must
	}
	if err != nil {
		return false
	}
	settings, ok := gitconfig.Parse(text)
	return ok && c.add(settings)
}

// meaningful are the sections that this package uses.
var meaningful = map[string]bool{"core": true, "extensions": true, "user": true, "author": true, "committer": true, "cairn": true, "remote": true, "lfs": true}

func (c *fileConfig) add(settings []gitconfig.Setting) bool {
	for _, one := range settings {
		section, _, _ := strings.Cut(one.Key, ".")
		if section == "include" || section == "includeif" || one.Odd && meaningful[section] {
			return false
		}
		c.all[one.Key] = one.Value
	}
	return true
}

// fileSettings are the settings of the repository, read without git; ok is false if git
// has to be asked.
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

// systemConfig is the configuration file for all users. Its path was chosen when git
// was built, so it is known only for a git in one of the usual places.
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
		return nil, true // without git it has no file
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

// InfoAttributes is this clone's own file of attributes.
func (r *Repo) InfoAttributes() string { return filepath.Join(r.CommonDir, "info", "attributes") }

// LocalConfig returns all values of a key in this clone's own configuration.
func (r *Repo) LocalConfig(ctx context.Context, key string) ([]string, error) {
	out, err := r.storeGit().run(ctx, "read the clone's configuration", nil, "config", "--local", "--get-all", key)
	if exitCode(err) == 1 {
		return nil, nil // the key is not set
	}
	return lines(string(out)), err
}

// AddConfig adds a value to a key of this clone's own configuration, unless the key has
// it.
func (r *Repo) AddConfig(ctx context.Context, key, value string) error {
	return r.changeConfig(ctx, key, value, true)
}

// RemoveConfig removes one value of a key from this clone's own configuration.
func (r *Repo) RemoveConfig(ctx context.Context, key, value string) error {
	return r.changeConfig(ctx, key, value, false)
}

func (r *Repo) changeConfig(ctx context.Context, key, value string, want bool) error {
	all, err := r.LocalConfig(ctx, key)
	if err != nil || slices.Contains(all, value) == want {
		return err
	}
	args := []string{"config", "--local", "--add", key, value}
	if !want {
		args = []string{"config", "--local", "--fixed-value", "--unset-all", key, value}
	}
	_, err = r.storeGit().run(ctx, "change the clone's configuration", nil, args...)
	r.mu.Lock()
	r.config = nil
	r.mu.Unlock()
	return err
}

// HooksDir is the folder of this clone's hooks: core.hooksPath, or "hooks" in the
// repository.
func (r *Repo) HooksDir(ctx context.Context) (string, error) {
	out, err := r.treeOrStore().run(ctx, "find the folder of hooks", nil, "rev-parse", "--git-path", "hooks")
	if err != nil {
		return "", err
	}
	dir := filepath.FromSlash(strings.TrimRight(string(out), "\r\n"))
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(r.treeOrStore().dir, dir)
	}
	return filepath.Clean(dir), nil
}

// StagedTree is the tree of the index, which a commit would have now. Inside a hook of
// git commit it is the index that is being committed. The tree is written to the
// repository, as the commit would write it.
func (r *Repo) StagedTree(ctx context.Context) (string, error) {
	if r.TopLevel == "" {
		return "", errors.New("a bare repository has no index")
	}
	out, err := r.treeGit().run(ctx, "write the tree of the index", nil, "write-tree")
	return strings.TrimSpace(string(out)), err
}

// AddTrailers adds trailers to the commit message in a file, even if it has others already.
func (r *Repo) AddTrailers(ctx context.Context, file string, trailers []string) error {
	args := []string{"interpret-trailers", "--in-place", "--no-divider", "--where", "end", "--if-exists", "add", "--if-missing", "add"}
	for _, t := range trailers {
		args = append(args, "--trailer", t)
	}
	_, err := r.treeOrStore().run(ctx, "add trailers to "+file, nil, append(args, file)...)
	return err
}

// Replaying says whether git is repeating earlier commits: in a rebase, a cherry-pick
// or a revert.
func (r *Repo) Replaying() bool {
	for _, name := range []string{"rebase-merge", "rebase-apply", "CHERRY_PICK_HEAD", "REVERT_HEAD", "sequencer"} {
		if _, err := os.Lstat(filepath.Join(r.GitDir, name)); err == nil {
			return true
		}
	}
	return false
}
