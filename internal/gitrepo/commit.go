package gitrepo

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
)

const (
	// maxRaces bounds how often a commit is repeated because another process moved the
	// branch first. One of the racers always wins, so this many losses in a row mean
	// that something else is wrong.
	maxRaces = 500
	// maxLocked bounds how often a taken lock is tried; git itself waits 100 ms for it
	// each time.
	maxLocked = 3
	// maxPause is the longest pause between two races.
	maxPause = 20 * time.Millisecond
)

// Commit makes changes to the files at the tip, commits them and moves the branch by
// compare-and-swap. If another process moved it first, all is repeated on the new tip,
// so that no commit is lost. It returns the new commit; or the tip, if nothing changed
// ("" without a branch). when is the date of author and committer; the rest of their
// identity is the user's.
//
// Errors: ErrCheckedOut; ErrRefused if git, a hook, a lock or a permission prevents it;
// ErrBadPath; ErrMissing if the tip is damaged; that of ctx. After an error the branch
// may have moved only if git was ended in the middle (ctx).
func (b *Branch) Commit(ctx context.Context, changes []Change, subject, body string, when time.Time) (string, error) {
	list, err := edits(changes)
	if err != nil {
		return "", err
	}
	return b.advance(ctx, func(db objectStore, tip string) (string, error) {
		old, err := b.repo.treeOf(ctx, db, tip)
		if err != nil || len(list) == 0 {
			return tip, err
		}
		ed := &editor{db, b.repo.hexLen() / 2}
		tree, err := ed.apply(ctx, old, list)
		if err != nil || tree == old {
			return tip, err
		}
		return b.repo.writeCommit(ctx, db, commit{tree: tree, parents: parents(tip), subject: subject, body: body, when: when})
	})
}

func parents(tip string) []string {
	if tip == "" {
		return nil
	}
	return []string{tip}
}

// MergeTips merges commits into the branch: the result has every file of the tip and of
// tips; a file that differs is joined by merge (a pure function of its versions, the
// branch's own first; nil drops the file). Its parents are the tip and those of tips
// that are not its ancestors. If one of all those commits contains the others, the
// branch just moves there, or stays. Errors as in Commit.
func (b *Branch) MergeTips(ctx context.Context, tips []string, merge func(path string, versions [][]byte) []byte, subject string, when time.Time) (string, error) {
	if err := b.valid(); err != nil {
		return "", err
	}
	for _, oid := range tips {
		if err := b.repo.checkOID("merge into "+b.ref, oid); err != nil {
			return "", err
		}
	}
	return b.advance(ctx, func(db objectStore, tip string) (string, error) {
		heads, err := b.repo.independent(ctx, distinct(append(parents(tip), tips...)))
		if err != nil || len(heads) == 0 {
			return tip, err
		}
		if len(heads) == 1 {
			return heads[0], nil
		}
		var trees []string
		for _, oid := range heads {
			tree, err := b.repo.treeOf(ctx, db, oid)
			if err != nil {
				return "", err
			}
			trees = append(trees, tree)
		}
		ed := &editor{db, b.repo.hexLen() / 2}
		tree, err := ed.union(ctx, "", trees, merge)
		if err != nil {
			return "", err
		}
		return b.repo.writeCommit(ctx, db, commit{tree: tree, parents: heads, subject: subject, when: when})
	})
}

// independent leaves out the commits that are ancestors of others in the list.
func (r *Repo) independent(ctx context.Context, oids []string) ([]string, error) {
	if len(oids) < 2 {
		return oids, nil
	}
	out, err := r.storeGit().run(ctx, "compare the tips", nil, append([]string{"merge-base", "--independent"}, oids...)...)
	if err != nil {
		return nil, err
	}
	var heads []string
	for _, oid := range oids { // in the order given, the branch's own first
		if strings.Contains(string(out), oid) {
			heads = append(heads, oid)
		}
	}
	return heads, nil
}

func (r *Repo) writeCommit(ctx context.Context, db objectStore, c commit) (string, error) {
	var err error
	if c.author, c.committer, err = r.people(ctx); err != nil {
		return "", err
	}
	if c.tree == "" {
		if c.tree, err = db.write(ctx, plumbing.TreeObject, nil); err != nil {
			return "", err
		}
	}
	return db.write(ctx, plumbing.CommitObject, c.encode())
}

// advance moves the branch to the commit that build makes for the tip. If someone else
// moved the branch meanwhile, it builds again for the new tip.
func (b *Branch) advance(ctx context.Context, build func(db objectStore, tip string) (string, error)) (string, error) {
	if err := b.valid(); err != nil {
		return "", err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	db, err := b.repo.objects(ctx)
	if err != nil {
		return "", err
	}
	defer db.close()
	for races, locked := 0, 0; ; {
		if err := b.checkNotOut(ctx); err != nil {
			return "", err
		}
		tip, err := b.Tip(ctx)
		if err != nil {
			return "", err
		}
		next, err := build(db, tip)
		if err != nil || next == tip {
			return next, err
		}
		err = b.move(ctx, next, tip)
		if err == nil {
			return next, db.restore(ctx)
		}
		switch now, terr := b.Tip(ctx); {
		case ctx.Err() != nil:
			return "", &Error{Op: "move " + b.ref, Err: context.Cause(ctx)}
		case terr == nil && now == next: // moved, though git was ended before it could say so
			return next, db.restore(ctx)
		case (terr != nil || now != tip || isRace(err)) && races < maxRaces:
			races++ // a tip that could not be read shows again above
		case isLocked(err) && locked < maxLocked-1:
			locked++
		default:
			return "", refused(err)
		}
		pause(ctx, races)
	}
}

// move sets the branch from tip to next: in its files if nothing else decides about the
// move, otherwise through git, whose message then says what prevents it.
func (b *Branch) move(ctx context.Context, next, tip string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if b.repo.movesByFiles(ctx, b.ref) {
		err := b.repo.moveFile(ctx, b.ref, next, tip)
		switch {
		case err == nil:
			return nil
		case !errors.Is(err, errAskGit):
			return &Error{Op: "move " + b.ref, Err: err}
		}
	}
	tip = cmp.Or(tip, b.repo.zeroOID())
	m, err := startMover(context.WithoutCancel(ctx), b.repo.storeGit())
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { terminate(m.cmd.Process) })
	defer stop()
	if err = m.move(b.ref, next, tip); err == nil {
		return m.close()
	}
	return err
}

// isRace says whether the error means that the ref was not where it was expected. Git
// says that only in words.
func isRace(err error) bool {
	var e *Error
	return errors.Is(err, errLost) || errors.As(err, &e) && (strings.Contains(e.Stderr, "but expected") || strings.Contains(e.Stderr, "reference already exists"))
}

// isLocked says whether another process holds a lock file.
func isLocked(err error) bool {
	var e *Error
	return errors.Is(err, errLocked) || errors.As(err, &e) && strings.Contains(e.Stderr, ".lock': File exists")
}

// pause lets racers get out of step: the more races were lost, the longer and more
// random it is.
func pause(ctx context.Context, races int) {
	if races == 0 {
		return
	}
	most := min(time.Duration(races)*time.Millisecond, maxPause)
	select {
	case <-ctx.Done():
	case <-time.After(rand.N(most)):
	}
}

// Trees and commits are encoded here rather than by go-git's object package: that
// package knows sha1 only, and linking it adds 1.0 ms to every start of the program
// (OpenPGP, gob). The tests compare it with this codec.

// entry is an entry of a tree. Modes other than those of files and directories are kept
// unchanged.
type entry struct {
	name string
	mode filemode.FileMode
	oid  string
}

func (e entry) isDir() bool { return e.mode == filemode.Dir }
func (e entry) isFile() bool {
	return e.mode.IsRegular() || e.mode == filemode.Executable || e.mode == filemode.Deprecated
}

// parseTree reads "<octal mode> <name>\0<raw id>" lines; rawLen is the length
// of a raw id in bytes.
func parseTree(data []byte, rawLen int) ([]entry, error) {
	var entries []entry
	for len(data) > 0 {
		head, rest, ok := bytes.Cut(data, []byte{0})
		mode, name, ok2 := strings.Cut(string(head), " ")
		bits, err := strconv.ParseUint(mode, 8, 32)
		if !ok || !ok2 || err != nil || name == "" || len(rest) < rawLen {
			return nil, errors.New("malformed tree")
		}
		entries = append(entries, entry{name, filemode.FileMode(bits), hex.EncodeToString(rest[:rawLen])})
		data = rest[rawLen:]
	}
	return entries, nil
}

// encodeTree sorts entries as git wants them and encodes them.
func encodeTree(entries []entry) ([]byte, error) {
	sort.Slice(entries, func(i, j int) bool { return entries[i].sortKey() < entries[j].sortKey() })
	var b bytes.Buffer
	for _, e := range entries {
		raw, err := hex.DecodeString(e.oid)
		if err != nil {
			return nil, fmt.Errorf("malformed object id %q of %s", e.oid, e.name)
		}
		fmt.Fprintf(&b, "%o %s\x00", uint32(e.mode), e.name)
		b.Write(raw)
	}
	return b.Bytes(), nil
}

// sortKey is the name by which git sorts: a directory's ends in a slash.
func (e entry) sortKey() string {
	if e.isDir() {
		return e.name + "/"
	}
	return e.name
}

// commitTree is the tree of an encoded commit.
func commitTree(data []byte) (string, error) {
	line, _, _ := strings.Cut(string(data[:min(len(data), 80)]), "\n")
	oid, ok := strings.CutPrefix(line, "tree ")
	if !ok {
		return "", errors.New("malformed commit")
	}
	return oid, nil
}

type commit struct {
	tree              string
	parents           []string
	author, committer person
	when              time.Time
	subject, body     string
}

func (c commit) encode() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "tree %s\n", c.tree)
	for _, p := range c.parents {
		fmt.Fprintf(&b, "parent %s\n", p)
	}
	stamp := strconv.FormatInt(max(c.when.Unix(), 0), 10) + " " + c.when.Format("-0700")
	fmt.Fprintf(&b, "author %s <%s> %s\n", c.author.name, c.author.email, stamp)
	fmt.Fprintf(&b, "committer %s <%s> %s\n\n", c.committer.name, c.committer.email, stamp)
	b.WriteString(oneLine(c.subject) + "\n")
	if body := strings.TrimRight(plainText(c.body), "\n"); body != "" {
		b.WriteString("\n" + body + "\n")
	}
	return b.Bytes()
}

// oneLine makes a commit subject of one line, since git ends the subject at the first empty line.
func oneLine(s string) string {
	if s = strings.Join(strings.Fields(plainText(s)), " "); s == "" {
		return "update"
	}
	return s
}

// plainText is valid UTF-8 without control characters: git refuses NUL, and
// `git log` would send the others to a terminal.
func plainText(s string) string {
	return strings.Map(func(c rune) rune {
		if (c < ' ' && c != '\n' && c != '\t') || (c >= 0x7f && c < 0xa0) {
			return -1
		}
		return c
	}, strings.ToValidUTF8(s, "\uFFFD"))
}
