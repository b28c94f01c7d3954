package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
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

// Elsewhere is a ref of another repository whose commits have no parents, so that the other
// repository may forget the objects of older ones. No ref of this repository follows it: its
// objects are copied here, and "git gc" removes them some weeks after their last use.
type Elsewhere struct {
	Repo   *Repo
	Remote string // the name of a remote, or an address
	Ref    string
	Ask    bool // git may ask the terminal for a password
}

// ErrBusy says that the other repository's server is busy, or cut the connection. A later try may succeed.
var ErrBusy = errors.New("the server is busy, or the connection was cut")

// Tip is the commit that the ref names now, "" if the ref does not exist. Afterwards the commit's files are here. seen
// is an earlier answer, or "".
func (e Elsewhere) Tip(ctx context.Context, seen string) (string, error) {
	out, err := e.transfer(ctx, "read", "ls-remote", e.Remote, e.Ref)
	tip := ""
	for line := range strings.Lines(out) {
		if oid, ref, _ := strings.Cut(strings.TrimSpace(line), "\t"); ref == e.Ref && e.Repo.isOID(oid) {
			tip = oid
		}
	}
	if err != nil || tip == "" || tip == seen {
		return tip, err
	}
	fetch := []string{"fetch", "--no-tags", "--no-auto-maintenance", "--no-recurse-submodules", "--no-write-fetch-head", "--no-filter"}
	if seen != "" { // most files are the same as in seen, and need not be sent
		if _, err = e.transfer(ctx, "fetch", slices.Concat(fetch, []string{"--negotiation-tip=" + seen, e.Remote, tip})...); err == nil {
			return tip, nil
		}
	}
	_, err = e.transfer(ctx, "fetch", slices.Concat(fetch, []string{e.Remote, tip})...)
	return tip, err
}

// Replace makes changes to the files of the commit old ("" has none) and sets the ref to a commit of the
// result, if the ref still names old, otherwise it returns ErrRaced. If nothing changes, nothing is pushed.
func (e Elsewhere) Replace(ctx context.Context, old string, changes []Change, subject string, when time.Time) (string, error) {
	list, err := edits(changes)
	if err != nil {
		return "", err
	}
	db, err := e.Repo.objects(ctx)
	if err != nil {
		return "", err
	}
	defer db.close()
	was, err := e.Repo.treeOf(ctx, db, old)
	if err != nil {
		return "", err
	}
	tree, err := (&editor{db, e.Repo.hexLen() / 2}).apply(ctx, was, list)
	if err != nil || tree == was {
		return old, err
	}
	next, err := e.Repo.writeCommit(ctx, db, commit{tree: tree, subject: subject, when: when})
	if err != nil {
		return "", err
	}
	_, err = e.transfer(ctx, "move", "push", "--no-verify", "--no-follow-tags", "--recurse-submodules=no", "--force-with-lease="+e.Ref+":"+old, e.Remote, next+":"+e.Ref)
	return next, said(err, ErrRaced, "stale info", "fetch first", "non-fast-forward", "cannot lock ref", "incorrect old value", "failed to update ref", "reference already exists")
}

func (e Elsewhere) transfer(ctx context.Context, verb string, args ...string) (string, error) {
	out, err := e.Repo.transfer(ctx, verb+" "+e.Ref+" of "+e.Remote, e.asking(), args...)
	if err != nil && strings.Contains(err.Error(), "returned error: 40") { // refused, though git then also says that the other end hung up
		return out, err
	}
	return out, said(err, ErrBusy, "error: 429", "error: 500", "error: 502", "error: 503", "error: 504", "Empty reply from server", "hung up", "early EOF",
		"unexpected disconnect", "Recv failure", "Send failure", "Connection reset", "transfer closed")
}

// asking is where git's progress goes if git may ask for a password. The progress is not shown.
func (e Elsewhere) asking() io.Writer {
	if e.Ask {
		return io.Discard
	}
	return nil
}

// Credential lets git's helpers fill, approve or reject a credential, in the form of "git help credential". If ask is
// set, git may ask the terminal.
func (r *Repo) Credential(ctx context.Context, verb, description string, ask bool) (string, error) {
	g := r.storeGit()
	if g.ours = ask; ask {
		g.env = append(g.env, "GIT_TERMINAL_PROMPT=1")
	}
	out, err := g.run(ctx, verb+" a credential", []byte(description), "credential", verb)
	return string(out), err
}

// RemoteURL is the address of a remote, for reading or for pushing, as git uses it.
func (r *Repo) RemoteURL(ctx context.Context, remote string, push bool) (string, error) {
	args := []string{"remote", "get-url", remote}
	if push {
		args = []string{"remote", "get-url", "--push", remote}
	}
	out, err := r.storeGit().run(ctx, "find out where the remote "+remote+" is", nil, args...)
	return strings.TrimSpace(string(out)), err
}

// ConfigFor is the value of a key for requests to an address, since http.extraHeader may have one for each host; "" if
// it is not set.
func (r *Repo) ConfigFor(ctx context.Context, key, address string) (string, error) {
	out, err := r.storeGit().run(ctx, "read the git configuration", nil, "config", "--get-urlmatch", key, address)
	if exitCode(err) == 1 {
		return "", nil // the key is not set
	}
	return strings.TrimSpace(string(out)), err
}

// ConfigOrFile is Config, or else the key's value in a file of the working tree that has the form of git's
// configuration.
func (r *Repo) ConfigOrFile(ctx context.Context, key, file string) (string, error) {
	value, err := r.Config(ctx, key)
	if err != nil || value != "" || r.TopLevel == "" {
		return value, err
	}
	out, err := r.storeGit().run(ctx, "read "+file, nil, "config", "--file", filepath.Join(r.TopLevel, file), "--get", key)
	if exitCode(err) == 1 {
		return "", nil // the file does not exist or does not have the key
	}
	return strings.TrimSpace(string(out)), err
}
