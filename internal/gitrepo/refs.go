package gitrepo

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
)

// Refs are read from their files, which takes microseconds where a process takes a
// millisecond. That is safe because git replaces these files by rename, and because no
// decision relies on it: a branch moves by compare-and-swap. If a file is not of a
// known form (reftable, a broken or symbolic ref), git is asked.

// errAskGit says that the files give no answer.
var errAskGit = errors.New("ask git")

// readRef returns the commit of a full ref name, "" if the ref does not exist.
func (r *Repo) readRef(ctx context.Context, ref string) (string, error) {
	oid, err := r.refFile(ref)
	if err == nil {
		return oid, nil
	}
	refs, err := r.askRefs(ctx, ref)
	if err != nil || refs[ref] != "" || r.reftable() {
		return refs[ref], err
	}
	// Git ignores a broken ref. Here that would look like a branch that does not exist,
	// unless the branch was deleted just now.
	if oid, err = r.refFile(ref); err != nil {
		return "", &Error{Op: "read " + ref, Kind: ErrRefused, Err: errors.New("the ref is broken; to have it made again: git update-ref -d " + ref)}
	}
	return oid, nil
}

// refFile reads ref from the files of the files backend.
func (r *Repo) refFile(ref string) (string, error) {
	if r.reftable() {
		return "", errAskGit
	}
	data, err := os.ReadFile(filepath.Join(r.CommonDir, filepath.FromSlash(ref)))
	if err == nil {
		if oid := strings.TrimRight(string(data), " \t\r\n"); r.isOID(oid) {
			return oid, nil
		}
		return "", errAskGit
	}
	// No such file, or a directory of other refs: the ref may be packed.
	if st, serr := os.Stat(filepath.Join(r.CommonDir, filepath.FromSlash(ref))); serr == nil && !st.IsDir() {
		return "", errAskGit
	}
	packed, err := r.packedRefs()
	if err != nil {
		return "", err
	}
	return r.findPacked(packed, ref), nil
}

// reftable says whether the repository has that backend, whose files look like refs but are not.
func (r *Repo) reftable() bool {
	_, err := os.Stat(filepath.Join(r.CommonDir, "reftable"))
	return err == nil
}

func (r *Repo) packedRefs() ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(r.CommonDir, "packed-refs"))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, errAskGit
	}
	return data, nil
}

// findPacked finds the line "<oid> <ref>" in a packed-refs file.
func (r *Repo) findPacked(packed []byte, ref string) string {
	n := r.hexLen()
	for rest, want := packed, []byte(" "+ref+"\n"); ; {
		i := bytes.Index(rest, want)
		if i < 0 {
			return ""
		}
		if i >= n && (i == n || rest[i-n-1] == '\n') {
			if oid := string(rest[i-n : i]); r.isOID(oid) {
				return oid
			}
		}
		rest = rest[i+1:]
	}
}

// askRefs asks git for the refs that match patterns. Git leaves out broken refs (with a
// warning); a symbolic ref is an error, since moving it would move another branch.
func (r *Repo) askRefs(ctx context.Context, patterns ...string) (map[string]string, error) {
	args := append([]string{"for-each-ref", "--format=%(refname) %(objectname) %(symref)"}, patterns...)
	out, err := r.storeGit().run(ctx, "read "+strings.Join(patterns, " "), nil, args...)
	if err != nil {
		return nil, err
	}
	refs := map[string]string{}
	for line := range strings.Lines(string(out)) {
		ref, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		oid, symref, _ := strings.Cut(rest, " ")
		if symref != "" && slices.Contains(patterns, ref) {
			return nil, &Error{Op: "read " + ref, Kind: ErrRefused, Err: errors.New("it is a symbolic ref to " + symref)}
		}
		refs[ref] = oid
	}
	return refs, nil
}

// remoteRefs returns refs/remotes/*/<short>.
func (r *Repo) remoteRefs(ctx context.Context, short string) (map[string]string, error) {
	refs, err := r.remoteRefFiles(short)
	if err != nil {
		return r.askRefs(ctx, "refs/remotes/*/"+short)
	}
	return refs, nil
}

func (r *Repo) remoteRefFiles(short string) (map[string]string, error) {
	names, err := r.remoteNames(short)
	if err != nil {
		return nil, err
	}
	refs := map[string]string{}
	for _, name := range names {
		ref := "refs/remotes/" + name + "/" + short
		oid, err := r.refFile(ref)
		if err != nil {
			return nil, err
		}
		if oid != "" {
			refs[ref] = oid
		}
	}
	return refs, nil
}

// remoteNames are the names of remotes that may have the branch: directories of
// refs/remotes, and names in packed-refs.
func (r *Repo) remoteNames(short string) ([]string, error) {
	var names []string
	dirs, err := os.ReadDir(filepath.Join(r.CommonDir, "refs", "remotes"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, errAskGit
	}
	for _, d := range dirs {
		names = append(names, d.Name())
	}
	packed, err := r.packedRefs()
	if err != nil {
		return nil, err
	}
	for rest := packed; ; {
		i := bytes.Index(rest, []byte("/"+short+"\n"))
		if i < 0 {
			break
		}
		line := rest[bytes.LastIndexByte(rest[:i], '\n')+1 : i]
		_, ref, _ := strings.Cut(string(line), " ")
		if name, ok := strings.CutPrefix(ref, "refs/remotes/"); ok && !strings.Contains(name, "/") && !slices.Contains(names, name) {
			names = append(names, name)
		}
		rest = rest[i+1:]
	}
	sort.Strings(names)
	return names, nil
}

// checkedOutAt returns where ref is checked out, "" if nowhere. A branch that is being
// rebased counts: git checks it out again at the end.
func (r *Repo) checkedOutAt(ctx context.Context, ref string) (string, error) {
	if r.reftable() {
		return r.askCheckedOut(ctx, ref)
	}
	if headIs(r.CommonDir, ref) {
		// A bare repository has a HEAD too, but nothing checked out. Inside a linked
		// worktree only git knows which.
		if r.GitDir == r.CommonDir {
			if !r.Bare {
				return r.CommonDir, nil
			}
		} else if at, err := r.askCheckedOut(ctx, ref); at != "" || err != nil {
			return at, err
		}
	}
	linked, err := os.ReadDir(filepath.Join(r.CommonDir, "worktrees"))
	if err != nil && !os.IsNotExist(err) {
		return r.askCheckedOut(ctx, ref)
	}
	for _, d := range linked {
		if dir := filepath.Join(r.CommonDir, "worktrees", d.Name()); headIs(dir, ref) {
			return dir, nil
		}
	}
	return "", nil
}

// headIs says whether HEAD or a rebase in one git directory uses ref.
func headIs(dir, ref string) bool {
	if target, err := os.Readlink(filepath.Join(dir, "HEAD")); err == nil {
		return filepath.ToSlash(target) == ref // core.preferSymlinkRefs
	}
	for _, f := range []struct{ name, prefix string }{
		{"HEAD", "ref:"}, {"rebase-merge/head-name", ""}, {"rebase-apply/head-name", ""},
	} {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(f.name)))
		if err != nil {
			continue
		}
		if rest, ok := strings.CutPrefix(string(data), f.prefix); ok && strings.TrimSpace(rest) == ref {
			return true
		}
	}
	return false
}

// askCheckedOut reads `git worktree list`.
func (r *Repo) askCheckedOut(ctx context.Context, ref string) (string, error) {
	out, err := r.storeGit().run(ctx, "list the working trees", nil, "worktree", "list", "--porcelain")
	if err != nil {
		return "", err
	}
	at := ""
	for line := range strings.Lines(string(out)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch {
		case key == "worktree":
			at = value
		case key == "branch" && value == ref:
			return at, nil
		}
	}
	return "", nil
}

// ErrRaced says that another push came first. Fetch, merge and push again.
var ErrRaced = errors.New("the remote branch has moved meanwhile")

// RemoteNames lists the remotes that are configured.
func (r *Repo) RemoteNames(ctx context.Context) ([]string, error) {
	out, err := r.storeGit().run(ctx, "list the remotes", nil, "remote")
	return lines(string(out)), err
}

// FetchBranch fetches a branch of a remote to refs/remotes/<remote>/<branch>. found is
// false if the remote does not have it. progress, if not nil, gets git's messages
// meanwhile.
func (r *Repo) FetchBranch(ctx context.Context, remote, branch string, progress io.Writer) (found bool, err error) {
	return r.fetchBranch(ctx, remote, branch, progress)
}

// FetchTip is FetchBranch, but if nothing of the branch is here yet it fetches only the last
// commit, for a clone that lasts as long as a CI job. Git may not ask for a password.
func (r *Repo) FetchTip(ctx context.Context, remote, branch string) (found bool, err error) {
	if _, err := r.CommitOf(ctx, "refs/remotes/"+remote+"/"+branch); err == nil {
		return r.fetchBranch(ctx, remote, branch, nil)
	}
	return r.fetchBranch(ctx, remote, branch, nil, "--depth=1")
}

func (r *Repo) fetchBranch(ctx context.Context, remote, branch string, progress io.Writer, options ...string) (found bool, err error) {
	ref := "+refs/heads/" + branch + ":refs/remotes/" + remote + "/" + branch
	_, err = r.transfer(ctx, "fetch "+branch+" from "+remote, progress, slices.Concat([]string{"fetch", "--no-tags", "--no-auto-maintenance", "--no-recurse-submodules"}, options, []string{remote, ref})...)
	if e := (*Error)(nil); errors.As(err, &e) && strings.Contains(e.Stderr, "couldn't find remote ref") {
		return false, nil
	}
	return err == nil, err
}

// PushBranch sends a branch to a remote, where it may only move forward, otherwise it
// returns ErrRaced. The user's hooks are for the user's work and do not run.
func (r *Repo) PushBranch(ctx context.Context, remote, branch string, progress io.Writer) error {
	ref := "refs/heads/" + branch + ":refs/heads/" + branch
	_, err := r.transfer(ctx, "push "+branch+" to "+remote, progress, "push", "--no-verify", "--no-follow-tags", "--recurse-submodules=no", remote, ref)
	return said(err, ErrRaced, "fetch first", "non-fast-forward", "cannot lock ref", "stale info", "incorrect old value", "failed to update ref")
}

// said sets the kind of an error if git's message has one of these words.
func said(err, kind error, words ...string) error {
	e := (*Error)(nil)
	if errors.As(err, &e) && slices.ContainsFunc(words, func(word string) bool { return strings.Contains(e.Stderr, word) }) {
		e.Kind = kind
	}
	return err
}

// transfer runs a git command that talks to another repository: it may ask for a
// password if progress is set. A relative path of a remote counts from the root of the
// working tree, as it does for git.
func (r *Repo) transfer(ctx context.Context, op string, progress io.Writer, args ...string) (string, error) {
	g := r.storeGit()
	g.ours, g.dir = true, cmp.Or(r.TopLevel, r.CommonDir)
	if progress != nil {
		g.env = append(g.env, "GIT_TERMINAL_PROMPT=1")
	}
	if progress != nil && progress != io.Discard {
		args = append([]string{args[0], "--progress"}, args[1:]...)
	}
	cmd := g.command(ctx, args...)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	if progress != nil {
		cmd.Stderr = io.MultiWriter(&errs, progress)
	}
	if err := cmd.Run(); err != nil {
		return "", failure(ctx, op, errs.String(), err)
	}
	return out.String(), nil
}

// Range lists the commits of a range in git's syntax: A..B, A...B, A.. or ..B.
func (r *Repo) Range(ctx context.Context, span string) ([]string, error) {
	if strings.HasPrefix(span, "-") {
		return nil, fmt.Errorf("%q is not a range of commits", span)
	}
	out, err := r.treeOrStore().run(ctx, "list the commits of "+span, nil, "rev-list", "--end-of-options", span, "--")
	if err != nil {
		return nil, fmt.Errorf("git knows no range of commits %q", span)
	}
	return strings.Fields(string(out)), nil
}

// TreeNamed is the tree of a commit, a tag, a branch, or a tree with this name.
func (r *Repo) TreeNamed(ctx context.Context, name string) (string, error) {
	out, err := r.treeOrStore().run(ctx, "find the tree of "+name, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{tree}")
	if err != nil || strings.HasPrefix(name, "-") {
		return "", fmt.Errorf("git knows no tree %q", name)
	}
	return strings.TrimSpace(string(out)), nil
}

// CommitsOf lists the commits of all refs whose tree is in trees, which are hashes or
// beginnings of hashes.
func (r *Repo) CommitsOf(ctx context.Context, trees []string) (commits []string, err error) {
	out, err := r.treeOrStore().run(ctx, "list the trees of all commits", nil, "log", "--all", "--no-show-signature", "--format=%T %H", "HEAD", "--")
	if err != nil { // HEAD has no commit yet
		out, err = r.storeGit().run(ctx, "list the trees of all commits", nil, "log", "--all", "--no-show-signature", "--format=%T %H", "--")
	}
	for _, line := range lines(string(out)) {
		tree, commit, _ := strings.Cut(line, " ")
		for _, t := range trees {
			if strings.HasPrefix(tree, t) {
				commits = append(commits, commit)
			}
		}
	}
	return commits, err
}

// MergeBase is the newest common ancestor of two commits; "" if they have none in common.
func (r *Repo) MergeBase(ctx context.Context, a, b string) (string, error) {
	op := "find what " + a + " and " + b + " were made from"
	for _, oid := range []string{a, b} {
		if err := r.checkOID(op, oid); err != nil {
			return "", err
		}
	}
	out, err := r.storeGit().run(ctx, op, nil, "merge-base", a, b)
	if err != nil && exitCode(err) == 1 {
		return "", nil
	}
	return strings.TrimSpace(string(out)), err
}
