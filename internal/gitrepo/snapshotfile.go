package gitrepo

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// The file of a snapshot is a cache: an unreadable file counts as missing, and nothing
// is synced. It begins with snapshotMagic, and ends with the CRC-32 of everything
// before, in four bytes of little endian. Between them numbers are varints, and texts
// have their length in front:
//
//	id, base, plain, staged,
//	number of entries, each: path, mode, oid, index, fixed, stamp
//	number of folders, each: path, names, stamp of its .gitignore, stamp
//
// A stamp is size, written, changed, inode, mode.
const snapshotMagic = "cairn worktree 1\n"

// maxSnapshot bounds the entries of a snapshot that is kept.
const maxSnapshot = 500_000

// makeDir makes the folder of snapshots. Its parent has to exist: otherwise the
// repository itself was removed.
func (w *WorktreeReader) makeDir() error {
	if err := os.Mkdir(w.dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// file is the file of this working tree's snapshot.
func (w *WorktreeReader) file() string {
	return filepath.Join(w.dir, w.repo.blobOID([]byte(w.repo.GitDir + "\n" + w.repo.TopLevel))[:16]+".snapshot")
}

// keep writes a snapshot, if it can be trusted later. A failure to write is ignored:
// the next reader asks git.
func (w *WorktreeReader) keep(s *treeState) {
	if s.base == "" || s.base != w.base() || len(s.entries) > maxSnapshot || w.makeDir() != nil {
		return
	}
	f, err := os.CreateTemp(w.dir, "scratch-")
	if err != nil {
		return
	}
	defer os.Remove(f.Name())
	_, err = f.Write(s.encode())
	if f.Close() == nil && err == nil && os.Rename(f.Name(), w.file()) == nil {
		w.keepTree(s)
	}
}

// Large says whether the snapshot is so large that reading it takes a moment.
func (w *WorktreeReader) Large() bool {
	const moment = 1 << 20
	st, err := os.Stat(w.file())
	return err == nil && st.Size() > moment
}

// wanted is the file that requests a snapshot.
func (w *WorktreeReader) wanted() string {
	return strings.TrimSuffix(w.file(), ".snapshot") + ".wanted"
}

// WantSnapshot requests a snapshot, since there was no time to read the tree.
func (w *WorktreeReader) WantSnapshot() {
	if w.makeDir() == nil {
		os.WriteFile(w.wanted(), nil, 0o600) // if it fails, the next reader asks git
	}
}

// SnapshotWanted removes the request and returns whether it existed.
func (w *WorktreeReader) SnapshotWanted() bool { return os.Remove(w.wanted()) == nil }

func (w *WorktreeReader) load() (*treeState, bool) {
	data, err := os.ReadFile(w.file())
	if err != nil {
		return nil, false
	}
	return decodeSnapshot(data)
}

func (s *treeState) encode() []byte {
	b := make([]byte, 0, 256+192*(len(s.entries)+len(s.folders)))
	b = append(b, snapshotMagic...)
	b = appendText(b, s.id, s.base)
	b = appendFlags(b, s.plain, s.staged)
	b = binary.AppendUvarint(b, uint64(len(s.entries)))
	for _, e := range s.entries {
		b = appendText(b, e.path, e.mode, e.oid, e.index)
		b = appendStamp(appendFlags(b, e.fixed), e.stamp)
	}
	b = binary.AppendUvarint(b, uint64(len(s.folders)))
	for _, f := range s.folders {
		b = appendStamp(appendStamp(binary.AppendUvarint(appendText(b, f.path), f.names), f.patterns), f.stamp)
	}
	return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
}

func appendText(b []byte, texts ...string) []byte {
	for _, s := range texts {
		b = append(binary.AppendUvarint(b, uint64(len(s))), s...)
	}
	return b
}

func appendFlags(b []byte, flags ...bool) []byte {
	for _, f := range flags {
		b = append(b, map[bool]byte{true: 1}[f])
	}
	return b
}

func appendStamp(b []byte, s stamp) []byte {
	for _, n := range []uint64{uint64(s.size), uint64(s.written), uint64(s.changed), s.inode, uint64(s.mode)} {
		b = binary.AppendUvarint(b, n)
	}
	return b
}

// snapshotReader decodes a file. Beyond its end everything is zero, and bad is set.
type snapshotReader struct {
	rest string
	bad  bool
}

func decodeSnapshot(data []byte) (*treeState, bool) {
	end := len(data) - 4
	if end < len(snapshotMagic) || string(data[:len(snapshotMagic)]) != snapshotMagic ||
		binary.LittleEndian.Uint32(data[end:]) != crc32.ChecksumIEEE(data[:end]) {
		return nil, false
	}
	r := &snapshotReader{rest: string(data[len(snapshotMagic):end])}
	s := &treeState{id: r.text(), base: r.text(), plain: r.flag(), staged: r.flag()}
	s.entries = make([]leaf, r.count())
	for i := range s.entries {
		s.entries[i] = leaf{path: r.text(), mode: r.text(), oid: r.text(), index: r.text(), fixed: r.flag(), stamp: r.stamp()}
	}
	s.folders = make([]folder, r.count())
	for i := range s.folders {
		s.folders[i] = folder{path: r.text(), names: r.number(), patterns: r.stamp(), stamp: r.stamp()}
	}
	return s, !r.bad && r.rest == ""
}

func (r *snapshotReader) number() (n uint64) {
	for i := 0; i < len(r.rest) && i < binary.MaxVarintLen64; i++ {
		n |= uint64(r.rest[i]&0x7f) << (7 * i)
		if r.rest[i] < 0x80 {
			r.rest = r.rest[i+1:]
			return n
		}
	}
	r.rest, r.bad = "", true
	return 0
}

// count reads a number of elements, each of which has at least one byte.
func (r *snapshotReader) count() int {
	n := r.number()
	if n > uint64(len(r.rest)) {
		r.bad = true
		return 0
	}
	return int(n)
}

func (r *snapshotReader) text() string {
	n := r.count()
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

func (r *snapshotReader) flag() bool { return r.number() != 0 }

func (r *snapshotReader) stamp() stamp {
	return stamp{size: int64(r.number()), written: int64(r.number()), changed: int64(r.number()), inode: r.number(), mode: uint32(r.number())}
}

// stamp is the stat data by which an unchanged file is recognised. The zero stamp is
// that of a missing file.
type stamp struct {
	size    int64
	written int64 // nanoseconds
	changed int64 // nanoseconds; same as written if the system has no such time
	inode   uint64
	mode    uint32
}

func stampOf(st fs.FileInfo) stamp {
	s := stamp{size: st.Size(), written: st.ModTime().UnixNano(), mode: uint32(st.Mode())}
	s.changed = s.written
	if number, change, ok := inodeOf(st); ok {
		s.inode, s.changed = number, change.UnixNano()
	}
	return s
}

// changedAt is the later of a file's two times: a program can set back the time of its
// content, but not that of its change.
func changedAt(st fs.FileInfo) time.Time {
	at := st.ModTime()
	if _, change, ok := inodeOf(st); ok && change.After(at) {
		return change
	}
	return at
}

// A Moment is a time of the clock that the kernel uses for file times: a later change
// has a stamp that is not before it.
type Moment struct{ at time.Time }

// Now is the present Moment.
func Now() Moment { return Moment{stampClock()} }

// before says that a file with this stamp was last changed before m.
func (m Moment) before(s stamp) bool { return s.changed < m.at.UnixNano() }
