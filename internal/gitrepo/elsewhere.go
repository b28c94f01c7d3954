package gitrepo

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

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
