// Package place finds where captures of a directory are kept, and which workspace its
// paths belong to. The rules, in order:
//
//  1. CAIRN_DIR, if set, is the directory itself. Records are folded into
//     the repository around the working directory only if the directory is
//     that repository's own.
//  2. In a git repository: <git common dir>/cairn, shared by linked worktrees.
//  3. In a repository that cannot be written to, or about which git cannot be
//     asked: a directory of the user's own store for captures of this repository,
//     $XDG_STATE_HOME/cairn/waiting/…, from which a question moves them back.
//  4. Outside a repository: the user's own store itself, a bare repository at
//     $XDG_STATE_HOME/cairn made on first use.
//  5. If that cannot be written to either, as in a sandbox: a directory for
//     temporary files, from which a question also moves them back.
//
// It asks git if the files leave doubt, and creates only the user's own store and
// directories where captures wait.
package place

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cairn/internal/gitrepo"
	"cairn/result"
)

// Env is the environment variables that matter here; cmd reads them, once.
type Env struct {
	Dir       string // CAIRN_DIR
	StateHome string // XDG_STATE_HOME
	Home      string
	Tmp       string
	Branch    string // the branch that CI builds, since CI checks out a commit without a branch
}

// branches are the variables in which CI hosts name the branch that they build: GitHub
// and similar ones, GitLab, Buildkite, CircleCI. The first that is set counts.
var branches = []string{"GITHUB_HEAD_REF", "GITHUB_REF_NAME", "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "CI_COMMIT_BRANCH", "BUILDKITE_BRANCH", "CIRCLE_BRANCH"}

// branchOf is the branch that CI builds; "" outside of CI, and if it builds a tag.
func branchOf(environ []string) string {
	named := make([]string, len(branches))
	for _, kv := range environ {
		key, value, _ := strings.Cut(kv, "=")
		if i := slices.Index(branches, key); i >= 0 && !(key == "GITHUB_REF_NAME" && slices.Contains(environ, "GITHUB_REF_TYPE=tag")) {
			named[i] = value
		}
	}
	return cmp.Or(named...)
}

// FromEnviron takes an Env from "KEY=value" strings.
func FromEnviron(environ []string) Env {
	var e Env
	for key, to := range map[string]*string{
		"CAIRN_DIR": &e.Dir, "XDG_STATE_HOME": &e.StateHome, "HOME": &e.Home, "TMPDIR": &e.Tmp,
	} {
		for _, kv := range environ {
			if v, ok := strings.CutPrefix(kv, key+"="); ok {
				*to = v
			}
		}
	}
	e.Branch = branchOf(environ)
	e.Tmp = cmp.Or(e.Tmp, os.TempDir())
	if e.Home == "" {
		e.Home, _ = os.UserHomeDir()
	}
	return e
}

// Place is where captures of one directory are kept.
type Place struct {
	Dir       string           // the cairn directory: objects/, manifest/, …
	Repo      *gitrepo.Repo    // the repository around the working directory; nil outside of one
	Home      *gitrepo.Repo    // the repository whose branch gets the records; nil if there is no such one
	Workspace result.Workspace // for normalising paths
	Rel       string           // the working directory below Workspace.Root, slash-separated; "." at the root
	Note      string           // what the user should know about this choice; usually ""
	ReadOnly  bool             // it can only be read: see FindToRead
	Also      []string         // cairn directories where captures of this place wait, which a question reads too

	whose   string      // the common directory of the repository, or a guess
	top     string      // its working tree
	reading bool        // it is for a question
	was     os.FileInfo // the repository's common directory when it was found
	held    *os.File    // the lock of a directory where captures wait, while the place is open
}

// Find returns the place for captures of dir, an absolute path.
func Find(ctx context.Context, dir string, env Env) (*Place, error) {
	return choose(ctx, dir, env, false)
}

// FindToRead returns the place to read for a question about dir: as Find, but the cairn
// directory of a repository is read even if it cannot be written to, as in the
// sandboxes of agents. The Note then says where captures went meanwhile.
func FindToRead(ctx context.Context, dir string, env Env) (*Place, error) {
	return choose(ctx, dir, env, true)
}

func choose(ctx context.Context, dir string, env Env, reading bool) (*Place, error) {
	repo, err := gitrepo.Discover(ctx, dir)
	if err != nil && ctx.Err() != nil {
		return nil, fmt.Errorf("asking git about %s: %w", dir, err)
	}
	p := &Place{Repo: repo, reading: reading}
	why := p.identify(dir, err)
	p.setWorkspace(dir, env)
	p.Note = why
	switch {
	case env.Dir != "":
		p.Dir = absolute(dir, env.Dir)
		if repo != nil && filepath.Base(p.Dir) == "cairn" && sameDir(filepath.Dir(p.Dir), repo.CommonDir) {
			p.Home = repo
		}
		return p, nil
	case p.whose == "":
		return p, p.own(ctx, env)
	case repo == nil:
		return p, p.wait(env, why)
	case usable(filepath.Join(repo.CommonDir, "cairn")):
		p.Dir, p.Home = filepath.Join(repo.CommonDir, "cairn"), repo
		p.was, _ = os.Stat(repo.CommonDir)
		return p, nil
	}
	why = repo.CommonDir + " cannot be written to"
	if dir := filepath.Join(repo.CommonDir, "cairn"); reading && readable(dir) {
		p.readOnly(env, dir, why)
		return p, nil
	}
	return p, p.wait(env, why)
}

// identify sets whose captures these are, and returns why git could not say it, if so.
func (p *Place) identify(dir string, err error) (why string) {
	if p.Repo != nil {
		p.whose = p.Repo.CommonDir
		return ""
	}
	switch {
	case errors.Is(err, gitrepo.ErrNotRepository):
		return ""
	case errors.Is(err, gitrepo.ErrNoGit):
		why = "git was not found, and without it the repository of this directory cannot be told"
	default:
		why = err.Error()
	}
	p.guess(dir)
	return why
}

// guess takes the repository that dir seems to be in; it is used only as a name.
func (p *Place) guess(dir string) {
	if common, top, ok := gitrepo.Guess(dir); ok {
		p.whose, p.top = common, top
	}
}

// WithoutGit is the place for a capture of dir if git does not answer; why goes into
// the Note.
func WithoutGit(dir string, env Env, why string) (*Place, error) {
	p := &Place{Note: why}
	p.guess(dir)
	p.setWorkspace(dir, env)
	own, ok := ownDir(env)
	switch {
	case env.Dir != "":
		p.Dir = absolute(dir, env.Dir)
		p.Note = fmt.Sprintf("%s; this capture is kept in %s, without the state of the repository", why, p.Dir)
		return p, nil
	case p.whose != "":
		return p, p.wait(env, why)
	case !ok:
		return nil, errNoHome
	}
	p.Dir = filepath.Join(own, "cairn")
	p.Note = fmt.Sprintf("%s; this capture is kept in your own store (%s)", why, p.Dir)
	return p, nil
}

// readOnly opens a place that can only be read, together with the captures that wait
// elsewhere for it.
func (p *Place) readOnly(env Env, dir, why string) {
	p.Dir, p.Home, p.ReadOnly = dir, p.Repo, true
	p.Also = p.waiting(env)
	p.Note = why + ": this is what it holds"
	if len(p.Also) > 0 {
		p.Note += ", with the captures that wait in " + strings.Join(p.Also, " and ")
	}
}

// Workspace returns only the workspace of dir, and nothing is kept. A directory that
// does not exist, or is outside a repository, is its own root.
func Workspace(ctx context.Context, dir string, env Env) result.Workspace {
	p := &Place{}
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		p.Repo, _ = gitrepo.Discover(ctx, dir)
	}
	p.setWorkspace(dir, env)
	return p.Workspace
}

var errNoHome = errors.New("there is no git repository here and no home directory to keep captures in: set CAIRN_DIR or HOME")

// own uses the user's own store.
func (p *Place) own(ctx context.Context, env Env) error {
	dir, ok := ownDir(env)
	if !ok {
		return errNoHome
	}
	p.Dir = filepath.Join(dir, "cairn")
	if p.Note != "" {
		p.Note += "; captures go to your own store"
	}
	home, err := gitrepo.InitBare(ctx, dir)
	if errors.Is(err, gitrepo.ErrNoGit) {
		return nil // the shards are kept even without a branch
	}
	if err != nil {
		return p.waitOutside(env, fmt.Errorf("making your own store at %s: %w", dir, err))
	}
	if !usable(p.Dir) {
		return p.waitOutside(env, fmt.Errorf("your own store at %s cannot be written to", dir))
	}
	p.Home = home
	return nil
}

// ownDir is the directory of the user's own store; ok is false if there is no home for it.
func ownDir(env Env) (dir string, ok bool) {
	state := env.StateHome
	if !filepath.IsAbs(state) { // the XDG Base Directory Specification says to ignore relative paths
		if env.Home == "" {
			return "", false
		}
		state = filepath.Join(env.Home, ".local", "state")
	}
	return filepath.Join(state, "cairn"), true
}

// setWorkspace sets the workspace: the working tree's root, or dir itself outside of one.
func (p *Place) setWorkspace(dir string, env Env) {
	w := result.Workspace{Root: dir, Dir: dir, Home: env.Home, Tmp: env.Tmp}
	if p.Repo != nil {
		p.top = p.Repo.TopLevel
	}
	w.Root = cmp.Or(p.top, w.Root)
	if real, err := filepath.EvalSymlinks(dir); err == nil && real != dir {
		w.Aliases = append(w.Aliases, real)
		if below(w.Root, real) && !below(w.Root, dir) {
			w.Dir = real
		}
	}
	p.Workspace = w
	p.Rel = relative(w.Root, w.Dir)
}

func below(root, dir string) bool {
	rel, err := filepath.Rel(root, dir)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// relative is dir relative to root; "." for the root and for directories outside of it.
func relative(root, dir string) string {
	if !below(root, dir) {
		return "."
	}
	rel, _ := filepath.Rel(root, dir)
	return filepath.ToSlash(rel)
}

func absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// Check returns an error if the repository was removed or moved since the place was
// found. Writing would then make a directory that is no repository.
func (p *Place) Check() error {
	if p.was == nil {
		return nil
	}
	now, err := os.Stat(p.Repo.CommonDir)
	if err == nil && os.SameFile(p.was, now) {
		return nil
	}
	return fmt.Errorf("the repository %s was removed or moved meanwhile; if it was moved, the next cairn recall there records what was read", p.Repo.CommonDir)
}

// sameDir says whether two paths are one directory, possibly through links.
func sameDir(a, b string) bool {
	if a == b {
		return true
	}
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// readable says whether there is a directory whose files this user can list. It may be
// another user's, if commands were run as root before.
func readable(dir string) bool {
	f, err := os.Open(dir)
	if err != nil {
		return false
	}
	defer f.Close()
	_, err = f.Readdirnames(1)
	return err == nil || err == io.EOF
}

// usable says whether the directory can be written to, or made.
func usable(dir string) bool {
	if info, err := os.Stat(dir); err == nil {
		return info.IsDir() && writable(dir)
	}
	return writable(filepath.Dir(dir))
}
