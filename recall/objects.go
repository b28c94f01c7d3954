package recall

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/objects"
	"cairn/result"
)

// Query selects captures.
type Query struct {
	Filters
	// Unsearched, when set, counts the captures that Grep could not look
	// into, because their output is not in this clone.
	Unsearched *int
}

// Hit is a capture that a query selected.
type Hit struct {
	Record *manifest.Record
	Result *result.ToolResult // as the record holds it; nil if it has no result
	Lines  []string           // lines that contain Grep, at most grepShown
	// Unsure says why not all findings of the capture are known. The query may then
	// match although no finding here shows it.
	Unsure string
}

// Objects yields the captures that q selects, newest first or in the order that q asks
// for. A filter value without a meaning is a *filter.Error.
func Objects(ctx context.Context, s *place.Site, q Query) iter.Seq2[*Hit, error] {
	return func(yield func(*Hit, error) bool) {
		u, err := understood(ctx, s, "objects", q.Filters)
		if err != nil {
			yield(nil, err)
			return
		}
		if u.nothing {
			return
		}
		u.unsearched = q.Unsearched
		n := 0
		u.records(ctx, s, func(rec *manifest.Record, err error) bool {
			if err != nil {
				return yield(nil, err)
			}
			if rec.Type != manifest.TypeCapture {
				return true
			}
			hit, err := u.match(s, rec)
			if err == nil && hit == nil {
				return true
			}
			if !yield(hit, err) || err != nil {
				return false
			}
			n++
			return n != u.Limit
		})
	}
}

// records yields the records that q may select. If few records will match, the index
// finds them; to list the newest of all, reading the last shards is faster.
func (q *query) records(ctx context.Context, s *place.Site, yield func(*manifest.Record, error) bool) {
	switch {
	case q.Sort != "" && q.Sort != "newest":
		q.sorted(ctx, s, yield)
	case q.Grep == "" && len(q.needs()) > 0:
		q.chosen(ctx, s, yield)
	default:
		q.scanned(ctx, s, yield)
	}
}

// scanned yields the records by reading them all, newest first.
func (q *query) scanned(ctx context.Context, s *place.Site, yield func(*manifest.Record, error) bool) {
	scan := q.scan()
	if q.Grep != "" {
		g, err := newLineGrep(s, q)
		if err != nil {
			yield(nil, err)
			return
		}
		scan.Want = g.wants
		defer func() {
			if q.unsearched != nil {
				*q.unsearched += g.elsewhere.n
			}
		}()
	}
	for rec, err := range s.Manifest.Records(ctx, scan) {
		if !yield(rec, err) || err != nil {
			return
		}
	}
}

// pathBelow is a path as findings have it: with slashes, below the root. A path that
// begins with ".." counts from the reader's directory, in which it was shown.
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

// scan is the part of q that can be searched for in the bytes of a line before it is
// decoded. A rule or a file may be in the full result only, so it is not part of scan.
func (q *query) scan() manifest.Query {
	m := manifest.Query{Since: q.Since, Until: q.Until, Newest: true}
	has := func(key string, texts []string) {
		if len(texts) == 1 {
			value := manifest.Literal(key, texts[0])
			m.Contains = append(m.Contains, value[len(key)+len(`"":`):])
		}
	}
	if status := q.Status.Plain(); len(status) == 1 {
		m.Contains = append(m.Contains, []byte(status[0])) // in the verdict or in the result
	}
	if tool := q.Tool.Plain(); len(tool) == 1 { // or the beginning of a family member's name
		name := manifest.Literal("", tool[0])[len(`"":`):]
		m.Contains = append(m.Contains, name[:len(name)-1])
	}
	if q.lists {
		m.Want = tellsOfTests
	}
	has("fingerprint", q.Fingerprints)
	has("branch", q.Branch.Plain())
	has("agent", q.Agent.Plain())
	if hashes := q.hashes(); len(hashes) == 1 {
		m.Contains = append(m.Contains, []byte(`"`+hashes[0]))
	}
	return m
}

// tellsOfTests says whether a line's capture kept a list of its tests, or failed and may name the failed tests.
func tellsOfTests(line []byte) bool {
	return bytes.Contains(line, []byte(`"outcomes":{`)) || bytes.Contains(line, []byte(`"status":"failed"`)) || bytes.Contains(line, []byte(`"status":"error"`))
}

// match returns nil for a record that q does not select.
func (q *query) match(s *place.Site, rec *manifest.Record) (*Hit, error) {
	if q.nothing || !q.made(rec) {
		return nil, nil
	}
	r, err := resultOf(rec)
	if err != nil {
		return nil, fmt.Errorf("record %s: %w", rec.ID, err)
	}
	if !q.isWhat(whatOf(r)) {
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

// matchFindings says whether one finding meets all of q's conditions. If the full
// result is not in this clone, a capture that may have such a finding is selected too.
func (q *query) matchFindings(s *place.Site, hit *Hit) bool {
	if slices.ContainsFunc(findingsOf(hit.Result), q.isFinding) {
		return true
	}
	if len(q.Fingerprints) > 0 && !slices.ContainsFunc(moreOf(hit.Record), func(f string) bool { return slices.Contains(q.Fingerprints, f) }) {
		return false
	}
	if len(q.Fingerprints) > 0 && len(q.Rule)+len(q.files) == 0 {
		return true
	}
	whole, missing := Full(s, hit.Record, hit.Result)
	hit.Unsure = missing
	return missing != "" || slices.ContainsFunc(findingsOf(whole), q.isFinding)
}

// Made returns a function that says whether a capture meets the conditions on where,
// when and by whom it was made: all that is known of a capture that is still running.
func Made(ctx context.Context, s *place.Site, f Filters) (func(*manifest.Record) bool, error) {
	q, err := understood(ctx, s, "objects", f)
	if err != nil {
		return nil, err
	}
	return q.made, nil
}

func findingsOf(r *result.ToolResult) []result.Finding {
	if r == nil {
		return nil
	}
	return r.Findings
}

// Full is the whole result of a record. If the record's own result was cut and the full
// one is not in this clone, Full returns the record's and says why.
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
