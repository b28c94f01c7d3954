package gitrepo

import (
	"io/fs"
	"time"
)

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
