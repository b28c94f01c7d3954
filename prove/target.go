package prove

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"

	"cairn/internal/gitrepo"
	"cairn/internal/place"
	"cairn/recall"
	"cairn/recall/filter"
)

// ErrNoChecks means that the tree declares no checks.
var ErrNoChecks = errors.New("no checks are declared: write " + ChecksFile + "; cairn prove --suggest shows what could stand in it")

// Declared says whether the files here declare checks, or did so at the base, since a removed declaration counts, too.
// It is cheaper than Ask.
func Declared(ctx context.Context, s *place.Site) (bool, error) {
	if s.Repo == nil {
		return false, nil
	}
	if _, err := os.Lstat(filepath.Join(s.Repo.TopLevel, filepath.FromSlash(ChecksFile))); !errors.Is(err, fs.ErrNotExist) {
		return err == nil, err
	}
	t := &target{site: s, repo: s.Repo, commit: s.Repo.Commit, here: true}
	base, err := t.findBase(ctx, "")
	if err != nil || base == "" {
		return false, err
	}
	return t.repo.HasFile(ctx, base, ChecksFile)
}

// target is the tree to judge, and the one to compare it with.
type target struct {
	site   *place.Site
	repo   *gitrepo.Repo
	tree   string
	commit string // HEAD, or the given commit
	base   string // a commit, or ""
	reader *gitrepo.WorktreeReader

	here     bool // the tree is the working tree
	staged   bool // the tree is the index
	baseTree gitrepo.Leaves
	leaves   gitrepo.Leaves
	changed  []string // files that differ from the base
}

// findTarget resolves a revision: "" is the working tree, A..B is B compared with A, and a commit is compared with its
// first parent.
func findTarget(ctx context.Context, s *place.Site, o Options) (*target, error) {
	rev, base := o.Rev, o.Base
	t := &target{site: s, repo: s.Repo, here: rev == "" && !o.Staged, staged: o.Staged}
	if t.repo == nil {
		return nil, errors.New("there is no git repository here, so there is no tree to prove anything of")
	}
	var err error
	if from, to, isRange := strings.Cut(rev, ".."); isRange {
		base = cmp.Or(base, strings.TrimPrefix(from, "."))
		if rev = strings.TrimPrefix(to, "."); rev == "" {
			rev = "HEAD"
		}
	}
	if t.staged {
		t.commit = t.repo.Commit
		t.tree, err = t.repo.StagedTree(ctx)
	} else if t.here {
		t.commit = t.repo.Commit
		t.tree, t.reader, err = recall.PresentTree(ctx, s)
	} else if t.commit, err = t.repo.CommitOf(ctx, rev); err == nil {
		t.tree, err = t.repo.TreeNamed(ctx, t.commit)
	}
	if err != nil {
		return nil, fmt.Errorf("finding the tree: %w", err)
	}
	if t.base, err = t.findBase(ctx, base); err != nil {
		return nil, err
	}
	return t, t.compare(ctx)
}

// findBase is the given commit; else where the branch left the default branch, or a commit's first parent.
func (t *target) findBase(ctx context.Context, base string) (string, error) {
	switch {
	case base != "":
		return t.repo.CommitOf(ctx, base)
	case t.commit == "":
		return "", nil
	case !t.here && !t.staged:
		parent, err := t.repo.CommitOf(ctx, t.commit+"^")
		if err != nil {
			parent = "" // the first commit
		}
		return parent, nil
	}
	branch, err := t.repo.DefaultBranch(ctx)
	if err != nil || branch == t.repo.Branch {
		return t.commit, nil // without a default branch, only uncommitted changes count
	}
	tip, err := t.repo.BranchTip(ctx, branch)
	if err != nil || tip == "" {
		return t.commit, nil
	}
	if tip == t.commit {
		return tip, nil
	}
	return t.repo.MergeBase(ctx, tip, t.commit)
}

// compare lists the files that differ from the base.
func (t *target) compare(ctx context.Context) (err error) {
	if t.base == "" || t.base == t.repo.Commit && t.repo.Tree == t.tree {
		return nil
	}
	if t.baseTree, err = t.repo.Leaves(ctx, t.base); err != nil {
		return fmt.Errorf("reading the base: %w", err)
	}
	now, err := t.files(ctx)
	if err != nil {
		return err
	}
	t.changed = t.baseTree.Differ(now)
	return nil
}

// files are the files of the tree.
func (t *target) files(ctx context.Context) (gitrepo.Leaves, error) {
	if t.leaves != nil {
		return t.leaves, nil
	}
	if t.reader != nil {
		t.leaves = t.reader.Leaves()
		return t.leaves, nil
	}
	var err error
	t.leaves, err = t.repo.Leaves(ctx, t.tree)
	return t.leaves, err
}

// since lists the files that differ between another tree and this one; known is false if the other tree is no longer
// available.
func (t *target) since(ctx context.Context, tree string) (files []string, known bool) {
	now, err := t.files(ctx)
	if err != nil || tree == "" {
		return nil, false
	}
	w := t.reader
	if w == nil {
		w = t.site.WorktreeAt(gitrepo.Now())
	}
	then, ok := gitrepo.Leaves(nil), false
	if w != nil {
		then, ok = w.LeavesOf(tree)
	}
	if !ok {
		if then, err = t.repo.Leaves(ctx, tree); err != nil {
			return nil, false
		}
	}
	return then.Differ(now), true
}

// text is the content of a file in the tree; nil if there is no such file.
func (t *target) text(ctx context.Context, path string) ([]byte, error) {
	if !t.here {
		now, err := t.files(ctx)
		if err != nil {
			return nil, err
		}
		return t.blob(ctx, now.OID(path))
	}
	text, err := os.ReadFile(filepath.Join(t.repo.TopLevel, filepath.FromSlash(path)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// baseText is the content of a file in the base; nil if there is no such file.
func (t *target) baseText(ctx context.Context, path string) ([]byte, error) {
	return t.blob(ctx, t.baseTree.OID(path))
}

func (t *target) blob(ctx context.Context, oid string) (text []byte, err error) {
	if oid == "" {
		return nil, nil
	}
	err = t.repo.ReadBlobs(ctx, []string{oid}, func(_ string, data []byte) error {
		text = append([]byte{}, data...)
		return nil
	})
	return text, err
}

// ChecksFile is the file in which a repository declares its checks, relative to its root.
const ChecksFile = ".cairn/checks.toml"

// FreshCommit is the value of Check.Fresh that requires a run of the commit itself: a run of another commit with an
// equal tree does not prove the check.
const FreshCommit = "commit"

// Check is a command that a repository requires to pass.
type Check struct {
	Name    string   `toml:"name" json:"name"`
	Command string   `toml:"command" json:"command"`
	Dir     string   `toml:"dir" json:"dir,omitempty"`       // where to run it, below the root; "" is the root
	Paths   []string `toml:"paths" json:"paths,omitempty"`   // the files that it depends on; none: all
	Config  []string `toml:"config" json:"config,omitempty"` // files that configure it, beside those that its tool is known to read
	Fresh   string   `toml:"fresh" json:"fresh,omitempty"`
	// ExitIsEnough accepts exit status 0 as proof if cairn cannot parse the output.
	ExitIsEnough bool `toml:"exit_is_enough" json:"exit_is_enough,omitempty"`
}

// maxChecks bounds how many checks a file declares, and maxChecksFile its bytes.
const (
	maxChecks     = 200
	maxChecksFile = 1 << 20
)

// checkName matches valid names of checks.
var checkName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/-]{0,63}$`)
})

// ReadChecks reads a checks file. An error names the line and key, and then no checks are returned.
func ReadChecks(text []byte) ([]Check, error) {
	if len(text) > maxChecksFile {
		return nil, fmt.Errorf("%s has more than %d bytes", ChecksFile, maxChecksFile)
	}
	var file struct {
		Check []Check `toml:"check"`
	}
	if err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&file); err != nil {
		return nil, wrongChecks(err)
	}
	if len(file.Check) > maxChecks {
		return nil, fmt.Errorf("%s declares more than %d checks", ChecksFile, maxChecks)
	}
	for i, c := range file.Check {
		key, err := c.wrong()
		if err == nil && slices.ContainsFunc(file.Check[:i], func(o Check) bool { return o.Name == c.Name }) {
			key, err = "name", fmt.Errorf("another check is called %q, too", c.Name)
		}
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: key %s of check %d: %w", ChecksFile, lineOf(text, i, key), key, i+1, err)
		}
	}
	return file.Check, nil
}

// wrongChecks says where a file is invalid TOML, or has an unknown key.
func wrongChecks(err error) error {
	var unknown *toml.StrictMissingError
	if errors.As(err, &unknown) && len(unknown.Errors) > 0 {
		line, _ := unknown.Errors[0].Position()
		return fmt.Errorf("%s, line %d: there is no key %s", ChecksFile, line, strings.Join(unknown.Errors[0].Key(), "."))
	}
	if wrong := new(toml.DecodeError); errors.As(err, &wrong) {
		line, column := wrong.Position()
		key := ""
		if len(wrong.Key()) > 0 {
			key = " (key " + strings.Join(wrong.Key(), ".") + ")"
		}
		return fmt.Errorf("%s, line %d, column %d%s: %w", ChecksFile, line, column, key, err)
	}
	return fmt.Errorf("%s: %w", ChecksFile, err)
}

// wrong returns the first invalid key of a check, and why.
func (c Check) wrong() (key string, err error) {
	dir := path.Clean("/" + c.Dir)[1:]
	switch {
	case !checkName().MatchString(c.Name):
		return "name", errors.New("a name is 1 to 64 letters, digits, dots, dashes, underscores and slashes")
	case strings.TrimSpace(c.Command) == "" || strings.ContainsAny(c.Command, "\n\x00"):
		return "command", errors.New("a command is one line")
	case c.Dir != "" && c.Dir != "." && dir != c.Dir:
		return "dir", fmt.Errorf("%q is not a folder below the root, as in \"web/app\"", c.Dir)
	case c.Fresh != "" && c.Fresh != FreshCommit:
		return "fresh", fmt.Errorf("%q is none: write %q, or leave it out", c.Fresh, FreshCommit)
	}
	if _, err := filter.Paths(c.Paths); err != nil {
		return "paths", err
	}
	if _, err := filter.Paths(c.Config); err != nil {
		return "config", err
	}
	return "", nil
}

// checkHead is the line at which a check begins.
var checkHead = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*\[\[\s*check\s*\]\]`) })

// lineOf is the line of a key of the check with this number, found by the form of lines, or the check's first line if
// it does not have the key.
func lineOf(text []byte, check int, key string) int {
	at, n, line := -1, 0, 1
	for l := range strings.Lines(string(text)) {
		n++
		name, _, isKey := strings.Cut(l, "=")
		switch {
		case checkHead().MatchString(l):
			if at++; at == check {
				line = n
			}
		case at == check && isKey && strings.Trim(name, " \t\"'") == key:
			return n
		}
	}
	return line
}
