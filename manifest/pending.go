package manifest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// A day that was appended to has an empty file in pendingDir, so that a fold
// looks at those days and at no other. The file is there before the first
// line is, and goes when a later day has one and all of its own is folded.

func (m *Manifest) pendingPath(d day) string {
	return m.path(pendingDir + "/" + strings.ReplaceAll(string(d), "/", "-"))
}

// markPending notes that d will be appended to. The caller holds the append
// lock.
func (m *Manifest) markPending(d day) error {
	path := m.pendingPath(d)
	if _, err := os.Lstat(path); err == nil {
		return nil
	}
	if err := replace(path, nil, true); err != nil {
		return fmt.Errorf("noting that %s has records to fold: %w", d, err)
	}
	return nil
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
