package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// File is a file of a commit's tree.
type File struct {
	Path string // slash-separated, from the root of the tree
	OID  string // of the blob; "" in FilesChanged if the file was removed
	Size int64  // bytes; -1 if git was not asked: in FilesChanged, and in partial clones (git would fetch each)
}

// Files lists all regular files of a commit, sorted as git sorts trees.
func (r *Repo) Files(ctx context.Context, commit string) ([]File, error) {
	op := "list the files of " + commit
	if err := r.checkOID(op, commit); err != nil {
		return nil, err
	}
	args := []string{"ls-tree", "-r", "-z", "--full-tree"}
	partial, err := r.partial(ctx)
	if err != nil {
		return nil, err
	}
	if !partial {
		args = append(args, "--long")
	}
	out, err := r.storeGit().run(ctx, op, nil, append(args, commit)...)
	if err != nil {
		return nil, missing(err)
	}
	var files []File
	for line := range strings.SplitSeq(string(out), "\x00") {
		facts, path, ok := strings.Cut(line, "\t") // <mode> <type> <oid> [<size>]
		f := strings.Fields(facts)
		if !ok || len(f) < 3 || !strings.HasPrefix(f[0], "100") {
			continue
		}
		file := File{Path: path, OID: f[2], Size: -1}
		if len(f) > 3 {
			if n, err := strconv.ParseInt(f[3], 10, 64); err == nil {
				file.Size = n
			}
		}
		files = append(files, file)
	}
	return files, nil
}

// partial reports whether the clone may lack objects on purpose.
func (r *Repo) partial(ctx context.Context) (bool, error) {
	all, err := r.settings(ctx)
	for key, value := range all {
		if key == "extensions.partialclone" || strings.HasPrefix(key, "remote.") && strings.HasSuffix(key, ".promisor") && value == "true" {
			return true, err
		}
	}
	return false, err
}

// FilesChanged lists the regular files that differ between the commits from ("" has no
// files) and to. OID is the one in to, "" for a removed file.
func (r *Repo) FilesChanged(ctx context.Context, from, to string) ([]File, error) {
	op := "compare the files of " + from + " and " + to
	if from == "" {
		return r.Files(ctx, to)
	}
	for _, oid := range []string{from, to} {
		if err := r.checkOID(op, oid); err != nil {
			return nil, err
		}
	}
	out, err := r.storeGit().run(ctx, op, nil, "diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", from, to)
	if err != nil {
		return nil, missing(err)
	}
	lines, err := parseRaw(op, out)
	var files []File
	for _, l := range lines {
		switch file := (File{Path: l.path, OID: l.newOID, Size: -1}); {
		case strings.HasPrefix(l.newMode, "100"):
			files = append(files, file)
		case strings.HasPrefix(l.oldMode, "100"): // deleted, or not a regular file any more
			file.OID = ""
			files = append(files, file)
		}
	}
	return files, err
}

// rawLine is a line of `git diff-tree --raw -z`.
type rawLine struct{ oldMode, newMode, oldOID, newOID, path string }

// parseRaw reads ":<mode> <mode> <oid> <oid> <status>" and "<path>", each ended by NUL.
func parseRaw(op string, out []byte) ([]rawLine, error) {
	var lines []rawLine
	fields := strings.Split(string(out), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		f := strings.Fields(strings.TrimPrefix(fields[i], ":"))
		if len(f) != 5 {
			return nil, &Error{Op: op, Err: fmt.Errorf("unexpected answer %q", fields[i])}
		}
		lines = append(lines, rawLine{f[0], f[1], f[2], f[3], fields[i+1]})
	}
	return lines, nil
}

// missing marks git's error for a commit that does not exist.
func missing(err error) error {
	var e *Error
	if errors.As(err, &e) && e.Kind == nil && (strings.Contains(e.Stderr, "bad object") ||
		strings.Contains(e.Stderr, "not a tree object") || strings.Contains(e.Stderr, "Not a valid object name")) {
		e.Kind = ErrMissing
	}
	return err
}

// ReadBlobs reads blobs in one process and calls yield for each, in the order given;
// data is valid until yield returns. An error of yield ends the reading and is
// returned. Missing blobs are skipped; after all others were yielded, an ErrMissing
// names them.
func (r *Repo) ReadBlobs(ctx context.Context, oids []string, yield func(oid string, data []byte) error) error {
	if len(oids) == 0 {
		return nil
	}
	for _, oid := range oids {
		if err := r.checkOID("read blobs", oid); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	c := newCatFile(r)
	if err := c.start(ctx, "--buffer"); err != nil {
		cancel()
		return err
	}
	asked := make(chan struct{})
	go func() { // git answers while it is still being asked, so both pipes must be served
		defer close(asked)
		ask(c.in, oids)
	}()
	err := readAnswers(ctx, c, oids, yield)
	if c.cmd != nil && err != nil && !errors.Is(err, ErrMissing) {
		cancel() // git may be in the middle of writing
		c.close()
	} else if cerr := c.close(); err == nil {
		err = cerr
	}
	cancel()
	<-asked
	return err
}

func ask(w io.WriteCloser, oids []string) {
	const chunk = 256
	for len(oids) > 0 {
		n := min(chunk, len(oids))
		if _, err := io.WriteString(w, strings.Join(oids[:n], "\n")+"\n"); err != nil {
			break // the reader notices the end of the process
		}
		oids = oids[n:]
	}
	w.Close()
}

func readAnswers(ctx context.Context, c *catFile, oids []string, yield func(string, []byte) error) error {
	var gone []string
	var buf []byte
	for _, oid := range oids {
		kind, data, err := c.next(ctx, oid, buf)
		if errors.Is(err, ErrMissing) {
			gone = append(gone, oid)
			continue
		}
		if err == nil && kind != plumbing.BlobObject {
			err = &Error{Op: "read blob " + oid, Err: fmt.Errorf("it is a %s", kind)}
		}
		if err != nil {
			return err
		}
		if err := yield(oid, data); err != nil {
			return err
		}
		buf = data
	}
	if len(gone) > 0 {
		return &Error{Op: "read blobs", Kind: ErrMissing, Err: fmt.Errorf("%d of %d, the first is %s", len(gone), len(oids), gone[0])}
	}
	return nil
}

// BlobSizes returns the sizes of objects without reading them, since another clone may
// have sent objects larger than the memory. Missing objects are left out.
func (b *Branch) BlobSizes(ctx context.Context, oids []string) (map[string]int64, error) {
	sizes := make(map[string]int64, len(oids))
	if len(oids) == 0 {
		return sizes, nil
	}
	for _, oid := range oids {
		if err := b.repo.checkOID("measure blobs", oid); err != nil {
			return nil, err
		}
	}
	out, err := b.repo.storeGit().run(ctx, "measure blobs", []byte(strings.Join(oids, "\n")+"\n"), "cat-file", "--batch-check=%(objectname) %(objectsize)")
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(out)) {
		oid, size, _ := strings.Cut(strings.TrimSpace(line), " ")
		if n, err := strconv.ParseInt(size, 10, 64); err == nil {
			sizes[oid] = n
		}
	}
	return sizes, nil
}

// History is all blobs that files of a folder of the branch have ever had, in this
// clone's branch and in those of remotes; true for a blob that a file has now.
func (b *Branch) History(ctx context.Context, dir string) (map[string]bool, error) {
	tips, err := b.tips(ctx)
	if err != nil || len(tips) == 0 {
		return nil, err
	}
	op := "read the history of " + dir
	args := append([]string{"log", "-m", "--full-history", "--no-show-signature", "--format=", "--raw", "--no-abbrev", "--no-renames", "-z"}, tips...)
	out, err := b.repo.storeGit().run(ctx, op, nil, append(args, "--", dir)...)
	if err != nil {
		return nil, missing(err)
	}
	var changes []string // each followed by its path; between commits there is other output
	fields := strings.Split(string(out), "\x00")
	for i := 0; i+1 < len(fields); i++ {
		if change := strings.TrimLeft(fields[i], "\n"); strings.HasPrefix(change, ":") {
			changes = append(changes, change, fields[i+1])
			i++
		}
	}
	lines, err := parseRaw(op, []byte(strings.Join(changes, "\x00")))
	if err != nil {
		return nil, err
	}
	all := map[string]bool{}
	for _, l := range lines {
		for mode, oid := range map[string]string{l.oldMode: l.oldOID, l.newMode: l.newOID} {
			if strings.HasPrefix(mode, "100") {
				all[oid] = false
			}
		}
	}
	for _, tip := range tips {
		out, err := b.repo.storeGit().run(ctx, op, nil, "ls-tree", "-r", "-z", "--full-tree", tip, "--", dir+"/")
		if err != nil {
			return nil, missing(err)
		}
		for line := range strings.SplitSeq(string(out), "\x00") {
			if f := strings.Fields(line); len(f) >= 3 && strings.HasPrefix(f[0], "100") {
				all[f[2]] = true
			}
		}
	}
	return all, nil
}

// tips are this branch's commit and those of the branches of the same name that were fetched from remotes.
func (b *Branch) tips(ctx context.Context) (tips []string, err error) {
	tip, err := b.Tip(ctx)
	if err != nil {
		return nil, err
	}
	if tip != "" {
		tips = append(tips, tip)
	}
	remotes, err := b.Remotes(ctx)
	for _, r := range remotes {
		tips = append(tips, r.Commit)
	}
	return tips, err
}
