package recall

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"
	"time"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/objects"
	"cairn/result"
)

// Query selects captures. Empty fields select all; several are joined by and.
type Query struct {
	Status      string // a status; several joined by commas
	Tool        string // of the envelope, a part or a finding; a family ("go") counts
	Kind        string
	Fingerprint string // 12 hex
	Rule        string
	Branch      string // of the repository, when it ran
	Commit      string // or its beginning
	File        string // that a finding names
	Grep        string // text in the raw bytes or in a finding
	Since       time.Time
	Until       time.Time
	Limit       int // newest first; 0 is all
}

// Hit is a capture that a query selected.
type Hit struct {
	Record *manifest.Record
	Result *result.ToolResult // as the record holds it; nil when it has none
	Lines  []string           // where Grep was found, at most grepShown
	// Unsure says that the record's findings are not all here, so that the
	// query may hold without showing why.
	Unsure string
}

// Objects yields the captures that q selects, newest first.
func Objects(ctx context.Context, s *place.Site, q Query) iter.Seq2[*Hit, error] {
	return func(yield func(*Hit, error) bool) {
		n := 0
		for rec, err := range s.Manifest.Records(ctx, q.scan()) {
			if err != nil {
				yield(nil, err)
				return
			}
			if rec.Type != manifest.TypeCapture {
				continue
			}
			hit, err := q.match(s, rec)
			if err == nil && hit == nil {
				continue
			}
			if !yield(hit, err) || err != nil {
				return
			}
			if n++; n == q.Limit {
				return
			}
		}
	}
}

// scan is what can be looked for in the bytes of a line before it is decoded.
// A rule or a file may stand in the full result only, and is not.
func (q Query) scan() manifest.Query {
	m := manifest.Query{Since: q.Since, Until: q.Until, Newest: true}
	if q.Status != "" && !strings.Contains(q.Status, ",") {
		m.Contains = append(m.Contains, manifest.Literal("status", q.Status))
	}
	if q.Kind != "" {
		m.Contains = append(m.Contains, manifest.Literal("kind", q.Kind))
	}
	if q.Tool != "" {
		m.Contains = append(m.Contains, []byte(`"`+q.Tool+`"`))
	}
	if q.Fingerprint != "" {
		m.Contains = append(m.Contains, []byte(`"`+q.Fingerprint+`"`))
	}
	return m
}

// match gives nil for a record that q does not select.
func (q Query) match(s *place.Site, rec *manifest.Record) (*Hit, error) {
	r, err := rec.Result()
	if err != nil {
		return nil, fmt.Errorf("record %s: %w", rec.ID, err)
	}
	if !q.matchRecord(rec) || !q.matchResult(r) {
		return nil, nil
	}
	hit := &Hit{Record: rec, Result: r}
	if q.aboutFindings() {
		whole, missing := Full(s, rec, r)
		if slices.ContainsFunc(findingsOf(whole), q.matchFinding) {
			missing = ""
		} else if missing == "" {
			return nil, nil
		}
		hit.Unsure = missing
	}
	if q.Grep != "" {
		hit.Lines, err = grep(s, rec, r, q.Grep)
		if err != nil || len(hit.Lines) == 0 {
			return nil, err
		}
	}
	return hit, nil
}

func (q Query) matchRecord(rec *manifest.Record) bool {
	git := manifest.Git{}
	if rec.Git != nil {
		git = *rec.Git
	}
	return (q.Branch == "" || q.Branch == git.Branch) && strings.HasPrefix(git.Commit, q.Commit)
}

func (q Query) matchResult(r *result.ToolResult) bool {
	if r == nil {
		return q.Status == "" && q.Kind == "" && q.Tool == ""
	}
	return (q.Status == "" || slices.Contains(strings.Split(q.Status, ","), string(r.Status))) &&
		(q.Kind == "" || q.Kind == string(r.Kind)) &&
		(q.Tool == "" || ofTool(r, q.Tool))
}

// ofTool: by name or family, of the whole, a part or a finding.
func ofTool(r *result.ToolResult, tool string) bool {
	return r.Tool == tool || r.ToolFamily == tool ||
		slices.ContainsFunc(r.Parts, func(p result.Part) bool { return p.Tool == tool }) ||
		slices.ContainsFunc(r.Findings, func(f result.Finding) bool { return f.Source == tool })
}

func (q Query) aboutFindings() bool { return q.Fingerprint != "" || q.Rule != "" || q.File != "" }

func (q Query) matchFinding(f result.Finding) bool {
	return (q.Fingerprint == "" || q.Fingerprint == f.Fingerprint) &&
		(q.Rule == "" || q.Rule == f.Rule || q.Rule == f.RuleName) &&
		(q.File == "" || names(f, q.File))
}

// names says whether a finding is about a file, by its whole path or its base
// name.
func names(f result.Finding, file string) bool {
	same := func(l result.Location) bool { return l.Path == file || path.Base(l.Path) == file }
	return f.At != nil && same(*f.At) || slices.ContainsFunc(f.Locations, same) || slices.ContainsFunc(f.Frames, same)
}

func findingsOf(r *result.ToolResult) []result.Finding {
	if r == nil {
		return nil
	}
	return r.Findings
}

// Full is the whole result of a record. Where the record's is bounded and the
// full one is not in this clone, it gives the bounded one and says why.
func Full(s *place.Site, rec *manifest.Record, r *result.ToolResult) (whole *result.ToolResult, missing string) {
	if rec.ResultOID == "" {
		return r, ""
	}
	id, err := objects.ParseID(rec.ResultOID)
	if err != nil {
		return r, err.Error()
	}
	data, err := s.Objects.ReadAll(id)
	if errors.Is(err, objects.ErrNotFound) {
		return r, fmt.Sprintf("the full result %s is not in this clone", short(rec.ResultOID))
	}
	if err == nil {
		whole, err = result.Decode(data)
	}
	if err != nil {
		return r, err.Error()
	}
	return whole, ""
}

func short(oid string) string { return oid[:min(len(oid), len("sha256:")+12)] }

// Bounds of what a grep shows of one capture.
const (
	grepShown = 5
	grepWidth = 300 // bytes of a line
)

// grep finds text in a capture's raw bytes, or in its findings where the bytes
// are not here.
func grep(s *place.Site, rec *manifest.Record, r *result.ToolResult, text string) ([]string, error) {
	lines := grepFindings(r, text)
	if rec.Raw == nil {
		return lines, nil
	}
	id, err := objects.ParseID(rec.Raw.OID)
	if err != nil {
		return lines, nil
	}
	obj, err := s.Objects.OpenObject(id)
	var gone *objects.GoneError
	if errors.Is(err, objects.ErrNotFound) || errors.As(err, &gone) {
		return lines, nil
	}
	if err != nil {
		return nil, err
	}
	defer obj.Close()
	raw, err := grepLines(obj, func(line []byte) bool { return bytes.Contains(line, []byte(text)) }, grepShown)
	return append(raw, lines...), err
}

func grepFindings(r *result.ToolResult, text string) (found []string) {
	for _, f := range findingsOf(r) {
		for _, s := range []string{f.Message, f.ID, f.Detail, f.Expected, f.Actual, f.Location} {
			if strings.Contains(s, text) && len(found) < grepShown {
				found = append(found, f.Location+": "+f.Message)
				break
			}
		}
	}
	return found
}
