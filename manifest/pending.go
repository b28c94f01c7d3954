package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/durable"
)

// A day that was appended to has a file in pendingDir, its mark, so that a fold
// looks at those days and at no other. The mark is there before the first
// line is, and goes when a later day has one and all of its own is folded. It
// holds the number of the last shard, as a hint that may be stale or torn.

func (m *Manifest) pendingPath(d day) string {
	return m.path(pendingDir + "/" + strings.ReplaceAll(string(d), "/", "-"))
}

// markPending notes that d will be appended to, and gives the number of its
// last shard as far as the mark knows, 0 when it does not. The caller holds
// the append lock.
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

// hintShard puts the number of the last shard into the mark of d. Failing is
// no harm: the shard is looked for then.
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
