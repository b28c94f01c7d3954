package recall

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cairn/internal/place"
	"cairn/internal/streams"
	"cairn/manifest"
	"cairn/objects"
	"cairn/result"
)

// Output is the output of a capture, or any other object.
type Output struct {
	ID     objects.ID
	Record *manifest.Record // the newest capture that printed it; nil for an object of no capture
	ByRun  bool             // Find resolved the id of a run
	site   *place.Site
}

// Stage is the output of stage n of the capture's command line, counted from 1, as if that command alone had been
// captured.
func (o *Output) Stage(n int) (*Output, error) {
	all := 0
	for o.Record != nil && o.Record.Stage(all+1) != nil {
		all++
	}
	switch {
	case o.Record != nil && o.Record.Stages != nil && o.Record.Stages.Unread:
		return nil, fmt.Errorf("the line of capture %s was not understood, so nothing is known of its stages", o.Record.ID)
	case all == 0:
		return nil, errors.New("this capture has no stages: nothing is kept of the commands of its line but what the line printed")
	case n > all || n < 1:
		return nil, fmt.Errorf("capture %s has the stages 1 to %d, and not %d", o.Record.ID, all, n)
	}
	stage := &Output{Record: o.Record.Stage(n), ByRun: o.ByRun, site: o.site}
	if stage.Record.Raw == nil {
		return stage, nil
	}
	id, err := objects.ParseID(stage.Record.Raw.OID)
	stage.ID = id
	return stage, err
}

// Open opens the exact bytes. Every byte is checked against the digest before it is returned.
func (o *Output) Open() (*objects.Object, error) {
	if o.ID.IsZero() {
		return nil, fmt.Errorf("capture %s kept no output", o.Record.ID)
	}
	obj, err := o.site.Objects.OpenObject(o.ID)
	if errors.Is(err, objects.ErrNotFound) && o.Record != nil && o.Record.Elsewhere() {
		return nil, fmt.Errorf("the output of capture %s is not in this clone, but in the one that made it, and in the remote to which that one pushes (cairn remote add NAME URL here, cairn objects push there): %w", o.Record.ID, err)
	}
	return obj, err
}

// errNoOrder says that the object is not a capture's raw output, which alone has streams.
var errNoOrder = errors.New("this is not the output of a capture, so it has no streams")

// Order reads the stream order of the output.
func (o *Output) Order() ([]byte, error) {
	if o.Record == nil || o.Record.Raw == nil || o.Record.Raw.OID != o.ID.String() {
		return nil, errNoOrder
	}
	order := o.Record.Raw.StreamOrder()
	if !strings.HasPrefix(order, "sha256:") {
		return streams.FromInline(order), nil
	}
	id, err := objects.ParseID(order)
	if err != nil {
		return nil, fmt.Errorf("record %s: %w", o.Record.ID, err)
	}
	return o.site.Objects.ReadAll(id)
}

// Stream copies one stream exactly.
func (o *Output) Stream(w io.Writer, stream int) error {
	return o.spans(func(obj io.ReaderAt, s streams.Span) error {
		if s.Stream != stream {
			return nil
		}
		_, err := io.Copy(w, io.NewSectionReader(obj, s.Offset, s.End-s.Offset))
		return err
	})
}

// Replay copies both streams, each to its own writer, at the pace at which the command
// printed them. sleep is time.Sleep, or nil for no pauses.
func (o *Output) Replay(stdout, stderr io.Writer, sleep func(time.Duration)) error {
	var at int64
	return o.spans(func(obj io.ReaderAt, s streams.Span) error {
		if sleep != nil && s.MS > at {
			sleep(time.Duration(s.MS-at) * time.Millisecond)
			at = s.MS
		}
		to := stdout
		if s.Stream == streams.Stderr {
			to = stderr
		}
		_, err := io.Copy(to, io.NewSectionReader(obj, s.Offset, s.End-s.Offset))
		return err
	})
}

func (o *Output) spans(yield func(io.ReaderAt, streams.Span) error) error {
	order, err := o.Order()
	if err != nil {
		return err
	}
	obj, err := o.Open()
	if err != nil {
		return err
	}
	defer obj.Close()
	return streams.Spans(bytes.NewReader(order), obj.Size(), func(s streams.Span) error { return yield(obj, s) })
}

// Elsewhere is the directory in which the command ran, below the root; "" if it is the
// reader's own directory.
func (o *Output) Elsewhere() string {
	if o.Record == nil || o.Record.Dir == o.site.Rel {
		return ""
	}
	return o.Record.Dir
}

// Result is the whole result of the capture. If it is not whole, note says why.
func (o *Output) Result() (r *result.ToolResult, note string, err error) {
	if o.Record == nil {
		return nil, "", fmt.Errorf("%s is an object of no capture, so it has no result", o.ID)
	}
	if r, err = o.Record.Result(); err != nil {
		return nil, "", err
	}
	if r == nil {
		return nil, "", fmt.Errorf("capture %s has no result", o.Record.ID)
	}
	r, note = Whole(o.site, o.Record, r)
	return r, note, nil
}

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
