package recall

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path"
	"path/filepath"
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
	Kind        string // of the envelope or a part
	Fingerprint string // 12 hex, or their beginning where it is unambiguous
	Rule        string
	Branch      string // of the repository, when it ran
	Commit      string // or its beginning
	File        string // that a finding names: a path below the root, the end of one, absolute, or with ".." from here
	Grep        string // text in one line of the raw bytes, or in a finding
	Since       time.Time
	Until       time.Time
	Limit       int // newest first; 0 is all
	// Unsearched, when set, counts the captures that Grep could not look
	// into, because their output is not in this clone.
	Unsearched *int
}

// Hit is a capture that a query selected.
type Hit struct {
	Record *manifest.Record
	Result *result.ToolResult // as the record holds it; nil when it has none
	Lines  []string           // where Grep was found, at most grepShown
	// Unsure says that not all findings of the record are here. The query may then match
	// although no finding here shows why.
	Unsure string
}

// Objects yields the captures that q selects, newest first.
func Objects(ctx context.Context, s *place.Site, q Query) iter.Seq2[*Hit, error] {
	return func(yield func(*Hit, error) bool) {
		q, err := q.normalise(ctx, s)
		if errors.Is(err, manifest.ErrNotFound) {
			return
		}
		if err != nil {
			yield(nil, err)
			return
		}
		n := 0
		for rec, err := range q.records(ctx, s) {
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

// records are those that q may select, newest first. If few records will match, the index
// tells which; to list the newest of all, reading the last shards is faster.
func (q Query) records(ctx context.Context, s *place.Site) iter.Seq2[*manifest.Record, error] {
	if q.Fingerprint == "" && q.Rule == "" && q.File == "" && q.Tool == "" && q.Kind == "" && q.Status == "" && q.Branch == "" && q.Commit == "" {
		return s.Manifest.Records(ctx, q.scan())
	}
	return q.chosen(ctx, s)
}

// normalise puts what was asked for into the form in which records have it.
func (q Query) normalise(ctx context.Context, s *place.Site) (Query, error) {
	q.Commit = strings.ToLower(q.Commit)
	if q.File != "" {
		q.File = pathBelow(s, q.File)
	}
	if q.Fingerprint == "" {
		return q, nil
	}
	f, err := checkFingerprint(q.Fingerprint)
	if err == nil {
		f, err = wholeFingerprint(ctx, s, f)
	}
	q.Fingerprint = f
	return q, err
}

// pathBelow is a path as findings have it: with slashes, below the root. One
// that begins with ".." counts from the reader's directory, as it was shown there.
func pathBelow(s *place.Site, name string) string {
	if slashed := filepath.ToSlash(name); strings.HasPrefix(slashed, "../") {
		return path.Join(s.Rel, slashed)
	}
	if filepath.IsAbs(name) {
		if rel, err := filepath.Rel(s.Workspace.Root, name); err == nil && filepath.IsLocal(rel) {
			name = rel
		}
	}
	return path.Clean(filepath.ToSlash(name))
}

// scan is what can be looked for in the bytes of a line before it is decoded.
// A rule or a file may stand in the full result only, and is not.
func (q Query) scan() manifest.Query {
	m := manifest.Query{Since: q.Since, Until: q.Until, Newest: true}
	if q.Status != "" && !strings.Contains(q.Status, ",") {
		m.Contains = append(m.Contains, []byte(q.Status)) // in the verdict, or in the result
	}
	if q.Tool != "" { // or the beginning of the name of one of its family
		tool := manifest.Literal("", q.Tool)[len(`"":`):]
		m.Contains = append(m.Contains, tool[:len(tool)-1])
	}
	if q.Fingerprint != "" {
		m.Contains = append(m.Contains, []byte(`"`+q.Fingerprint+`"`))
	}
	return m
}

// match gives nil for a record that q does not select.
func (q Query) match(s *place.Site, rec *manifest.Record) (*Hit, error) {
	if !q.matchRecord(rec) {
		return nil, nil
	}
	r, err := rec.Result()
	if err != nil {
		return nil, fmt.Errorf("record %s: %w", rec.ID, err)
	}
	if !q.matchResult(r) {
		return nil, nil
	}
	hit := &Hit{Record: rec, Result: r}
	if q.aboutFindings() && !q.matchFindings(s, hit) {
		return nil, nil
	}
	if q.Grep != "" && !q.grep(s, hit) {
		return nil, nil
	}
	return hit, nil
}

// matchFindings says whether one finding has all that is asked for. Where the
// full result is not here, a capture that may have one is selected too.
func (q Query) matchFindings(s *place.Site, hit *Hit) bool {
	if slices.ContainsFunc(findingsOf(hit.Result), q.matchFinding) {
		return true
	}
	if q.Fingerprint != "" && !slices.Contains(hit.Record.More, q.Fingerprint) {
		return false
	}
	if q.Fingerprint != "" && q.Rule == "" && q.File == "" {
		return true
	}
	whole, missing := Full(s, hit.Record, hit.Result)
	hit.Unsure = missing
	return missing != "" || slices.ContainsFunc(findingsOf(whole), q.matchFinding)
}

func (q Query) matchRecord(rec *manifest.Record) bool {
	git := manifest.Git{}
	if rec.Git != nil {
		git = *rec.Git
	}
	return (q.Branch == "" || q.Branch == git.Branch) && strings.HasPrefix(git.Commit, q.Commit)
}

// Made says whether a capture was made where and when q asks for. That is all that is
// known of a capture that is still running.
func (q Query) Made(rec *manifest.Record) bool {
	return q.matchRecord(rec) && !rec.Time.Before(q.Since) && (q.Until.IsZero() || rec.Time.Before(q.Until))
}

func (q Query) matchResult(r *result.ToolResult) bool {
	if r == nil {
		return q.Status == "" && q.Kind == "" && q.Tool == ""
	}
	return (q.Status == "" || slices.Contains(strings.Split(q.Status, ","), string(r.Status))) &&
		(q.Kind == "" || ofKind(r, result.Kind(q.Kind))) &&
		(q.Tool == "" || ofTool(r, q.Tool))
}

func ofKind(r *result.ToolResult, kind result.Kind) bool {
	return r.Kind == kind || slices.ContainsFunc(r.Parts, func(p result.Part) bool { return p.Kind == kind })
}

// ofTool: by name or family, of the whole, a part or a finding. Parts and
// findings have no family of their own; the name of a tool begins with it.
func ofTool(r *result.ToolResult, tool string) bool {
	is := func(name string) bool { return name == tool || strings.HasPrefix(name, tool+"-") }
	return is(r.Tool) || r.ToolFamily == tool ||
		slices.ContainsFunc(r.Parts, func(p result.Part) bool { return is(p.Tool) }) ||
		slices.ContainsFunc(r.Findings, func(f result.Finding) bool { return is(f.Source) })
}

func (q Query) aboutFindings() bool { return q.Fingerprint != "" || q.Rule != "" || q.File != "" }

func (q Query) matchFinding(f result.Finding) bool {
	return (q.Fingerprint == "" || q.Fingerprint == f.Fingerprint) &&
		(q.Rule == "" || q.Rule == f.Rule || q.Rule == f.RuleName) &&
		(q.File == "" || names(f, q.File))
}

// names says whether a finding is about a file: where it is, where it leads,
// or the file of its test. A path is named by itself or its last elements.
func names(f result.Finding, file string) bool {
	is := func(name string) bool { return name == file || strings.HasSuffix(name, "/"+file) }
	same := func(l result.Location) bool { return is(l.Path) }
	test, _, isTest := strings.Cut(f.ID, "::")
	return f.At != nil && same(*f.At) || isTest && is(test) ||
		slices.ContainsFunc(f.Locations, same) || slices.ContainsFunc(f.Frames, same) ||
		slices.ContainsFunc(f.Related, func(r result.Related) bool { return r.At != nil && same(*r.At) })
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
