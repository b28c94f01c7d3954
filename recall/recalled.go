package recall

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"cairn/internal/place"
)

// recalledFile says how much was read again, a line a time: when, in seconds, and
// how many bytes. It is for statistics only: a line that is lost is no harm, and
// nothing fails for it.
const recalledFile = "recalled"

// NoteRecalled writes down that so many bytes of an output were read again.
func NoteRecalled(s *place.Site, bytes int64, now time.Time) {
	f, err := os.OpenFile(filepath.Join(s.Dir, recalledFile), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	fmt.Fprintf(f, "%d %d\n", now.Unix(), bytes)
}

// Recalled is how many bytes were read again in this clone since a time.
func Recalled(s *place.Site, since time.Time) (total int64) {
	f, err := os.Open(filepath.Join(s.Dir, recalledFile))
	if err != nil {
		return 0
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var at, n int64
		if _, err := fmt.Sscan(lines.Text(), &at, &n); err == nil && at >= since.Unix() {
			total += n
		}
	}
	return total
}
