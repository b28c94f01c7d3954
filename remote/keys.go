package remote

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"filippo.io/age"
	"filippo.io/age/agessh"
	"golang.org/x/sync/errgroup"

	"cairn/objects"
)

// RecipientsFile is the file of a project, below its root, with public keys for all of its clones: one per line, "#"
// begins a comment. It is reviewed like code.
const RecipientsFile = ".cairn/recipients"

// ParseRecipient reads a public key: "age1…", or a line of SSH's authorized_keys.
func ParseRecipient(s string) (age.Recipient, error) {
	s = strings.TrimSpace(s)
	switch {
	case strings.HasPrefix(s, "ssh-"):
		r, err := agessh.ParseRecipient(s)
		if err != nil {
			return nil, fmt.Errorf("recipient %.40q: %w; give an ed25519 or RSA key", s, err)
		}
		return r, nil
	case strings.HasPrefix(s, "age1"):
		list, err := age.ParseRecipients(strings.NewReader(s))
		if err != nil {
			return nil, fmt.Errorf("recipient %.40q: %w", s, err)
		}
		return list[0], nil
	}
	return nil, fmt.Errorf("recipient %.40q: give a public key that begins with age1, ssh-ed25519 or ssh-rsa", s)
}

// ProjectRecipients reads RecipientsFile; if it does not exist, there are no lines.
func ProjectRecipients(root string) (lines []string, err error) {
	f, err := os.Open(filepath.Join(root, filepath.FromSlash(RecipientsFile)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		if line := strings.TrimSpace(in.Text()); line != "" && line[0] != '#' {
			lines = append(lines, line)
		}
	}
	return lines, nil
}

// OwnRecipient returns this user's public key: an SSH key if there is one, else a key that is created in file; made says
// that it was created now.
func OwnRecipient(home, file string) (line string, made bool, err error) {
	for _, name := range sshKeys {
		text, err := os.ReadFile(filepath.Join(home, ".ssh", name+".pub"))
		if err != nil {
			continue
		}
		line := strings.TrimSpace(string(text))
		if _, err := ParseRecipient(line); err == nil {
			return line, false, nil
		}
	}
	if f, err := os.Open(file); err == nil {
		defer f.Close()
		return recipientIn(f, file)
	}
	id, err := age.GenerateX25519Identity()
	if err != nil {
		return "", false, err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return "", false, err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", false, err
	}
	_, err = fmt.Fprintf(f, "# public key: %s\n%s\n", id.Recipient(), id)
	return id.Recipient().String(), true, errors.Join(err, f.Sync(), f.Close())
}

func recipientIn(f *os.File, name string) (string, bool, error) {
	list, err := age.ParseIdentities(f)
	if err == nil {
		for _, id := range list {
			if own, ok := id.(*age.X25519Identity); ok {
				return own.Recipient().String(), false, nil
			}
		}
		err = errors.New("there is no X25519 key in it")
	}
	return "", false, fmt.Errorf("%s: %w", name, err)
}

// sshKeys are the SSH keys that age can use, the best first.
var sshKeys = []string{"id_ed25519", "id_rsa"}

// LoadIdentities reads this user's secret keys: those in files, or else those in the usual places. SSH keys with a
// passphrase are skipped.
func LoadIdentities(files []string, home, own string) ([]age.Identity, error) {
	must := len(files) > 0
	if !must {
		for _, name := range sshKeys {
			files = append(files, filepath.Join(home, ".ssh", name))
		}
		files = append(files, own)
	}
	var all []age.Identity
	var locked []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) && !must {
			continue
		}
		if err != nil {
			return nil, err
		}
		list, err := parseIdentity(text)
		switch {
		case err == nil:
			all = append(all, list...)
		case must:
			return nil, fmt.Errorf("%s: %w", file, err)
		default:
			locked = append(locked, file)
		}
	}
	if len(all) == 0 {
		why := "there is no key of SSH without a passphrase, and no " + own
		if len(locked) > 0 {
			why = strings.Join(locked, ", ") + " cannot be read without a passphrase"
		}
		return nil, fmt.Errorf("it is encrypted, and %s: name a file with your key: git config --add cairn.identity FILE", why)
	}
	return all, nil
}

func parseIdentity(text []byte) ([]age.Identity, error) {
	if strings.Contains(string(text), "AGE-SECRET-KEY-") {
		return age.ParseIdentities(strings.NewReader(string(text)))
	}
	id, err := agessh.ParseIdentity(text)
	if err != nil {
		return nil, err
	}
	return []age.Identity{id}, nil
}

// MostCommits bounds the commits for which a push marks bodies: each commit takes at least two requests, and a first
// push may have objects of thousands of commits.
const MostCommits = 16

// Commit is a commit, and the objects that its runs named.
type Commit struct {
	Name string
	IDs  []objects.ID
}

// refer marks the bodies of commits, if an object of the commit was sent or the commit has no marks yet.
func (r *Remote) refer(ctx context.Context, have *contents, packed [][]member, large []member) error {
	b, can := r.Backend.(Referrer)
	if !can {
		return nil
	}
	sent := map[objects.ID]bool{}
	add := func(m member, pack, key string) {
		sent[m.id] = true
		have.objects[m.id] = held{pack, m.size}
		have.bodies[key+end(r.Recipients)] = Entry{}
	}
	for _, members := range packed {
		name := nameOf(indexOf(members))
		for _, m := range members {
			add(m, name, packPrefix+name+packEnd)
		}
	}
	for _, m := range large {
		add(m, "", objectKey(m.id.Hex()))
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(r.parallel())
	for _, c := range r.Commits[:min(len(r.Commits), MostCommits)] {
		var keys []string
		for _, id := range c.IDs {
			if key := have.bodyOf(id); key != "" {
				keys = append(keys, key)
			}
		}
		slices.Sort(keys)
		_, said := have.bodies[CommitKey(c.Name)]
		if keys = slices.Compact(keys); len(keys) > 0 && (!said || slices.ContainsFunc(c.IDs, func(id objects.ID) bool { return sent[id] })) {
			g.Go(func() error { return r.about("which bodies belong to commit "+c.Name, b.Refer(ctx, c.Name, keys)) })
		}
	}
	return g.Wait()
}

// forget removes the marks of bodies that will be removed, and returns the commits that have no marks left.
func (r *Remote) forget(ctx context.Context, have *contents, plan []Removal, dryRun bool) (gone []Removal, err error) {
	b, can := r.Backend.(Referrer)
	if !can || len(plan) == 0 {
		return nil, nil
	}
	goes := map[string]bool{}
	for _, p := range plan {
		goes[p.Key] = true
	}
	isGone := func(key string) bool { _, there := have.bodies[key]; return !there || goes[key] }
	for key := range have.bodies {
		commit, is := strings.CutPrefix(key, commitPrefix)
		if !is {
			continue
		}
		all, err := b.Forget(ctx, commit, isGone, dryRun)
		if err != nil {
			return gone, r.about("which bodies belong to commit "+commit, err)
		}
		if all {
			gone = append(gone, Removal{Key: key, Size: -1})
		}
	}
	slices.SortFunc(gone, func(a, b Removal) int { return strings.Compare(a.Key, b.Key) })
	return gone, nil
}
