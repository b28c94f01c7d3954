package recall

import (
	"bytes"
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
	// run again, that proves the finding gone (Gone); else the first that
	// does not show it.
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
	var first, last *manifest.Record
	for rec, err := range s.Manifest.Records(ctx, manifest.Query{Contains: [][]byte{[]byte(`"` + fingerprint + `"`)}}) {
		if err != nil {
			return nil, err
		}
		if rec.Type != manifest.TypeCapture || !shows(rec, fingerprint) {
			continue
		}
		if first == nil {
			first = rec
		}
		last = rec
		h.count(rec)
	}
	if last == nil {
		return nil, fmt.Errorf("no capture has finding %s: %w", fingerprint, manifest.ErrNotFound)
	}
	return h, h.tell(ctx, s, first, last)
}

// shows says whether a capture has the finding, without decoding its result:
// a finding of every day has thousands of captures.
func shows(rec *manifest.Record, fingerprint string) bool {
	return bytes.Contains(rec.RawResult, manifest.Literal("fingerprint", fingerprint)) || slices.Contains(rec.More, fingerprint)
}

func (h *History) count(rec *manifest.Record) {
	h.Captures++
	if rec.Git != nil {
		h.Branches = addNew(h.Branches, rec.Git.Branch)
	}
	h.Commands = addNew(h.Commands, Command(rec))
}

// tell decodes the first and the last capture, and what came after.
func (h *History) tell(ctx context.Context, s *place.Site, first, last *manifest.Record) error {
	r, err := first.Result()
	if err != nil {
		return err
	}
	h.First = sightingOf(first, r)
	if r, err = last.Result(); err != nil {
		return err
	}
	h.Last = sightingOf(last, r)
	whole, _ := Whole(s, last, r)
	h.Latest, _ = find(whole, h.Fingerprint)
	return h.followUp(ctx, s, last)
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
	return "", &AmbiguousError{prefix, found[:min(len(found), maxCandidates)], len(found)}
}

func fingerprints(rec *manifest.Record, r *result.ToolResult) []string {
	all := slices.Clone(rec.More)
	for _, f := range findingsOf(r) {
		all = append(all, f.Fingerprint)
	}
	return all
}

func find(r *result.ToolResult, fingerprint string) (result.Finding, bool) {
	for _, f := range findingsOf(r) {
		if f.Fingerprint == fingerprint {
			return f, true
		}
	}
	return result.Finding{}, false
}

// followUp looks for a later capture of the last one's command: for the first
// that proves the finding gone, or else the first.
func (h *History) followUp(ctx context.Context, s *place.Site, last *manifest.Record) error {
	if last.Key == "" {
		return nil
	}
	q := manifest.Query{Since: last.Time, Contains: [][]byte{manifest.Literal("key", last.Key)}}
	for rec, err := range s.Manifest.Records(ctx, q) {
		if err != nil {
			return err
		}
		if rec.Type != manifest.TypeCapture || rec.Key != last.Key || !rec.Time.After(last.Time) && rec.ID <= last.ID {
			continue
		}
		r, err := rec.Result()
		if err != nil {
			return err
		}
		if gone := unproven(rec, r, h.Latest) == ""; gone || h.Since == nil {
			at := sightingOf(rec, r)
			if h.Since, h.Gone = &at, gone; gone {
				return nil
			}
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
