package recovery

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"cairn/manifest"
)

// MaxCopied is the longest output that a journal takes a copy of, in bytes.
const MaxCopied = 16 << 10

// errLongCopy says that record and output together are more than a line of a journal.
var errLongCopy = errors.New("record and output are too long for a copy in the journal")

// copied is the line of a journal that holds a whole capture.
type copied struct {
	Record json.RawMessage `json:"record"` // the line of the manifest
	Output []byte          `json:"output"`
}

func encodeCopy(rec *manifest.Record, output []byte) ([]byte, error) {
	record, err := rec.Encode()
	if err != nil {
		return nil, err
	}
	line, err := json.Marshal(copied{record, output})
	switch {
	case err != nil:
		return nil, err
	case len(output) > MaxCopied || len(line) >= manifest.MaxLine:
		return nil, errLongCopy
	}
	return append(line, '\n'), nil
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

// Unsettled says whether journals wait to be settled.
func (f *Finisher) Unsettled() bool {
	names, err := names(settleDir(f.Dir))
	return err == nil && len(names) > 0
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
	info, err := f.Objects.Settle(l.copy.output)
	if err != nil {
		return err
	}
	if rec.Raw == nil || rec.Raw.OID != info.ID.String() {
		return fmt.Errorf("the output in the journal %s is not the one that its record names", l.path)
	}
	if _, err = f.Manifest.Find(ctx, l.id()); errors.Is(err, manifest.ErrNotFound) {
		err = f.Manifest.Append(ctx, rec)
	} else if err == nil {
		err = f.Manifest.Sync(rec.Time)
	}
	if err == nil {
		f.dropSpool(l.id())
	}
	return err
}

// dropSpool removes the spool of a capture that died before it had made an object of it.
func (f *Finisher) dropSpool(id string) {
	if _, err := f.Objects.SpoolSize(id); err == nil {
		f.spool(id) // it becomes the object that is there
	}
}
