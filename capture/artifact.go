package capture

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"cairn/capture/child"
	"cairn/manifest"
	"cairn/objects"
	"cairn/parsers"
	"cairn/redact"
	"cairn/result"
)

const (
	// maxSingle is how many reports become objects of their own. Each takes a sync and
	// a hundred bytes of the record; the others become one object, a tar.
	maxSingle = 16
	// maxPacked is the largest file that goes into the tar, in bytes, since it is held
	// in memory until then.
	maxPacked = 4 << 20
	// maxInMemory bounds the bytes of files that are read if there is no store.
	maxInMemory = 16 << 20
	// maxMissed is how many files that were not kept the result names.
	maxMissed = 10
	// rolePacked is the role of the tar, and tarName its path in the record.
	rolePacked = "reports"
	tarName    = "reports.tar"
)

// artifacts are the files that a run wrote: as they are kept, and as parsers get them.
type artifacts struct {
	b         *backend // nil if there is no place to keep them
	open      func(objects.ID) (*objects.Object, error)
	workspace result.Workspace
	red       *redact.Redactor

	kept   []manifest.Artifact
	parsed []parsers.Artifact
	missed []string // one line for each file that was not kept, with the reason
	more   int      // further such files, without a line
	failed bool     // a file was lost

	seen    map[[sha256.Size]byte]bool
	bytes   int64 // of all files so far
	files   int
	packed  []packed
	waiting int // bytes of packed
	opened  []*objects.Object
}

// packed is a small file that waits to be put into the tar.
type packed struct {
	at   int // index in parsed
	name string
	data []byte
}

// gather collects into a the files that the command wrote. Most commands write none.
func (c *capture) gather(a *artifacts, exit child.Exit, ended time.Time) {
	if exit.StartErr != nil {
		return
	}
	done := map[string]bool{}
	if c.search != nil {
		a.collect(c.search, exit.Started, ended, done)
	}
	late := &search{dir: c.o.Command.Dir, patterns: c.session.PlacesSeen()}
	if len(late.patterns) > 0 {
		a.collect(late, exit.Started, ended, done)
	}
	a.pack()
	if a.more > 0 {
		a.missed = append(a.missed, fmt.Sprintf("and %d more", a.more))
	}
}

// newArtifacts makes the artifacts for gather to fill.
func (c *capture) newArtifacts() *artifacts {
	a := &artifacts{workspace: c.workspace, red: &c.red, seen: map[[sha256.Size]byte]bool{}}
	if c.b != nil && c.spool != nil {
		a.b, a.open = c.b, c.site.Objects.OpenObject
	}
	return a
}

// collect takes those files of a search that this run wrote, each once.
func (a *artifacts) collect(s *search, started, ended time.Time, done map[string]bool) {
	for _, f := range s.all() {
		if done[f.path] {
			continue
		}
		done[f.path] = true
		err := a.take(s, f, started, ended)
		if err != nil && !(errors.Is(err, errStale) || errors.Is(err, errNoReport) || errors.Is(err, fs.ErrNotExist)) {
			a.miss(f.path, err)
		}
	}
	for _, err := range s.closed {
		if path := new(fs.PathError); errors.As(err, &path) {
			a.miss(path.Path, errors.New("reports in it cannot be looked for: permission denied"))
		}
	}
	if s.read >= maxLooked {
		a.miss(s.dir, fmt.Errorf("only %d directory entries were looked at for reports; name the report in the command", maxLooked))
	}
}

// miss notes that a file could not be kept.
func (a *artifacts) miss(name string, err error) {
	a.failed = true
	if len(a.missed) == maxMissed {
		a.more++
		return
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err // without the name, which the line has already
	}
	a.missed = append(a.missed, cut(result.CleanLine(a.red.String(a.show(name)+": "+err.Error())), maxName))
}

var (
	errNoReport = errors.New("not a report")
	errTooMany  = fmt.Errorf("a run's first %d reports are kept, and this is one more", maxReports)
	errTooBig   = fmt.Errorf("with it the reports of this run have more than %d MiB; it stays where it is, and is not kept", maxReportBytes>>20)
	errLeaves   = errors.New("it is a link out of the workspace, and is not followed")
	errNoFile   = errors.New("not a regular file; it is not opened")
)

// take keeps one file, if this run wrote it.
func (a *artifacts) take(s *search, f found, started, ended time.Time) error {
	info, err := os.Stat(f.path)
	if err != nil {
		return err
	}
	from, err := s.fresh(f, stampOf(info), started, ended)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		if f.named {
			return errNoFile
		}
		return errNoReport
	}
	file, err := a.openFile(f)
	if err != nil {
		return err
	}
	defer file.Close()
	if info, err = file.Stat(); err != nil || !info.Mode().IsRegular() {
		return errNoFile
	}
	return a.read(f, io.NewSectionReader(file, from, max(0, info.Size()-from)))
}

// openFile opens a file without waiting: a named pipe would block until someone writes to
// it. A name within the workspace must lead to a file within it, since the command may
// have made symbolic links that lead elsewhere. A file outside the workspace is read only
// if the command line names it.
func (a *artifacts) openFile(f found) (*os.File, error) {
	if f.given {
		return os.OpenFile(f.path, os.O_RDONLY|noWait, 0)
	}
	root := a.workspace.Root
	name, err := filepath.Rel(root, f.path)
	if err != nil || !filepath.IsLocal(name) {
		if f.named {
			return os.OpenFile(f.path, os.O_RDONLY|noWait, 0)
		}
		return nil, errNoReport
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	file, err := dir.OpenFile(name, os.O_RDONLY|noWait, 0)
	if err != nil && leaves(root, f.path) {
		if f.named {
			return nil, errLeaves
		}
		return nil, errNoReport
	}
	return file, err
}

// leaves says whether a path leads out of a directory by a link.
func leaves(root, name string) bool {
	top, err1 := filepath.EvalSymlinks(root)
	real, err2 := filepath.EvalSymlinks(name)
	if err1 != nil || err2 != nil {
		return false
	}
	rel, err := filepath.Rel(top, real)
	return err != nil || !filepath.IsLocal(rel)
}

// read keeps the content of a file, unless it is not a report or was kept already.
func (a *artifacts) read(f found, r *io.SectionReader) error {
	if !f.named && !looksLikeReport(r) {
		return errNoReport
	}
	switch {
	case r.Size() == 0 && f.role != parsers.RoleReport:
		return errNoReport // an empty file: nothing was redirected into it
	case a.files >= maxReports:
		return errTooMany
	case a.bytes+r.Size() > maxReportBytes:
		return errTooBig
	}
	if f.role == parsers.RoleReport {
		sum := sha256.New()
		if _, err := io.Copy(sum, r); err != nil {
			return err
		}
		digest := [sha256.Size]byte(sum.Sum(nil))
		if a.seen[digest] {
			return nil // the same content under another name
		}
		a.seen[digest] = true
	}
	a.files++
	a.bytes += r.Size()
	r.Seek(0, io.SeekStart)
	return a.keep(f, r)
}

func looksLikeReport(r io.ReaderAt) bool {
	head := make([]byte, 4<<10)
	n, _ := r.ReadAt(head, 0)
	return parsers.IsReport(head[:n])
}

// keep makes an object of a file, or sets it aside for the tar.
func (a *artifacts) keep(f found, r *io.SectionReader) error {
	p := parsers.Artifact{Path: a.show(f.path), Role: f.role, Named: f.named, Size: r.Size()}
	single := a.b != nil && (len(a.kept) < maxSingle || r.Size() > maxPacked)
	if single {
		info, err := a.b.put(r)
		if err == nil {
			if p.Data, err = a.openObject(info.ID); err == nil {
				p.Size = info.Size
				a.kept = append(a.kept, manifest.Artifact{Path: a.named(p.Path), OID: info.ID.String(), Size: info.Size, Role: string(f.role)})
				a.parsed = append(a.parsed, p)
				return nil
			}
		}
		a.miss(f.path, err)
	}
	if p.Size > maxPacked && a.b != nil || a.b == nil && a.bytes > maxInMemory {
		return errNoMemory
	}
	data, err := io.ReadAll(io.NewSectionReader(r, 0, p.Size))
	if err != nil {
		return err
	}
	p.Data, p.Size = bytes.NewReader(data), int64(len(data))
	a.parsed = append(a.parsed, p)
	if !single && a.b != nil {
		a.packed = append(a.packed, packed{len(a.parsed) - 1, p.Path, data})
		if a.waiting += len(data); a.waiting > maxPacked {
			a.pack()
		}
	}
	return nil
}

var errNoMemory = errors.New("it is too big to be read without being kept")

func (a *artifacts) openObject(id objects.ID) (*objects.Object, error) {
	obj, err := a.open(id)
	if err == nil {
		a.opened = append(a.opened, obj)
	}
	return obj, err
}

// show is a path as the record and the result have it: relative to the workspace's root if it is inside.
func (a *artifacts) show(name string) string {
	if rel, external := a.workspace.Path(filepath.ToSlash(name)); !external {
		return rel
	}
	return filepath.ToSlash(name)
}

// named is a path that may go into files that git tracks: redacted and shortened.
func (a *artifacts) named(name string) string {
	return cut(result.CleanLine(a.red.String(name)), maxName/2)
}

// pack puts the files that were set aside into one object, a tar, and releases their
// bytes. Equal reports make an equal tar.
func (a *artifacts) pack() {
	list := a.packed
	if a.packed, a.waiting = nil, 0; len(list) == 0 {
		return
	}
	var all bytes.Buffer
	starts, w := make([]int64, len(list)), tar.NewWriter(&all)
	for i, p := range list {
		w.WriteHeader(&tar.Header{Name: p.name, Mode: 0o644, Size: int64(len(p.data)), Format: tar.FormatPAX})
		starts[i] = int64(all.Len())
		w.Write(p.data)
	}
	err := w.Close()
	if err == nil {
		err = a.keepPacked(list, starts, &all)
	}
	if err != nil {
		a.miss(tarName, fmt.Errorf("keeping %d reports: %w", len(list), err))
	}
}

func (a *artifacts) keepPacked(list []packed, starts []int64, all io.Reader) error {
	info, err := a.b.put(all)
	if err != nil {
		return err
	}
	a.kept = append(a.kept, manifest.Artifact{Path: tarName, OID: info.ID.String(), Size: info.Size, Role: rolePacked})
	obj, err := a.openObject(info.ID)
	if err != nil {
		return err
	}
	for i, p := range list {
		a.parsed[p.at].Data = io.NewSectionReader(obj, starts[i], int64(len(p.data)))
	}
	return nil
}

// tell adds to the result which files were kept and which were not.
func (a *artifacts) tell(r *result.ToolResult) {
	for _, k := range a.kept {
		r.Artifacts = append(r.Artifacts, result.Artifact{Path: k.Path, OID: k.OID, Size: k.Size, MediaType: mediaType(k), Role: k.Role})
	}
	if len(a.missed) > 0 {
		lines := make([]any, len(a.missed))
		for i, line := range a.missed {
			lines[i] = line
		}
		result.SetExtra(&r.Extra, "artifacts_missed", lines)
	}
}

func mediaType(k manifest.Artifact) string {
	switch {
	case k.Role == rolePacked:
		return "application/x-tar"
	case filepath.Ext(k.Path) == ".xml":
		return "application/xml"
	case filepath.Ext(k.Path) == ".json":
		return "application/json"
	}
	return ""
}

func (a *artifacts) close() {
	for _, obj := range a.opened {
		obj.Close()
	}
}
