package recall

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/result"
)

// minPrefix is the shortest beginning of a fingerprint that is looked up.
const minPrefix = 6

// shownHex is how many hex digits of a fingerprint results show.
const shownHex = 12

// History is what is known of one finding.
type History struct {
	Fingerprint string
	Latest      result.Finding // as last seen; zero when only its fingerprint is in this clone
	First, Last Sighting
	Captures    int // in which it was seen
	Branches    []string
	Commands    []string // that showed it
	// Since is the first capture of the same command after Last, if it was
	// run again; Gone says that its output was fully accounted for, so that
	// the finding was not merely missed.
	Since *Sighting
	Gone  bool
}

// Sighting is one capture in a history.
type Sighting struct {
	Run    string
	Time   time.Time
	Commit string
	Branch string
	Status result.Status
}

// AmbiguousError lists the fingerprints that a prefix begins.
type AmbiguousError struct {
	Prefix     string
	Candidates []string
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%q is the beginning of several fingerprints: %s", e.Prefix, strings.Join(e.Candidates, ", "))
}

// Finding gives the history of a fingerprint, or of the one that begins so.
func Finding(ctx context.Context, s *place.Site, fingerprint string) (*History, error) {
	fingerprint, err := checkFingerprint(fingerprint)
	if err != nil {
		return nil, err
	}
	if fingerprint, err = wholeFingerprint(ctx, s, fingerprint); err != nil {
		return nil, err
	}
	h := &History{Fingerprint: fingerprint}
	var last *manifest.Record
	for rec, err := range s.Manifest.Records(ctx, manifest.Query{Contains: [][]byte{[]byte(`"` + fingerprint + `"`)}}) {
		if err != nil {
			return nil, err
		}
		if rec.Type == manifest.TypeCapture && h.see(s, rec) {
			last = rec
		}
	}
	if last == nil {
		return nil, fmt.Errorf("no capture has finding %s: %w", fingerprint, manifest.ErrNotFound)
	}
	return h, h.followUp(ctx, s, last)
}

func checkFingerprint(f string) (string, error) {
	f = strings.ToLower(f)
	if len(f) < minPrefix || len(f) > shownHex || strings.Trim(f, "0123456789abcdef") != "" {
		return "", fmt.Errorf("%q is not a fingerprint: give %d to %d hex digits", f, minPrefix, shownHex)
	}
	return f, nil
}

// wholeFingerprint completes a prefix.
func wholeFingerprint(ctx context.Context, s *place.Site, prefix string) (string, error) {
	if len(prefix) == shownHex {
		return prefix, nil
	}
	var found []string
	for rec, err := range s.Manifest.Records(ctx, manifest.Query{Contains: [][]byte{[]byte(`"` + prefix)}}) {
		if err != nil {
			return "", err
		}
		r, err := rec.Result()
		if err != nil {
			return "", err
		}
		for _, f := range fingerprints(rec, r) {
			if strings.HasPrefix(f, prefix) && !slices.Contains(found, f) {
				found = append(found, f)
			}
		}
	}
	switch len(found) {
	case 0:
		return "", fmt.Errorf("no finding's fingerprint begins with %s: %w", prefix, manifest.ErrNotFound)
	case 1:
		return found[0], nil
	}
	slices.Sort(found)
	return "", &AmbiguousError{prefix, found}
}

func fingerprints(rec *manifest.Record, r *result.ToolResult) []string {
	all := slices.Clone(rec.More)
	for _, f := range findingsOf(r) {
		all = append(all, f.Fingerprint)
	}
	return all
}

// see adds a capture, oldest first, if it shows the finding.
func (h *History) see(s *place.Site, rec *manifest.Record) bool {
	r, err := rec.Result()
	if err != nil {
		return false
	}
	if f, ok := find(r, h.Fingerprint); ok {
		h.Latest = f
	} else if slices.Contains(rec.More, h.Fingerprint) {
		whole, _ := Full(s, rec, r)
		if f, ok := find(whole, h.Fingerprint); ok {
			h.Latest = f
		}
	} else {
		return false
	}
	h.Captures++
	h.Last = sightingOf(rec, r)
	if h.Captures == 1 {
		h.First = h.Last
	}
	h.Branches = addNew(h.Branches, h.Last.Branch)
	h.Commands = addNew(h.Commands, Command(rec))
	return true
}

func find(r *result.ToolResult, fingerprint string) (result.Finding, bool) {
	for _, f := range findingsOf(r) {
		if f.Fingerprint == fingerprint {
			return f, true
		}
	}
	return result.Finding{}, false
}

// followUp looks for the next capture of the last one's command, if possible
// one that accounts for all of its output.
func (h *History) followUp(ctx context.Context, s *place.Site, last *manifest.Record) error {
	q := manifest.Query{Since: last.Time, Contains: [][]byte{manifest.Literal("key", last.Key)}}
	for rec, err := range s.Manifest.Records(ctx, q) {
		if err != nil {
			return err
		}
		if rec.Type != manifest.TypeCapture || rec.ID == last.ID || rec.Time.Before(last.Time) {
			continue
		}
		r, err := rec.Result()
		if err != nil {
			return err
		}
		at := sightingOf(rec, r)
		if h.Gone = accounted(rec, r); h.Gone || h.Since == nil {
			h.Since = &at
		}
		if h.Gone {
			return nil
		}
	}
	return nil
}

func sightingOf(rec *manifest.Record, r *result.ToolResult) Sighting {
	at := Sighting{Run: rec.ID, Time: rec.Time}
	if rec.Git != nil {
		at.Commit, at.Branch = rec.Git.Commit, rec.Git.Branch
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
