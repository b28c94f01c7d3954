package gitrepo

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Repo is one repository as seen from one directory at one moment. It is safe
// for concurrent use.
type Repo struct {
	TopLevel     string // root of the working tree, absolute; empty in a bare repository or inside .git
	Prefix       string // the directory relative to TopLevel, slash-separated; "" at the root; no trailing slash
	GitDir       string // absolute; in a linked worktree <common>/worktrees/<name>
	CommonDir    string // absolute; shared by all worktrees
	ObjectFormat string // "sha1" or "sha256"
	Bare         bool
	Commit       string // of HEAD, full hex; empty when unborn
	Tree         string // of Commit; empty when unborn
	Branch       string // short name of HEAD's branch, also when unborn; empty when detached

	objectDir string // where new objects go

	mu     sync.Mutex
	config map[string]string // nil until it is read
}

// separator separates the answers of one rev-parse, since a path may contain newlines.
// git repeats an option that it does not know.
const separator = "--cairn-separator"

var (
	revParseDirs = []string{"rev-parse", "--path-format=absolute", "--git-dir", separator, "--git-common-dir", separator,
		"--git-path", "objects", separator, "--is-bare-repository", "--show-object-format", "--show-prefix", separator}
	// These fail in a repository without working tree, or without commit. The output
	// before the failure is still valid, so the order matters.
	revParseTop  = []string{"--show-toplevel", separator}
	revParseHead = []string{"HEAD", "HEAD^{tree}", "--symbolic-full-name", "HEAD"}
)

// Discover finds the repository that dir belongs to. The answer is git's own: GIT_DIR,
// ceiling directories, safe.directory, core.worktree and .git files all count. If the
// files leave no doubt, no process is started; otherwise git is asked, in one process
// for a repository with a working tree and a commit. Tree is that of Commit itself,
// whatever refs/replace says. Errors: ErrNotRepository, ErrNoGit, ErrOldGit, ErrUnsafe,
// or another *Error.
func Discover(ctx context.Context, dir string) (*Repo, error) {
	if r, err, sure := discoverFiles(dir); sure {
		return r, err
	}
	return discoverGit(ctx, dir)
}

// discoverGit asks git.
func discoverGit(ctx context.Context, dir string) (*Repo, error) {
	g := outerGit(dir)
	args := append(append(append([]string{}, revParseDirs...), revParseTop...), revParseHead...)
	out, err := g.run(ctx, "find the git repository of "+dir, nil, args...)
	r, rest, ok := parseDirs(string(out))
	if !ok {
		return nil, notFoundError(dir, string(out), err)
	}
	top, head, ok := cutSeparator(rest)
	if !ok {
		// No working tree here. Any other error shows again below.
		return r, r.readHead(ctx, g)
	}
	r.TopLevel = filepath.FromSlash(top)
	return r, r.parseHead(ctx, g, head)
}

// parseDirs reads the answers to revParseDirs.
func parseDirs(out string) (r *Repo, rest string, ok bool) {
	gitDir, rest, ok1 := cutSeparator(out)
	commonDir, rest, ok2 := cutSeparator(rest)
	objects, rest, ok3 := cutSeparator(rest)
	facts, rest, ok4 := cutSeparator(rest)
	bare, facts, ok5 := strings.Cut(facts, "\n")
	format, prefix, ok6 := strings.Cut(facts, "\n")
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || !ok6 || !filepath.IsAbs(filepath.FromSlash(gitDir)) {
		return nil, "", false
	}
	r = &Repo{
		GitDir:       filepath.FromSlash(gitDir),
		CommonDir:    filepath.FromSlash(commonDir),
		ObjectFormat: format,
		Bare:         bare == "true",
		Prefix:       strings.TrimSuffix(prefix, "/"),
		objectDir:    filepath.FromSlash(objects),
	}
	if quarantined() {
		r.objectDir = filepath.Join(r.CommonDir, "objects")
	}
	return r, rest, true
}

func cutSeparator(s string) (before, after string, ok bool) {
	if rest, found := strings.CutPrefix(s, separator+"\n"); found {
		return "", rest, true
	}
	return strings.Cut(s, "\n"+separator+"\n")
}

func notFoundError(dir, out string, err error) error {
	if strings.HasPrefix(out, "--path-format") {
		return &Error{Op: "find the git repository of " + dir, Kind: ErrOldGit}
	}
	if err == nil {
		err = &Error{Op: "find the git repository of " + dir, Err: errors.New("git rev-parse gave an answer that is not understood")}
	}
	return err
}

// readHead asks git only for HEAD.
func (r *Repo) readHead(ctx context.Context, g git) error {
	out, err := g.run(ctx, "read HEAD", nil, append([]string{"rev-parse"}, revParseHead...)...)
	if err != nil && exitCode(err) < 0 {
		return err
	}
	return r.parseHead(ctx, g, string(out))
}

// parseHead reads the answers to revParseHead. git prints an unborn HEAD as "HEAD";
// then, or if the commit's tree is missing, git stops half-way and the branch has to be
// asked for again.
func (r *Repo) parseHead(ctx context.Context, g git, out string) error {
	lines := strings.Split(out, "\n")
	if r.isOID(lines[0]) {
		r.Commit = lines[0]
	}
	if len(lines) > 1 && r.isOID(lines[1]) {
		r.Tree = lines[1]
	}
	if r.Tree != "" && len(lines) > 2 {
		r.Branch = strings.TrimPrefix(lines[2], "refs/heads/")
		if r.Branch == lines[2] {
			r.Branch = "" // HEAD itself, detached
		}
		return nil
	}
	name, err := g.run(ctx, "read HEAD", nil, "symbolic-ref", "--quiet", "HEAD")
	if err != nil && exitCode(err) != 1 { // 1: detached
		return err
	}
	ref := strings.TrimSuffix(string(name), "\n")
	if short, ok := strings.CutPrefix(ref, "refs/heads/"); ok {
		r.Branch = short
	}
	return nil
}

// hexLen is the length of an object id in hexadecimal.
func (r *Repo) hexLen() int {
	if r.ObjectFormat == "sha256" {
		return 64
	}
	return 40
}

// isOID reports whether s is a full object id of this repository.
func (r *Repo) isOID(s string) bool {
	if len(s) != r.hexLen() {
		return false
	}
	for _, c := range []byte(s) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

func (r *Repo) checkOID(op, oid string) error {
	if r.isOID(oid) {
		return nil
	}
	return &Error{Op: op, Err: errors.New(quote(oid) + " is not a full object id of this repository")}
}

func (r *Repo) zeroOID() string { return strings.Repeat("0", r.hexLen()) }

// Guess returns the repository that a directory seems to belong to, if git cannot be
// asked or refuses to say: its common directory, and the root of its working tree (""
// if GIT_DIR names it). It runs nothing and reads no configuration, so the answer may
// be wrong: it may be used as a name for the repository, but not to write to it.
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
