package recovery

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cairn/manifest"
	"cairn/objects"
)

// MaxCopied is the longest output that a journal takes a copy of, in bytes.
const MaxCopied = 16 << 10

// errLongCopy says that record and output together are more than a line of a journal.
var errLongCopy = errors.New("record and output are too long for a copy in the journal")

// copied is the line of a journal that holds a whole capture.
type copied struct {
	Record json.RawMessage `json:"record"` // the line of the manifest
	Output []byte          `json:"output"`
	Stages [][]byte        `json:"stages,omitempty"` // what commands of the line printed, each an object of its own
}

// copyStart is how the line of a copy begins.
const copyStart = `{"record":`

func encodeCopy(rec *manifest.Record, output []byte, stages [][]byte) ([]byte, error) {
	record, err := rec.Encode()
	if err != nil {
		return nil, err
	}
	var line bytes.Buffer
	e := json.NewEncoder(&line) // it ends the line
	e.SetEscapeHTML(false)      // the line of the manifest stays as it is
	switch err := e.Encode(copied{record, output, stages}); {
	case err != nil:
		return nil, err
	case len(output) > MaxCopied || line.Len() > manifest.MaxLine:
		return nil, errLongCopy
	}
	return line.Bytes(), nil
}

// A journal with a copy moves to settleDir when its capture is recorded, since it then
// is of no capture that goes on, or was cut short.

func settleDir(dir string) string { return filepath.Join(dir, "settling") }

// settles moves the journal to where it waits to be settled. If it cannot be moved, the
// next command that looks for captures that were cut short settles it where it is.
func (j *Journal) settles() {
	dir := settleDir(filepath.Dir(filepath.Dir(j.path)))
	to := filepath.Join(dir, filepath.Base(j.path))
	err := os.Rename(j.path, to)
	if errors.Is(err, os.ErrNotExist) && os.Mkdir(dir, 0o700) == nil {
		err = os.Rename(j.path, to)
	}
	if err == nil {
		j.path = to
	}
}

// Unsettled says whether journals wait to be settled that no other process has.
func (f *Finisher) Unsettled() bool {
	dir := settleDir(f.Dir)
	names, _ := names(dir)
	return slices.ContainsFunc(names, func(name string) bool { return f.waits(filepath.Join(dir, name)) })
}

// waits says whether a journal can be settled now.
func (f *Finisher) waits(path string) bool {
	l, _, err := takeLeft(path)
	if err != nil || l == nil {
		return false
	}
	defer l.close()
	return l.size() > 0 || l.age(f.Now()) >= newborn
}

// Settle makes durable what captures have left to their journals, and removes those.
func (f *Finisher) Settle(ctx context.Context) error {
	dir := settleDir(f.Dir)
	names, err := names(dir)
	for _, name := range names {
		l, _, lerr := takeLeft(filepath.Join(dir, name))
		if l != nil {
			lerr = f.finish(ctx, l)
		}
		err = errors.Join(err, lerr)
	}
	return err
}

// settle sees to it that a capture of which there is a copy is stored and recorded, on
// stable storage, whatever a power cut has taken.
func (f *Finisher) settle(ctx context.Context, l *Left) error {
	rec := l.copy.record
	if rec.Raw == nil || rec.Raw.OID != objects.InfoOf(l.copy.output).ID.String() {
		return damage("the output in it is not the one that its record names")
	}
	if !l.there() {
		return errRemoved
	}
	release, err := f.Objects.Hold() // until a record names the object
	if err != nil {
		return err
	}
	defer release()
	for _, output := range append(l.copy.stages, l.copy.output) {
		if _, err = f.Objects.Settle(output); err != nil {
			return err
		}
	}
	if err = f.recordCopy(ctx, l); err == nil && len(l.copy.stages) > 0 {
		f.dropStages(l.id())
	}
	return err
}

// dropStages removes the spools of stages that became no object before the capture died: each is one by now.
func (f *Finisher) dropStages(id string) {
	spools, _ := f.Objects.Abandoned() // one that is left is shown by fsck
	for _, spool := range spools {
		if strings.HasPrefix(spool.Name, id+"-") {
			spool.Recover()
		}
	}
}

// recordCopy appends the record of a copy if it is not there, and the one that a newer
// cairn wrote as it is.
func (f *Finisher) recordCopy(ctx context.Context, l *Left) error {
	rec := l.copy.record
	there, err := f.Manifest.Has(ctx, rec.ID)
	switch {
	case err != nil:
		return err
	case there:
		return f.Manifest.Sync(rec.Time)
	case !l.there():
		return errRemoved
	case rec.V > manifest.Version:
		return f.Manifest.AppendLine(ctx, l.copy.line)
	}
	return f.Manifest.Append(ctx, rec.Moved())
}

// damage says what is wrong with a copy.
type damage string

func (d damage) Error() string { return string(d) }

// errSetAside says that a journal is of no more use to cairn.
var errSetAside = errors.New("to be set aside")

// lacksCopy says whether a journal that should hold a copy holds none, and nothing else
// that the capture could be recorded from.
func (f *Finisher) lacksCopy(l *Left) bool {
	if !l.spoilt && filepath.Dir(l.path) != settleDir(f.Dir) {
		return false
	}
	size, _ := f.Objects.SpoolSize(l.id())
	_, err := os.Stat(spoolLink(l.path))
	return size == 0 && err != nil
}

// settleDamaged settles a capture whose copy cannot be used. As a rule object and line
// are there all the same, since only a power cut takes them. Otherwise what is known is
// recorded, and the journal is of no more use.
func (f *Finisher) settleDamaged(ctx context.Context, l *Left, why error) error {
	rec, err := f.Manifest.Find(ctx, l.id())
	if errors.Is(err, manifest.ErrNotFound) {
		l.Lost = why
		return cmp.Or(f.recordOnce(ctx, l), errSetAside)
	}
	if err != nil {
		return err
	}
	if rec.Raw == nil {
		return f.Manifest.Sync(rec.Time)
	}
	id, err := objects.ParseID(rec.Raw.OID)
	if err != nil {
		return err
	}
	output, err := f.Objects.ReadAll(id)
	if err != nil {
		return errSetAside // unless both are damaged at once, this does not happen
	}
	if _, err := f.Objects.Settle(output); err != nil {
		return err
	}
	return f.Manifest.Sync(rec.Time)
}

// dropSpool removes the spool of a capture that is recorded.
func (f *Finisher) dropSpool(l *Left) {
	if _, err := f.Objects.SpoolSize(l.id()); err == nil {
		f.spool(l.id()) // it becomes the object that is there
	}
}
