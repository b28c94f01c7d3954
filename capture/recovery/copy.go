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

// errLongCopy says that record and output together are too long for a line of a journal.
var errLongCopy = errors.New("record and output are too long for a copy in the journal")

// copied is the line of a journal that holds a whole capture.
type copied struct {
	Record json.RawMessage `json:"record"` // the record's line in the manifest
	Output []byte          `json:"output"`
	Stages [][]byte        `json:"stages,omitempty"` // the outputs of the line's commands, each an object of its own
}

// copyStart is the beginning of a copied line.
const copyStart = `{"record":`

func encodeCopy(rec *manifest.Record, output []byte, stages [][]byte) ([]byte, error) {
	record, err := rec.Encode()
	if err != nil {
		return nil, err
	}
	var line bytes.Buffer
	e := json.NewEncoder(&line) // adds the newline
	e.SetEscapeHTML(false)      // so that the manifest's line is unchanged
	switch err := e.Encode(copied{record, output, stages}); {
	case err != nil:
		return nil, err
	case len(output) > MaxCopied || line.Len() > manifest.MaxLine:
		return nil, errLongCopy
	}
	return line.Bytes(), nil
}

// A journal with a copy moves to settleDir when its capture is recorded, since the
// capture is then neither running nor cut short.

func settleDir(dir string) string { return filepath.Join(dir, "settling") }

// settles moves the journal to settleDir. If it cannot be moved, the next command that
// looks for captures which were cut short settles it where it is.
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

// Unsettled says whether there are journals to settle whose lock is free.
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

// Settle makes durable the captures that are only in journals, and removes these journals.
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

// settle makes sure that the object and the record of a copied capture are on stable
// storage, even after a power cut.
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

// dropStages removes the spools of stages that died before these became objects. By now the copy has made objects of
// them.
func (f *Finisher) dropStages(id string) {
	spools, _ := f.Objects.Abandoned() // on error a spool stays, and fsck reports it
	for _, spool := range spools {
		if strings.HasPrefix(spool.Name, id+"-") {
			spool.Recover()
		}
	}
}

// recordCopy appends the record of a copy, unless the manifest has it. A record that a
// newer cairn wrote is appended unchanged.
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

// errSetAside says that cairn can do nothing with a journal.
var errSetAside = errors.New("to be set aside")

// lacksCopy says whether a journal that should hold a copy holds none, nor anything
// else from which the capture could be recorded.
func (f *Finisher) lacksCopy(l *Left) bool {
	if !l.spoilt && filepath.Dir(l.path) != settleDir(f.Dir) {
		return false
	}
	size, _ := f.Objects.SpoolSize(l.id())
	_, err := os.Stat(spoolLink(l.path))
	return size == 0 && err != nil
}

// settleDamaged settles a capture whose copy cannot be used. Its object and line
// usually exist, since only a power cut could have lost them. Otherwise what is known
// is recorded, and the journal is set aside.
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
		return errSetAside // happens only if both are damaged at once
	}
	if _, err := f.Objects.Settle(output); err != nil {
		return err
	}
	return f.Manifest.Sync(rec.Time)
}

// dropSpool removes the spool of a capture that is recorded.
func (f *Finisher) dropSpool(l *Left) {
	if _, err := f.Objects.SpoolSize(l.id()); err == nil {
		f.spool(l.id()) // makes it the object, which exists already
	}
}
