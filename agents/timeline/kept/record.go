package kept

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"

	"cairn/agents/timeline"
	"cairn/internal/ambiguous"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/objects"
	"cairn/redact"
	"cairn/result"
)

// Whole is a timeline with its steps, if they are in this store.
type Whole struct {
	Head  timeline.Details
	Steps []timeline.Entry
	OID   string // of the document; "" while the subagent runs
	Says  string // how it ended, as recorded; "" while it runs
	Away  string // why the steps are not in this store; "" if they are

	held bool
}

// Running says whether its process is running.
func (w *Whole) Running() bool { return w.held }

// record stores a document and appends its record.
func record(ctx context.Context, s *place.Site, head timeline.Details, doc string) (oid string, err error) {
	release, err := s.Objects.Hold()
	if err != nil {
		return "", fmt.Errorf("keeping timeline %s: %w", head.AgentID, err)
	}
	defer release()
	info, err := s.Objects.Put(strings.NewReader(doc))
	if err != nil {
		return "", fmt.Errorf("keeping timeline %s: %w", head.AgentID, err)
	}
	clean := func(text string) string { return result.CleanLine(redact.Text(text)) }
	rec := &manifest.Record{
		Type: manifest.TypeTimeline, Target: info.ID.String(), Reason: shortened(clean(says(head))), Time: time.UnixMilli(head.Began),
		DurationMS: head.DurationMS, Dir: clean(s.Rel),
		By:  &manifest.By{Agent: "pi", Session: clean(head.AgentID), Parent: clean(head.Session)},
		Raw: &manifest.Raw{OID: info.ID.String(), Size: info.Size, Lines: info.Lines},
	}
	return info.ID.String(), s.Manifest.Append(ctx, rec)
}

// says is how a subagent ended, in one line.
func says(d timeline.Details) string {
	line := fmt.Sprintf("%s %s: %s (%s)", d.DisplayName, d.Status, d.Description, d.Spent())
	if d.Error != "" {
		line += ": " + d.Error
	}
	return line
}

// shortened is a line of at most maxSays characters. It is redacted first: a secret that has been cut is not
// recognized.
func shortened(line string) string {
	if runes := []rune(line); len(runes) > maxSays {
		line = string(runes[:maxSays]) + "…"
	}
	return line
}

const maxSays = 300

// timelineLine is contained in the line of every record of a timeline, and in few others.
var timelineLine = [][]byte{[]byte(`"type":"timeline"`)}

// errEnough ends a search.
var errEnough = errors.New("enough")

// recorded calls visit for each recorded timeline, newest first, without its steps.
func recorded(ctx context.Context, s *place.Site, visit func(rec *manifest.Record) error) error {
	for rec, err := range s.Manifest.Records(ctx, manifest.Query{Newest: true, Contains: timelineLine}) {
		if err != nil {
			return fmt.Errorf("reading the record: %w", err)
		}
		if rec.Type != manifest.TypeTimeline || rec.By == nil || rec.Raw == nil {
			continue
		}
		if err := visit(rec); errors.Is(err, errEnough) {
			return nil
		} else if err != nil {
			return err
		}
	}
	return nil
}

// List returns the heads of the newest timelines, running ones first. A limit of 0 means all.
func List(ctx context.Context, s *place.Site, limit int) ([]*Whole, error) {
	files, err := live(s)
	if err != nil {
		return nil, err
	}
	all := make([]*Whole, 0, len(files))
	for _, w := range files {
		if w.Head.Began != 0 {
			w.Steps = nil
			all = append(all, w)
		}
	}
	slices.SortFunc(all, func(a, b *Whole) int { return int(b.Head.Began - a.Head.Began) })
	err = recorded(ctx, s, func(rec *manifest.Record) error {
		if limit > 0 && len(all) >= limit {
			return errEnough
		}
		w := of(s, rec)
		w.Steps = nil
		all = append(all, w)
		return nil
	})
	return all, err
}

// Open returns a timeline by its id, or by a beginning or an end of the id that is unique. It returns fs.ErrNotExist if
// there is no such timeline.
func Open(ctx context.Context, s *place.Site, id string) (*Whole, error) {
	files, err := live(s)
	if err != nil {
		return nil, err
	}
	found := map[string]*Whole{}
	for _, w := range files {
		if fits(w.Head.AgentID, id) {
			found[w.Head.AgentID] = w
		}
	}
	err = recorded(ctx, s, func(rec *manifest.Record) error {
		if fits(rec.By.Session, id) && found[rec.By.Session] == nil {
			found[rec.By.Session] = of(s, rec)
		}
		if rec.By.Session == id {
			return errEnough
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if w := found[id]; w != nil {
		return w, nil
	}
	var names []string
	for name, w := range found {
		if names = append(names, name); len(found) == 1 {
			return w, nil
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no timeline is called %q: %w", id, fs.ErrNotExist)
	}
	return nil, ambiguous.New(id, names)
}

// fits says whether an id begins or ends with given: ids made within a second have the same beginning.
func fits(id, given string) bool {
	id, given = strings.ToUpper(id), strings.ToUpper(given)
	return given != "" && (strings.HasPrefix(id, given) || strings.HasSuffix(id, given))
}

// of reads the document of a record, if it is in this store.
func of(s *place.Site, rec *manifest.Record) *Whole {
	w := &Whole{OID: rec.Raw.OID, Says: rec.Reason}
	if err := w.load(s); err != nil {
		w.Steps = nil
		w.Away = err.Error()
		w.Head = timeline.Details{Meta: timeline.Meta{AgentID: rec.By.Session, Session: rec.By.Parent, Description: rec.Reason}, Began: rec.Time.UnixMilli(), DurationMS: rec.DurationMS}
	}
	return w
}

func (w *Whole) load(s *place.Site) error {
	id, err := objects.ParseID(w.OID)
	if err != nil {
		return err
	}
	obj, err := s.Objects.OpenObject(id)
	if err != nil {
		return err
	}
	defer obj.Close()
	lines := bufio.NewReader(obj)
	for n := 0; ; n++ {
		line, err := lines.ReadBytes('\n')
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case n == 0:
			err = json.Unmarshal(line, &w.Head)
		default:
			var step timeline.Entry
			err = json.Unmarshal(line, &step)
			w.Steps = append(w.Steps, step)
		}
		if err != nil {
			return fmt.Errorf("line %d of the timeline: %w", n+1, err)
		}
	}
}
