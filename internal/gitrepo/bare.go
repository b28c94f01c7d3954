package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// InitBare opens the bare repository at dir, and makes it if it does not exist. Any
// number of processes may do so at once: each builds a whole repository beside dir and
// renames it into place; one of them wins, and all open the winner's. If dir exists
// already, the repository is built within, since dir may be the only writable place.
// Files already in dir stay. The repository is private (mode 0700), with sha1 objects
// and without templates, so that it gets no hook of the user.
func InitBare(ctx context.Context, dir string) (*Repo, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	r, err := openBare(ctx, dir)
	if err == nil || !errors.Is(err, ErrNotRepository) {
		return r, err
	}
	if err := createBare(ctx, dir); err != nil {
		return nil, err
	}
	return openBare(ctx, dir)
}

func openBare(ctx context.Context, dir string) (*Repo, error) {
	if _, err := os.Stat(filepath.Join(dir, "HEAD")); err != nil {
		return nil, &Error{Op: "open " + dir, Kind: ErrNotRepository, Err: err}
	}
	if r := plainBare(dir); r != nil {
		return r, nil
	}
	return askBare(ctx, dir)
}

func askBare(ctx context.Context, dir string) (*Repo, error) {
	g := bareGit(dir)
	args := append(append([]string{}, revParseDirs...), revParseHead...)
	out, err := g.run(ctx, "open the store "+dir, nil, args...)
	r, rest, ok := parseDirs(string(out))
	if !ok {
		return nil, notFoundError(dir, string(out), err)
	}
	return r, r.parseHead(ctx, g, rest)
}

// bareGit is git on dir, whatever repository the environment names.
func bareGit(dir string) git {
	drop := []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY",
		"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH", "GIT_PREFIX", "GIT_TEMPLATE_DIR", "GIT_DEFAULT_HASH", "GIT_DEFAULT_REF_FORMAT"}
	return git{dir: dir, opts: []string{"--git-dir=" + dir}, env: environ(drop, quiet, noFetch)}
}

// bornNever is the initial branch of a store. It never gets a commit; its name must
// only differ from that of the record's branch.
const bornNever = "main"

func createBare(ctx context.Context, dir string) error {
	op := "make the store " + dir
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return &Error{Op: op, Err: err}
	}
	beside, name := parent, filepath.Base(dir)+".tmp*"
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		beside, name = dir, ".making*"
	}
	tmp, err := os.MkdirTemp(beside, name)
	if err != nil {
		return &Error{Op: op, Err: err}
	}
	defer os.RemoveAll(tmp)
	g := bareGit(tmp)
	if _, err := g.run(ctx, op, nil, "init", "--quiet", "--bare", "--template=", "--object-format=sha1", "--initial-branch="+bornNever); err != nil {
		return err
	}
	if beside == parent && os.Rename(tmp, dir) == nil {
		return nil
	}
	return moveInto(op, tmp, dir)
}

// moveInto fills a directory that already has files in it. HEAD is moved last: without
// it git does not take the directory for a repository. Existing files stay, so two
// movers do not disturb each other: both move the same files.
func moveInto(op, tmp, dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return &Error{Op: op, Err: err}
	}
	for _, name := range []string{"config", "objects", "refs", "HEAD"} {
		to := filepath.Join(dir, name)
		if _, err := os.Lstat(to); err == nil {
			continue
		}
		if err := os.Rename(filepath.Join(tmp, name), to); err != nil {
			if _, there := os.Lstat(to); there != nil {
				return &Error{Op: op, Err: fmt.Errorf("move %s into place: %w", name, err)}
			}
		}
	}
	return nil
}

// plainBare opens dir without asking git, which would cost two processes, if dir is as
// createBare leaves it: then git's answers are known. For anything else (a store that
// somebody configured, moved or damaged) it returns nil, and git is asked.
func plainBare(dir string) *Repo {
	dir, err := filepath.EvalSymlinks(dir) // as git spells it
	if err != nil || !filepath.IsAbs(dir) {
		return nil
	}
	if _, err := exec.LookPath("git"); err != nil {
		return nil // git will report it, as ErrNoGit
	}
	config, err := os.ReadFile(filepath.Join(dir, "config"))
	if err != nil || !plainConfig(string(config)) {
		return nil
	}
	head, err := os.ReadFile(filepath.Join(dir, "HEAD"))
	if err != nil || string(head) != "ref: refs/heads/"+bornNever+"\n" {
		return nil
	}
	r := &Repo{GitDir: dir, CommonDir: dir, ObjectFormat: "sha1", Bare: true, Branch: bornNever, objectDir: filepath.Join(dir, "objects")}
	for _, name := range []string{"objects", "refs"} {
		if st, err := os.Stat(filepath.Join(dir, name)); err != nil || !st.IsDir() {
			return nil
		}
	}
	for _, name := range []string{"commondir", "config.worktree"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return nil
		}
	}
	if tip, err := r.refFile("refs/heads/" + bornNever); tip != "" || err != nil {
		return nil // the initial branch has a commit after all
	}
	return r
}

// plainConfig says whether text is the configuration of a bare repository as git makes
// it: one section, only the keys of a new repository, and their values.
func plainConfig(text string) bool {
	head, rest, _ := strings.Cut(text, "\n")
	bare, version := false, false
	for line := range strings.Lines(rest) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " = ")
		ok := value == "true" || value == "false"
		switch key {
		case "repositoryformatversion":
			version, ok = true, value == "0"
		case "bare":
			bare, ok = true, value == "true"
		case "filemode", "ignorecase", "precomposeunicode", "symlinks":
		default:
			return false
		}
		if !ok {
			return false
		}
	}
	return head == "[core]" && bare && version
}
