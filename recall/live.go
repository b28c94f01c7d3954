package recall

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"cairn/internal/gitrepo"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/objects"
	"cairn/redact"
	"cairn/result"
)

// Live returns every object that a record names or a pin keeps, with what gc has to
// know about it. All object ids in a line that cannot be read, such as one that a newer
// cairn wrote, are live and pinned.
//
// Evidence of what still fails are those captures of each command that did not succeed
// since its newest capture that accounts for all of its output, and that capture too if
// it failed. If the bytes of a failed capture are only in another clone, older ones
// here stay evidence as well.
func Live(ctx context.Context, s *place.Site) (map[objects.ID]objects.Ref, error) {
	l := living{
		here: s.Objects.Has, open: s.Objects.OpenObject,
		refs: map[objects.ID]objects.Ref{}, pinned: map[string]bool{}, accounted: map[string]bool{},
	}
	for rec, err := range s.Manifest.Records(ctx, manifest.Query{Newest: true, Passed: l.keepAll}) {
		if err == nil {
			err = l.see(rec)
		}
		if err != nil {
			return nil, fmt.Errorf("finding out what is still needed: %w", err)
		}
	}
	return l.refs, l.pin()
}

// keepAll pins every object that an unreadable line names.
func (l *living) keepAll(line []byte) {
	for _, oid := range objectIDs().FindAll(line, -1) {
		if id, err := objects.ParseID(string(oid)); err == nil {
			ref := l.refs[id]
			ref.Pinned = true
			l.refs[id] = ref
		}
	}
}

// objectIDs is compiled at its first use only.
var objectIDs = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`sha256:[0-9a-f]{64}`) })

// living goes through the records, newest first.
type living struct {
	here      func(objects.ID) bool
	open      func(objects.ID) (*objects.Object, error)
	refs      map[objects.ID]objects.Ref
	pinned    map[string]bool // by run or object: whether its newest pin record keeps it
	accounted map[string]bool // keys of commands of which a newer capture accounts for everything
}

func (l *living) see(rec *manifest.Record) error {
	switch rec.Type {
	case manifest.TypePin, manifest.TypeUnpin:
		if _, newer := l.pinned[rec.Target]; !newer {
			l.pinned[rec.Target] = rec.Type == manifest.TypePin
		}
		return nil
	case manifest.TypeEviction:
		return nil
	}
	evidence, err := l.evidence(rec)
	if err != nil {
		return err
	}
	oids, err := NamedIn(rec)
	if err != nil {
		return err
	}
	for _, oid := range oids {
		id, err := objects.ParseID(oid)
		if err != nil {
			return fmt.Errorf("record %s: %w", rec.ID, err)
		}
		l.add(id, rec, evidence)
		if rec.Type == manifest.TypeTimeline {
			if err := l.outputs(id, rec); err != nil {
				return err
			}
		}
	}
	return nil
}

// outputs adds the objects that a timeline's document names: the outputs of its steps.
func (l *living) outputs(doc objects.ID, rec *manifest.Record) error {
	if !l.here(doc) {
		return nil
	}
	obj, err := l.open(doc)
	if err != nil {
		return fmt.Errorf("timeline %s: %w", rec.ID, err)
	}
	defer obj.Close()
	text, err := io.ReadAll(obj)
	if err != nil {
		return fmt.Errorf("timeline %s: %w", rec.ID, err)
	}
	for _, oid := range objectIDs().FindAll(text, -1) {
		if id, err := objects.ParseID(string(oid)); err == nil && l.here(id) {
			l.add(id, rec, false)
		}
	}
	return nil
}

// NamedIn are the objects that a record names, those in its result included.
func NamedIn(rec *manifest.Record) ([]string, error) {
	oids := rec.Objects()
	if !bytes.Contains(rec.RawResult, []byte(`"cases_oid"`)) && !bytes.Contains(rec.RawResult, []byte(`"artifacts"`)) {
		return oids, nil // the usual case; decoding every result would cost a second per 25,000
	}
	r, err := rec.Result()
	if err != nil {
		return nil, err
	}
	for _, a := range r.Artifacts {
		oids = append(oids, a.OID)
	}
	if r.CasesOID != "" {
		oids = append(oids, r.CasesOID)
	}
	return oids, nil
}

// ListsIn are the objects of a record from which tables are made: the list of its tests, and results that are too long
// for the record.
func ListsIn(rec *manifest.Record) (oids []string) {
	if rec.Outcomes != nil && rec.Outcomes.OID != "" {
		oids = append(oids, rec.Outcomes.OID)
	}
	if rec.ResultOID != "" {
		oids = append(oids, rec.ResultOID)
	}
	for n := 1; rec.Stage(n) != nil; n++ {
		oids = append(oids, ListsIn(rec.Stage(n))...)
	}
	return oids
}

// evidence says whether a capture shows a failure that still counts: see Live.
func (l *living) evidence(rec *manifest.Record) (bool, error) {
	if rec.Type != manifest.TypeCapture || rec.Key != "" && l.accounted[rec.Key] {
		return false, nil
	}
	r, err := resultOf(rec)
	if err != nil {
		return false, err
	}
	failed := fails(r)
	l.accounted[rec.Key] = accounted(rec, r) && (!failed || l.has(rec))
	return failed, nil
}

// has says whether the output of a capture is in this clone.
func (l *living) has(rec *manifest.Record) bool {
	if rec.Raw == nil {
		return false
	}
	id, err := objects.ParseID(rec.Raw.OID)
	return err == nil && l.here(id)
}

func (l *living) add(id objects.ID, rec *manifest.Record, evidence bool) {
	ref := l.refs[id]
	if rec.Time.After(ref.Newest) {
		ref.Newest = rec.Time
	}
	ref.Evidence = ref.Evidence || evidence
	ref.Captures = append(ref.Captures, rec.ID)
	l.refs[id] = ref
}

// pin applies the pins at the end, because a pin's clock may be behind that of the
// capture that it keeps, and because the object that it keeps may have no capture.
func (l *living) pin() error {
	for target, keep := range l.pinned {
		if !keep || !strings.HasPrefix(target, objectPrefix) {
			continue
		}
		id, err := objects.ParseID(target)
		if err != nil {
			return fmt.Errorf("a pin of %q: %w", target, err)
		}
		ref := l.refs[id]
		ref.Pinned = true
		l.refs[id] = ref
	}
	for id, ref := range l.refs {
		if slices.ContainsFunc(ref.Captures, func(run string) bool { return l.pinned[run] }) {
			ref.Pinned = true
			l.refs[id] = ref
		}
	}
	return nil
}

// fails says whether the capture is evidence that something went wrong.
func fails(r *result.ToolResult) bool {
	return r != nil && (r.Status == result.Failed || r.Status == result.Error || r.Status == result.Unknown)
}

// Pin records that a capture or an object is to be kept (keep) or no longer, and
// returns its whole id. target is a run id, an object id, or the beginning of either.
func Pin(ctx context.Context, s *place.Site, target, reason string, keep bool) (string, error) {
	out, err := Find(ctx, s, target)
	if err != nil {
		return "", err
	}
	id := out.ID.String()
	if out.ByRun {
		id = out.Record.ID
	}
	rec := &manifest.Record{Type: manifest.TypeUnpin, Target: id, Reason: result.CleanLine(redact.Text(reason))}
	if keep {
		rec.Type = manifest.TypePin
	}
	return id, s.Manifest.Append(ctx, rec)
}

// Evict records which objects of captures gc has removed, so that the history shows it
// too. The store has written its tombstones before.
func Evict(ctx context.Context, s *place.Site, gone []objects.Deletion) error {
	for _, d := range gone {
		if len(d.Captures) == 0 {
			continue
		}
		rec := &manifest.Record{Type: manifest.TypeEviction, Target: d.ID.String(), Reason: d.Why}
		if err := s.Manifest.Append(ctx, rec); err != nil {
			return fmt.Errorf("recording that %s was removed: %w", d.ID, err)
		}
	}
	return nil
}

// Here are the objects that this clone's own records name, which its store must have.
// Objects that only others' records name are in their clones.
func Here(ctx context.Context, s *place.Site) (map[objects.ID]bool, error) {
	here := map[objects.ID]bool{}
	for rec, err := range s.Manifest.Records(ctx, manifest.Query{}) {
		if err != nil {
			return nil, fmt.Errorf("finding out what this clone captured: %w", err)
		}
		if rec.Elsewhere() {
			continue
		}
		for _, oid := range rec.Objects() {
			if id, err := objects.ParseID(oid); err == nil {
				here[id] = true
			}
		}
	}
	return here, nil
}

// Freshness says in a few words whether a capture still describes the working tree: the
// tree is the same, or how many of the files that its findings name have changed since.
// It is "" if nothing can be said. Of files that git does not track, only those that
// findings name count.
func Freshness(ctx context.Context, s *place.Site, rec *manifest.Record, r *result.ToolResult) string {
	if s.Repo == nil || s.Repo.TopLevel == "" || rec.Git == nil {
		return ""
	}
	files := filesOf(r)
	touched := touchedSince(s, rec, files)
	if len(touched) == 0 && sameTree(ctx, s, rec) {
		if touched = untrackedSince(ctx, s, rec, files); len(touched) == 0 {
			return "same tree as now"
		}
	}
	if len(files) == 0 {
		return commitWords(s, rec)
	}
	if !wasDirty(rec) || rec.Git.Commit != s.Repo.Commit {
		other, err := s.Repo.ChangedSince(ctx, rec.Git.Commit, files)
		if err != nil { // the commit is not in this clone, or there was none
			return commitWords(s, rec)
		}
		for _, f := range other {
			touched = addNew(touched, f)
		}
	}
	return fmt.Sprintf("%d of %d files named have changed since", len(touched), len(files))
}

// sameTree says whether the commit's tree is the same, and neither then nor now was
// anything changed on top of it.
func sameTree(ctx context.Context, s *place.Site, rec *manifest.Record) bool {
	if wasDirty(rec) || s.Repo.Tree == "" {
		return false
	}
	if rec.Git.Commit != s.Repo.Commit {
		tree, err := s.Repo.TreeOf(ctx, rec.Git.Commit)
		if err != nil || tree != s.Repo.Tree {
			return false // the commit is not in this clone, so it is another one
		}
	}
	dirty, err := s.Repo.Dirty(ctx)
	return err == nil && !dirty
}

// wasDirty says whether tracked files were changed when the capture ran, or may have been.
func wasDirty(rec *manifest.Record) bool { return rec.Git.Dirty == nil || *rec.Git.Dirty }

func commitWords(s *place.Site, rec *manifest.Record) string {
	switch {
	case rec.Git.Commit == "":
		return ""
	case rec.Git.Commit == s.Repo.Commit && rec.Git.Dirty == nil:
		return "same commit" // a very short command ends before git has said whether there were changes
	case rec.Git.Commit == s.Repo.Commit:
		return "same commit, with changes"
	}
	return "another commit: " + rec.Git.Commit[:min(len(rec.Git.Commit), 12)]
}

// filesOf are the workspace files that findings name.
func filesOf(r *result.ToolResult) (files []string) {
	for _, f := range findingsOf(r) {
		if f.At != nil && !f.At.External && !slices.Contains(files, f.At.Path) {
			files = append(files, f.At.Path)
		}
	}
	return files
}

// untrackedSince are the files that git does not track and that may have changed since
// the capture. Git does not compare their contents, so the time of the inode change
// (ctime) decides, which no program can set back. If the record's time lies in the
// future, because of a wrong clock, it says nothing.
func untrackedSince(ctx context.Context, s *place.Site, rec *manifest.Record, files []string) (touched []string) {
	untracked, err := s.Repo.Untracked(ctx, files)
	if err != nil {
		return files
	}
	for _, f := range untracked {
		info, err := os.Stat(filepath.Join(s.Repo.TopLevel, filepath.FromSlash(f)))
		if err != nil || gitrepo.ChangedAt(info).After(rec.Time) || rec.Time.After(time.Now()) {
			touched = append(touched, f)
		}
	}
	return touched
}

// touchedSince goes by the time of the last change: it is set by the program that
// writes a file, git's checkout included, so within one working tree it misses
// no change; a file written again with the same content counts as changed.
func touchedSince(s *place.Site, rec *manifest.Record, files []string) (touched []string) {
	for _, f := range files {
		info, err := os.Stat(filepath.Join(s.Repo.TopLevel, filepath.FromSlash(f)))
		if err != nil || info.ModTime().After(rec.Time) {
			touched = append(touched, f)
		}
	}
	return touched
}
