package recall

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"cairn/internal/place"
)

// recalledFile counts the bytes of outputs that were read again. Each line has a Unix
// time in seconds and a number of bytes. It is for statistics only: a line may be lost,
// and a failure to write is ignored.
const recalledFile = "recalled"

// NoteRecalled records that bytes of an output were read again.
func NoteRecalled(s *place.Site, bytes int64, now time.Time) {
	f, err := os.OpenFile(filepath.Join(s.Dir, recalledFile), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	fmt.Fprintf(f, "%d %d\n", now.Unix(), bytes)
}

// Recalled is how many bytes were read again in this clone since the given time.
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
