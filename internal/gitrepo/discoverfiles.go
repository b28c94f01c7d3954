package gitrepo

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Discovery without a process follows git's own rules, for the repositories that most
// people have. Uncertain cases are left to git: GIT_* variables that change the answer,
// files of another user, bare repositories, core.worktree, extensions that are not
// listed here, links in place of directories. TestFilesAndGitAgree compares both ways.

// harmlessVariables are GIT_* variables that change no answer about a repository, or
// are followed here. A name that ends in "_" is a prefix.
var harmlessVariables = []string{
	"GIT_AUTHOR_", "GIT_COMMITTER_", "GIT_SSH", "GIT_SSH_", "GIT_ASKPASS", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_PAGER",
	"GIT_SSL_", "GIT_HTTP_", "GIT_PROXY_", "GIT_PROXY_COMMAND", "GIT_PROTOCOL", "GIT_ALLOW_PROTOCOL", "GIT_CURL_VERBOSE", "GIT_TRACE", "GIT_TRACE_", "GIT_TRACE2", "GIT_TRACE2_",
	"GIT_ADVICE", "GIT_FLUSH", "GIT_TERMINAL_PROMPT", "GIT_OPTIONAL_LOCKS", "GIT_MERGE_AUTOEDIT", "GIT_PS1_", "GIT_LFS_",
	"GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_GLOBAL", "GIT_CEILING_DIRECTORIES",
}

// plainEnvironment says whether no environment variable changes the meaning of the files.
func plainEnvironment() bool {
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		if strings.HasPrefix(name, "GIT_") && !slices.ContainsFunc(harmlessVariables, func(v string) bool {
			return name == v || strings.HasSuffix(v, "_") && strings.HasPrefix(name, v)
		}) {
			return false
		}
	}
	return true
}

// discoverFiles is Discover without git. sure is false when git has to be asked.
func discoverFiles(dir string) (r *Repo, err error, sure bool) {
	if !plainEnvironment() {
		return nil, nil, false
	}
	start, ok := physical(dir)
	if !ok {
		return nil, nil, false
	}
	stops := ceilings(start)
	first, err := os.Stat(start)
	if err != nil {
		return nil, nil, false
	}
	for at := start; ; at = filepath.Dir(at) {
		if st, err := os.Stat(at); err != nil || !sameDevice(first, st) {
			return nil, notRepository(dir), err == nil // git does not look beyond a mount point
		}
		switch entry, err := os.Lstat(filepath.Join(at, ".git")); {
		case err == nil:
			r, sure = openFiles(at, entry)
			if sure && at != start {
				r.Prefix = filepath.ToSlash(start[len(strings.TrimSuffix(at, string(filepath.Separator)))+1:])
			}
			return r, nil, sure
		case !os.IsNotExist(err) || mayBeBare(at):
			return nil, nil, false
		}
		if parent := filepath.Dir(at); parent == at || slices.Contains(stops, parent) {
			return nil, notRepository(dir), true
		}
	}
}

func notRepository(dir string) error {
	return &Error{Op: "find the git repository of " + dir, Kind: ErrNotRepository}
}

// ceilings are the directories above start into which GIT_CEILING_DIRECTORIES forbids
// git to look.
func ceilings(start string) (list []string) {
	asTheyAre := false
	for _, c := range filepath.SplitList(os.Getenv("GIT_CEILING_DIRECTORIES")) {
		switch real, err := filepath.EvalSymlinks(c); {
		case c == "":
			asTheyAre = true // git's rule: links in the rest of the list are not resolved
			continue
		case asTheyAre:
			c = filepath.Clean(c)
		case err != nil:
			continue
		default:
			c = real
		}
		if filepath.IsAbs(c) && c != start && strings.HasPrefix(start, strings.TrimSuffix(c, "/")+"/") {
			list = append(list, c)
		}
	}
	return list
}

// mayBeBare says whether git could take the directory itself for a repository.
func mayBeBare(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, "HEAD"))
	return err == nil
}

// openFiles opens the repository whose working tree is top; git describes top's .git.
func openFiles(top string, git fs.FileInfo) (*Repo, bool) {
	r := &Repo{TopLevel: top, GitDir: filepath.Join(top, ".git")}
	ours := []string{top}
	if git.Mode().IsRegular() {
		var ok bool
		if r.GitDir, ok = gitFile(r.GitDir); !ok {
			return nil, false
		}
		ours = append(ours, filepath.Join(top, ".git"))
	} else if !git.IsDir() {
		return nil, false
	}
	var ok bool
	if r.CommonDir, ok = commonDir(r.GitDir); !ok {
		return nil, false
	}
	for _, path := range append(ours, r.GitDir) {
		if !ownedByUs(path) {
			return nil, false
		}
	}
	r.objectDir = filepath.Join(r.CommonDir, "objects")
	for _, dir := range []string{r.objectDir, filepath.Join(r.CommonDir, "refs")} {
		if st, err := os.Lstat(dir); err != nil || !st.IsDir() {
			return nil, false
		}
	}
	return r, r.knownFormat() && r.headFiles()
}

// gitFile reads a .git file, as linked worktrees and submodules have it.
func gitFile(path string) (dir string, ok bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", false
	}
	name, ok := bytes.CutPrefix(text, []byte("gitdir: "))
	if !ok {
		return "", false
	}
	return named(filepath.Dir(path), name)
}

// named is the directory that a file in dir names.
func named(dir string, text []byte) (string, bool) {
	name := filepath.FromSlash(strings.TrimRight(string(text), "\r\n"))
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	name, err := filepath.EvalSymlinks(name)
	return name, err == nil
}

// commonDir is the git directory that all worktrees share.
func commonDir(gitDir string) (dir string, ok bool) {
	text, err := os.ReadFile(filepath.Join(gitDir, "commondir"))
	if os.IsNotExist(err) {
		return gitDir, true
	}
	if err != nil {
		return "", false
	}
	return named(gitDir, text)
}

// knownFormat reads the repository's own configuration. It returns false if a setting
// changes the meaning of the other files.
func (r *Repo) knownFormat() bool {
	c := newFileConfig()
	if !c.read(filepath.Join(r.CommonDir, "config"), true) {
		return false
	}
	if c.all["extensions.worktreeconfig"] == "true" && !c.read(filepath.Join(r.GitDir, "config.worktree"), false) {
		return false
	}
	version := c.all["core.repositoryformatversion"]
	r.ObjectFormat = "sha1"
	for key, value := range c.all {
		name, isExtension := strings.CutPrefix(key, "extensions.")
		switch {
		case !isExtension:
		case name == "worktreeconfig" && (value == "true" || value == "false"), name == "noop", name == "partialclone", name == "preciousobjects":
		case name == "objectformat" && version == "1" && (value == "sha1" || value == "sha256"):
			r.ObjectFormat = value
		default:
			return false
		}
	}
	bare, knowsBare := c.all["core.bare"]
	understood := version == "" || version == "0" || version == "1"
	fits := !knowsBare || bare == "false" || bare == "true" && r.GitDir != r.CommonDir
	return understood && fits && r.ownWorktree(c.all["core.worktree"])
}

// ownWorktree accepts a core.worktree that names the directory in which the repository
// was found, as submodules have it. Any other value is left to git.
func (r *Repo) ownWorktree(path string) bool {
	if path == "" {
		return true
	}
	if path = filepath.FromSlash(path); !filepath.IsAbs(path) {
		path = filepath.Join(r.GitDir, path)
	}
	real, err := filepath.EvalSymlinks(path)
	return err == nil && real == r.TopLevel
}

// headFiles reads HEAD, its branch, commit and tree.
func (r *Repo) headFiles() bool {
	path := filepath.Join(r.GitDir, "HEAD")
	if st, err := os.Lstat(path); err != nil || !st.Mode().IsRegular() {
		return false
	}
	text, err := os.ReadFile(path)
	if err != nil || r.reftable() {
		return false
	}
	head := strings.TrimRight(string(text), "\n")
	if ref, symbolic := strings.CutPrefix(head, "ref: "); symbolic {
		short, isBranch := strings.CutPrefix(ref, "refs/heads/")
		if !isBranch || !validBranch(short) {
			return false
		}
		if r.Commit, err = r.refFile(ref); err != nil {
			return false
		}
		r.Branch = short
	} else if r.Commit = head; !r.isOID(head) {
		return false
	}
	if r.Commit == "" {
		return true
	}
	kind, data, err := r.objectFiles().read(r.Commit)
	if err != nil || kind.String() != "commit" {
		return false
	}
	r.Tree, err = commitTree(data)
	return err == nil && r.isOID(r.Tree)
}
