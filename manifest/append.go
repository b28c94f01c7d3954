package manifest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"cairn/internal/durable"
)

// Append writes r as one line and returns once it is on stable storage. It
// fills in V, and ID and Time where they are empty. An error means that the
// record was not written and that the shard is as it was before, unless the
// error says otherwise. The cost does not depend on how many records there are.
// ctx bounds the wait for the lock: a caller that must not lose the record of
// an interrupted run passes one that is not cancelled.
func (m *Manifest) Append(ctx context.Context, r *Record) error { return m.append(ctx, r, true) }

// AppendUnsynced is Append without waiting for the disk. The caller must keep the
// record on stable storage elsewhere until it has called Sync. Every reader sees the
// line at once, and it survives the death of this process; a power cut may lose it.
func (m *Manifest) AppendUnsynced(ctx context.Context, r *Record) error {
	return m.append(ctx, r, false)
}

func (m *Manifest) append(ctx context.Context, r *Record, lasting bool) error {
	line, err := m.prepare(r)
	if err != nil {
		return err
	}
	err = m.opts.May()
	var unlock func()
	if err == nil {
		unlock, err = lock(ctx, m.path(appendLock), lockPatience)
	}
	if err != nil {
		return fmt.Errorf("record %s was not written: %w", r.ID, err)
	}
	defer unlock()
	if err := m.appendLocked(dayOf(r.Time), line, lasting); err != nil {
		return fmt.Errorf("record %s was not written: %w", r.ID, err)
	}
	return nil
}

// ErrNoRecord says that a line is not a record of any version.
var ErrNoRecord = errors.New("it is not a record")

// AppendLine appends a line of another manifest unchanged, as Append does. It is for
// lines that this version cannot decode, because a newer cairn wrote them.
func (m *Manifest) AppendLine(ctx context.Context, line []byte) error {
	id, at := identity(line)
	when, err := time.Parse(TimeLayout, at)
	if err != nil || !whole(line) || len(line)+1 > MaxLine || bytes.IndexByte(line, '\n') >= 0 {
		return ErrNoRecord
	}
	unlock, err := lock(ctx, m.path(appendLock), lockPatience)
	if err == nil {
		defer unlock()
		err = m.appendLocked(dayOf(when), append(bytes.Clone(line), '\n'), true)
	}
	if err != nil {
		return fmt.Errorf("record %s was not written: %w", id, err)
	}
	return nil
}

// prepare fills in r's empty fields and encodes it with a newline.
func (m *Manifest) prepare(r *Record) ([]byte, error) {
	if r.line != nil {
		return nil, fmt.Errorf("record %s was not written: it was read from a manifest, and would be written as it was read whatever was changed; append a new one", r.ID)
	}
	r.V = cmp.Or(r.V, Version)
	if r.Time.IsZero() {
		r.Time = m.opts.Now()
	}
	r.Time = r.Time.UTC().Truncate(time.Microsecond)
	if y := r.Time.Year(); y < 1970 || y > 9999 {
		return nil, fmt.Errorf("record %s was not written: year %d is outside 1970 to 9999; is the clock right?", r.ID, y)
	}
	if r.ID == "" {
		id, err := NewID(r.Time)
		if err != nil {
			return nil, err
		}
		r.ID = id
	}
	if _, err := ulid.ParseStrict(r.ID); err != nil {
		return nil, fmt.Errorf("record %q was not written: its id is not a ulid: %w", r.ID, err)
	}
	line, err := r.Encode()
	if err != nil {
		return nil, err
	}
	if len(line)+1 > MaxLine {
		return nil, fmt.Errorf("record %s was not written: its line has %d bytes, %d fit; shorten argv, or keep the full result as an object and name it in result_oid",
			r.ID, len(line)+1, MaxLine)
	}
	return append(line, '\n'), nil
}

// Sync makes durable what AppendUnsynced has appended on the days of the given times.
// Only the last shard of a day can hold unsynced lines: see appendLocked.
func (m *Manifest) Sync(times ...time.Time) error {
	var days []day
	for _, t := range times {
		if d := dayOf(t); !slices.Contains(days, d) {
			days = append(days, d)
		}
	}
	return m.syncDays(days)
}

func (m *Manifest) syncDays(days []day) error {
	writer, err := m.readWriter()
	if err != nil || writer == "" {
		return err
	}
	for _, d := range days {
		n, err := m.lastShard(d, writer, 0)
		if err == nil && n > 0 {
			err = m.syncShard(shardPath(d, writer, n))
		}
		if err != nil {
			return fmt.Errorf("making the records of %s durable: %w", d, err)
		}
	}
	return nil
}

func (m *Manifest) syncShard(shard string) error {
	f, err := m.openShard(m.path(shard), false)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

// appendLocked appends line to the last shard of d, or opens the next shard. Before
// that it syncs the last shard, and it always syncs the new one, so that only the last
// shard of a day can hold unsynced lines. The caller holds the append lock.
func (m *Manifest) appendLocked(d day, line []byte, lasting bool) error {
	writer, err := m.writerID()
	if err != nil {
		return err
	}
	hint, err := m.markPending(d)
	if err != nil {
		return err
	}
	n, err := m.lastShard(d, writer, hint)
	if err != nil {
		return err
	}
	if n > 0 {
		if done, err := m.appendTo(shardPath(d, writer, n), line, lasting); done || err != nil {
			return err
		}
		if err := m.syncShard(shardPath(d, writer, n)); err != nil {
			return fmt.Errorf("making %s durable: %w", shardPath(d, writer, n), err)
		}
	}
	if err := m.appendNew(shardPath(d, writer, n+1), line); err != nil {
		return err
	}
	m.hintShard(d, n+1)
	return nil
}

// appendTo appends line to an existing shard; done is false if the shard has no room
// for it. If a crash cut off the last line of the shard, the same write first ends that
// line with a newline, so that the cut line stays visible and the new line is separate.
func (m *Manifest) appendTo(shard string, line []byte, lasting bool) (done bool, err error) {
	f, err := m.openShard(m.path(shard), false)
	if err != nil {
		return false, err
	}
	defer f.Close()
	size, err := f.Size()
	if err != nil {
		return false, err
	}
	torn, err := tornAt(f, size)
	if err != nil {
		return false, fmt.Errorf("reading the end of %s: %w", shard, err)
	}
	if torn {
		line = append([]byte{'\n'}, line...)
	}
	if size > 0 && size+int64(len(line)) > MaxShard {
		return false, nil
	}
	return true, write(f, shard, size, line, lasting)
}

// appendNew opens a new shard with line in it.
func (m *Manifest) appendNew(shard string, line []byte) error {
	path := m.path(shard)
	f, err := m.openShard(path, true)
	if errors.Is(err, fs.ErrNotExist) {
		if err = durable.MkdirAll(filepath.Dir(path)); err == nil {
			f, err = m.openShard(path, true)
		}
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if err := write(f, shard, 0, line, true); err != nil {
		return err
	}
	if err := durable.SyncDir(filepath.Dir(path)); err != nil {
		return errors.Join(fmt.Errorf("making %s durable: %w", shard, err), f.Truncate(0))
	}
	return nil
}

// tornAt says whether a file of the given size ends inside a line.
func tornAt(f shardFile, size int64) (bool, error) {
	if size == 0 {
		return false, nil
	}
	var last [1]byte
	if _, err := f.ReadAt(last[:], size-1); err != nil {
		return false, err
	}
	return last[0] != '\n', nil
}

// write writes line with one write and, if lasting, one sync. If either fails, it cuts
// the shard back to its old size.
func write(f shardFile, shard string, size int64, line []byte, lasting bool) error {
	_, err := f.Write(line)
	if err == nil && lasting {
		err = f.Sync()
	}
	if err == nil {
		return nil
	}
	err = fmt.Errorf("appending to %s: %w", shard, err)
	if cut := f.Truncate(size); cut != nil {
		return errors.Join(err, fmt.Errorf("and part of the line may have stayed, the next append ends it: %w", cut))
	}
	return err
}

// Each day that was appended to has a file in pendingDir, its mark, so that a fold
// looks only at marked days. The mark is made before the first line, and removed when a
// later day has a mark and all lines of the day are folded. It holds the number of the
// last shard, as a hint that may be out of date or torn.

func (m *Manifest) pendingPath(d day) string {
	return m.path(pendingDir + "/" + strings.ReplaceAll(string(d), "/", "-"))
}

// markPending notes that d will be appended to, and returns the number of the last shard
// of d if the mark knows it, else 0. The caller holds the append lock.
func (m *Manifest) markPending(d day) (hint int, err error) {
	path := m.pendingPath(d)
	b, err := os.ReadFile(path)
	if err == nil {
		hint, _ = strconv.Atoi(string(bytes.TrimSpace(b)))
		return max(hint, 0), nil
	}
	if err := replace(path, nil, true); err != nil {
		return 0, fmt.Errorf("noting that %s has records to fold: %w", d, err)
	}
	return 0, nil
}

// hintShard writes the number of the last shard into the mark of d. If that fails, the
// next append searches for the last shard.
func (m *Manifest) hintShard(d day, n int) {
	os.WriteFile(m.pendingPath(d), strconv.AppendInt(nil, int64(n), 10), durable.FileMode)
}

// pendingDays lists the days with a mark, oldest first.
func (m *Manifest) pendingDays() ([]day, error) {
	names, err := os.ReadDir(m.path(pendingDir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("looking for records to fold: %w", err)
	}
	var days []day
	for _, e := range names {
		p := strings.Split(e.Name(), "-")
		if len(p) == 3 && digits(p[0], 4) && digits(p[1], 2) && digits(p[2], 2) {
			days = append(days, day(strings.Join(p, "/")))
		}
	}
	slices.Sort(days)
	return days, nil
}
