package fleet

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/objects"
	"cairn/recall"
)

// Clone is a repository whose record is read. It is not modified.
type Clone struct {
	Dir        string
	Repository string
	site       *place.Site
	unread     atomic.Bool
}

// Open opens the clone that contains a directory. warn is called for records that cannot be read.
func Open(ctx context.Context, dir string, warn func(string)) (*Clone, error) {
	env := place.FromEnviron(os.Environ())
	env.Dir = "" // else all clones would share it
	c := &Clone{}
	site, err := place.OpenToRead(ctx, dir, env, func(w manifest.Warning) {
		c.unread.Store(true)
		warn(w.String())
	})
	if err != nil {
		return nil, err
	}
	if site.Repo == nil {
		site.Close()
		return nil, fmt.Errorf("%s is no git repository, so it has no record of its own", dir)
	}
	origin, err := site.Repo.LocalConfig(ctx, "remote.origin.url")
	if err != nil {
		site.Close()
		return nil, err
	}
	c.Dir, c.site = site.Workspace.Root, site
	if c.Repository = strings.TrimSuffix(filepath.Base(strings.TrimSuffix(site.Repo.CommonDir, string(filepath.Separator)+".git")), ".git"); len(origin) > 0 {
		if strings.HasPrefix(origin[0], ".") { // another directory has another repository there
			origin[0] = filepath.ToSlash(filepath.Join(c.Dir, origin[0]))
		}
		c.Repository = NameOf(origin[0])
	}
	return c, nil
}

// Unread says whether warn was called: some records could not be read, and are missing from the rows.
func (c *Clone) Unread() bool { return c.unread.Load() }

// Close releases the clone.
func (c *Clone) Close() { c.site.Close() }

// NameOf is the name of a repository by its address: "github.com/example/app".
func NameOf(address string) string {
	name := regexp.MustCompile(`^[a-z+]+://`).ReplaceAllString(address, "")
	scheme := name != address
	name = strings.TrimSuffix(strings.TrimRight(name, "/"), ".git")
	if host, path, _ := strings.Cut(name, "/"); scheme {
		_, host, _ = cutLast(host, "@")
		name = strings.TrimPrefix(host+"/"+path, "/")
	} else if host, path, is := strings.Cut(name, ":"); is && !strings.Contains(host, "/") { // user@host:path
		_, host, _ = cutLast(host, "@")
		name = host + "/" + strings.TrimPrefix(path, "/")
	}
	return strings.TrimRight(name, "/")
}

// cutLast cuts around the last separator; without one, before is "".
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return "", s, false
}

// State is a digest of the record's contents: equal states mean equal records.
func (c *Clone) State(ctx context.Context) (string, error) {
	refs := exec.CommandContext(ctx, "git", "for-each-ref", "--format=%(refname) %(objectname)", "refs/heads", "refs/remotes")
	refs.Dir = c.Dir
	out, err := refs.Output()
	if err != nil {
		return "", fmt.Errorf("asking git for the branches of %s: %w", c.Dir, err)
	}
	hash, branch := sha256.New(), "/"+place.DefaultBranch
	if c.site.Branch != nil {
		branch = "/" + c.site.Branch.Name()
	}
	for line := range strings.Lines(string(out)) {
		if name, _, _ := strings.Cut(line, " "); strings.HasSuffix(name, branch) {
			hash.Write([]byte(line))
		}
	}
	for _, dir := range append([]string{c.site.Dir}, c.site.Also...) {
		err := filepath.WalkDir(filepath.Join(dir, "manifest"), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			info, err := d.Info()
			if err == nil {
				fmt.Fprintln(hash, path, info.Size())
			}
			return err
		})
		if err != nil && !os.IsNotExist(err) {
			return "", fmt.Errorf("looking through the record of %s: %w", c.Dir, err)
		}
	}
	c.stateOfObjects(hash)
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// stateOfObjects adds what changes when an object is added, which may be a list of tests or a result that was missing.
func (c *Clone) stateOfObjects(to io.Writer) {
	folders, _ := filepath.Glob(filepath.Join(c.site.Dir, "objects", "*")) // the pattern is right
	for _, dir := range append(folders, filepath.Join(c.site.Dir, "packs")) {
		if info, err := os.Stat(dir); err == nil {
			fmt.Fprintln(to, dir, info.ModTime().UnixNano())
		}
	}
}

// Known is how much of a run a reader already has.
type Known int

// A run is InPart if its list of tests or whole result was missing in the clone that it came from.
const (
	Absent Known = iota
	InPart
	Whole
)

// Rows yields the captures that are not known, oldest first, and those known in part if this clone may have the missing
// part. known is called by several goroutines.
func (c *Clone) Rows(ctx context.Context, known func(run string) Known) iter.Seq2[*Rows, error] {
	return func(yield func(*Rows, error) bool) {
		q := manifest.Query{Want: func(line []byte) bool { return known(idOf(line)) != Whole }}
		for rec, err := range c.site.Manifest.Records(ctx, q) {
			if err != nil {
				yield(nil, fmt.Errorf("reading the record of %s: %w", c.Dir, err))
				return
			}
			has := known(rec.ID)
			if rec.Type != manifest.TypeCapture || has == Whole || has == InPart && !slices.ContainsFunc(recall.ListsIn(rec), c.has) {
				continue
			}
			if rows, err := rowsOf(c.Repository, c.site, rec); !yield(rows, err) || err != nil {
				return
			}
		}
	}
}

// has says whether an object is in the clone.
func (c *Clone) has(oid string) bool {
	id, err := objects.ParseID(oid)
	return err == nil && c.site.Objects.Has(id)
}

// idOf is the id in a line written by cairn, without decoding the line; "" for other lines.
func idOf(line []byte) string {
	const idBytes = 26
	begin, rest, found := bytes.Cut(line, []byte(`,"id":"`))
	if !found || !bytes.HasPrefix(begin, []byte(`{"v":`)) || bytes.IndexByte(begin, ',') >= 0 || len(rest) < idBytes {
		return ""
	}
	return string(rest[:idBytes])
}

// fetchAtOnce is how many repositories are fetched from at the same time.
const fetchAtOnce = 8

// Fetch gets the records of repositories: for each address in a file, one per line, only the branch of the record. They
// are kept below cache, and later fetches get only what is new. After an address and a blank there may be the address
// of a remote for its objects, which is passed to bring. Lines that begin with # are ignored. The directories are in
// the order of the lines, without those that could not be fetched; err names these, and errors of bring.
func Fetch(ctx context.Context, file, cache string, bring func(ctx context.Context, dir, objects string) error) (dirs []string, err error) {
	sources, err := readList(file)
	if err != nil {
		return nil, err
	}
	failed := make([]error, len(sources))
	dirs = make([]string, len(sources))
	var all sync.WaitGroup
	turn := make(chan struct{}, fetchAtOnce)
	for i, from := range sources {
		all.Go(func() {
			turn <- struct{}{}
			defer func() { <-turn }()
			sum := sha256.Sum256([]byte(from.address))
			dirs[i] = filepath.Join(cache, hex.EncodeToString(sum[:16])+".git")
			if err := fetch(ctx, from.address, dirs[i]); err != nil {
				dirs[i], failed[i] = "", fmt.Errorf("fetching the record of %s: %w", NameOf(from.address), err)
			} else if from.objects == "" {
				return
			} else if err := bring(ctx, dirs[i], from.objects); err != nil {
				failed[i] = fmt.Errorf("bringing the lists of tests of %s: %w", NameOf(from.address), err)
			}
		})
	}
	all.Wait()
	kept := dirs[:0]
	for _, dir := range dirs {
		if dir != "" {
			kept = append(kept, dir)
		}
	}
	return kept, errors.Join(failed...)
}

// source is a line of a list.
type source struct {
	address string
	objects string // the address of a remote for objects, or ""
}

func readList(file string) (sources []source, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	seen := map[string]bool{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		from := source{address: line}
		if i := strings.LastIndexAny(line, " \t"); i > 0 && strings.Contains(line[i:], "://") {
			from = source{strings.TrimSpace(line[:i]), line[i+1:]}
		}
		switch {
		case line == "" || strings.HasPrefix(line, "#") || seen[from.address]:
			continue
		case strings.HasPrefix(line, "-") || strings.Contains(from.address, "::"): // an option, or a program that git would start
			return nil, fmt.Errorf("%s: %q is not the address of a repository", file, line)
		}
		seen[from.address] = true
		sources = append(sources, from)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading %s: %w", file, err)
	}
	if len(sources) == 0 {
		return nil, fmt.Errorf("%s has no address of a repository", file)
	}
	return sources, nil
}

// fetch creates a bare repository with the branch of the record, or updates it. The directory is readable only for this
// user, since an address may contain a password.
func fetch(ctx context.Context, address, dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "config")); err != nil {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
		for _, args := range [][]string{{"init", "-q", "--bare"}, {"config", "remote.origin.url", address}} {
			cmd := exec.CommandContext(ctx, "git", append([]string{"-C", dir}, args...)...)
			if out, err := cmd.CombinedOutput(); err != nil {
				return fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(string(out)))
			}
		}
	}
	env := place.FromEnviron(os.Environ())
	env.Dir = ""
	site, err := place.OpenToRead(ctx, dir, env, func(manifest.Warning) {})
	if err != nil {
		return err
	}
	defer site.Close()
	if site.Home == nil {
		return fmt.Errorf("%s is no git repository", dir)
	}
	found, err := site.Home.FetchTip(ctx, "origin", place.DefaultBranch)
	if err == nil && !found {
		err = fmt.Errorf("it has no branch %s: nothing was recorded there, or not shared (cairn sync)", place.DefaultBranch)
	}
	return err
}
