package recall

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"cairn/internal/ambiguous"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/recall/filter"
	"cairn/recall/index"
	"cairn/result"
)

// The lengths in hex digits of the shortest beginning of a fingerprint that is looked up, and of a fingerprint as
// results show it.
const minPrefix, shownHex = filter.MinFingerprint, filter.MaxFingerprint

// History is the history of one finding, of a group of findings, or of the failures of
// one command.
type History struct {
	Subject     string         `json:"subject"`               // fingerprint, group, test, rule, file or command
	Name        string         `json:"name"`                  // the subject's name in full
	Fingerprint string         `json:"fingerprint,omitempty"` // if the subject has only one; of a command, its key
	Latest      result.Finding `json:"finding,omitzero"`      // as last seen; zero when only its fingerprint is in this clone
	First       Sighting       `json:"first_seen"`
	Last        Sighting       `json:"last_seen"`
	Captures    int            `json:"captures"` // in which it was seen
	// Passes counts the captures of those commands between First and Last that prove
	// the finding absent.
	Passes   int      `json:"passes_between"`
	Branches []string `json:"branches,omitempty"`
	Agents   []string `json:"agents,omitempty"`   // who ran them
	Commands []string `json:"commands,omitempty"` // that showed it
	// Since is a capture of the same command after Last: the first that proves the
	// finding gone, and then Gone is set, else the first that does not show the
	// finding.
	Since     *Sighting `json:"run_since,omitempty"`
	RunsSince int       `json:"runs_since"` // captures of the same command after Last
	Gone      bool      `json:"gone"`
	// Cures are pairs of runs on clean commits between which the finding went away,
	// newest first, at most maxCures. Cured counts all.
	Cured int    `json:"cured,omitempty"`
	Cures []Cure `json:"cures,omitempty"`
	// With are other findings that every capture with this finding has. It is only set
	// if there are at least two such captures.
	With []result.Finding `json:"always_with,omitempty"`
}

// Cure is a pair of runs between which a finding went away.
type Cure struct {
	Before Sighting `json:"before"` // the last run that shows it
	After  Sighting `json:"after"`  // the first run that proves it gone
}

const (
	maxCures = 5
	maxWith  = 5
)

// Sighting is one capture in a history.
type Sighting struct {
	Run    string        `json:"run"`
	Time   time.Time     `json:"-"`
	Commit string        `json:"commit,omitempty"`
	Branch string        `json:"branch,omitempty"`
	Agent  string        `json:"agent,omitempty"`
	Status result.Status `json:"status,omitempty"`
}

// MarshalJSON writes the time in the format of a record.
func (s Sighting) MarshalJSON() ([]byte, error) {
	type rest Sighting
	return json.Marshal(struct {
		Run  string `json:"run"`
		Time string `json:"time"`
		rest
	}{s.Run, s.Time.Format(manifest.TimeLayout), rest(s)})
}

// Finding gives the history of the subject that text names: a fingerprint or the beginning of one, a
// group, a test, a rule, or a file. A rule or a file counts as present as long as one of its findings
// is. The id of a run stands for its command: then the history is that of all the command's failures.
func Finding(ctx context.Context, s *place.Site, text string, f Filters) (*History, error) {
	q, err := understood(ctx, s, "finding", f)
	if err != nil {
		return nil, err
	}
	if rec := runNamed(ctx, s, text); rec != nil {
		return commandHistory(ctx, s, rec, q.captures())
	}
	x, err := openIndex(ctx, s, append(q.needs(), index.Findings, index.Keys, index.Wheres, index.Whos, index.Commands, index.Flags)...)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	sub, err := x.subjectOf(s, text, q)
	if err != nil {
		return nil, err
	}
	h := &History{Subject: sub.what, Name: sub.name}
	if len(sub.found) == 1 {
		h.Fingerprint = slices.Collect(maps.Keys(sub.found))[0]
	}
	c := &chronicle{x: x, h: h, sub: sub, test: sub.test, mayShow: x.having(sub.sets), shows: sub.shows, takes: q.captures().selects(s, x)}
	return c.write(s, fmt.Errorf("no capture that the filters leave has %s %s: %w", sub.what, sub.name, manifest.ErrNotFound))
}

// runNamed is the run whose id is text or begins with text; nil if text is not the id
// of a run. Such an id cannot be taken for a fingerprint or a test.
func runNamed(ctx context.Context, s *place.Site, text string) *manifest.Record {
	const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	if len(text) < minPrefix || text[0] != '0' || strings.Trim(strings.ToUpper(text), crockford) != "" || filter.Hex(text, minPrefix, shownHex) {
		return nil
	}
	rec, err := s.Manifest.Find(ctx, text)
	if err != nil {
		return nil
	}
	return rec
}

// commandHistory gives the history of a command's failures; rec is a capture of it.
func commandHistory(ctx context.Context, s *place.Site, rec *manifest.Record, q *query) (*History, error) {
	x, err := openIndex(ctx, s, append(q.needs(), index.Findings, index.Keys, index.Wheres, index.Whats, index.Whos, index.Commands, index.Flags)...)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	c := &chronicle{x: x, h: &History{Subject: "command", Name: CommandLine(rec), Fingerprint: rec.Key}, command: true, takes: q.selects(s, x),
		mayShow: x.ofCommands(func(key string) bool { return key == rec.Key }), shows: func(r row) bool { return r.is(rowFails) && r.key() == rec.Key }}
	return c.write(s, fmt.Errorf("no capture of %q failed: %w", CommandLine(rec), manifest.ErrNotFound))
}

// wholeFingerprint completes the beginning of a fingerprint.
func wholeFingerprint(ctx context.Context, s *place.Site, prefix string) (string, error) {
	if len(prefix) == shownHex {
		return prefix, nil
	}
	x, err := openIndex(ctx, s, index.Findings)
	if err != nil {
		return "", err
	}
	defer x.Close()
	switch found := x.beginning(prefix, func(f findingRow) string { return f.Fingerprint }); len(found) {
	case 0:
		return "", fmt.Errorf("no finding's fingerprint begins with %s: %w", prefix, manifest.ErrNotFound)
	case 1:
		return found[0], nil
	default:
		return "", ambiguous.New(prefix, found)
	}
}

func sightingOf(rec *manifest.Record, r *result.ToolResult) Sighting {
	at := Sighting{Run: rec.ID, Time: rec.Time}
	if rec.Git != nil {
		at.Commit, at.Branch = rec.Git.Commit, rec.Git.Branch
	}
	if rec.By != nil {
		at.Agent = rec.By.Agent
	}
	if r != nil {
		at.Status = r.Status
	}
	return at
}

func addNew(list []string, s string) []string {
	if s == "" || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// Command is a capture's command as one line.
func Command(rec *manifest.Record) string {
	if rec.Shell != "" {
		return rec.Shell
	}
	return strings.Join(rec.Argv, " ")
}
