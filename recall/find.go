package recall

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"cairn/internal/ambiguous"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/objects"
	"cairn/recall/filter"
	"cairn/result"
)

const objectPrefix = "sha256:"

// AmbiguousError says that several things begin with a shortened id.
type AmbiguousError = ambiguous.Error

// Find resolves the id of a run or an object, or the beginning of an id, in upper or
// lower case ("sha256:" may be left out). If several things have the beginning, it
// returns an *AmbiguousError, if nothing has it, manifest.ErrNotFound.
func Find(ctx context.Context, s *place.Site, id string) (*Output, error) {
	run, runs, err := findRun(ctx, s, id)
	if err != nil {
		return nil, err
	}
	if run != nil && len(run.ID) == len(id) {
		return outputOf(s, run)
	}
	recs, oids, err := findObject(ctx, s, id)
	if err != nil {
		return nil, err
	}
	switch total := runs.Total + oids.Total; {
	case total > 1:
		several := ambiguous.New(id, slices.Concat(runs.Candidates, oids.Candidates))
		several.Total = total
		return nil, several
	case run != nil:
		return outputOf(s, run)
	case oids.Total == 0:
		return nil, fmt.Errorf("no capture and no object is called %q: %w", id, manifest.ErrNotFound)
	}
	oid, err := objects.ParseID(oids.Candidates[0])
	if err != nil {
		return nil, err
	}
	out := &Output{ID: oid, site: s}
	if len(recs) > 0 {
		out.Record = recs[0]
	}
	return out, nil
}

// findRun looks among the ids of runs. found lists the runs that the id may mean.
func findRun(ctx context.Context, s *place.Site, id string) (rec *manifest.Record, found meant, err error) {
	if strings.HasPrefix(id, objectPrefix) {
		return nil, found, nil
	}
	rec, err = s.Manifest.Find(ctx, id)
	var several *manifest.AmbiguousError
	switch {
	case errors.Is(err, manifest.ErrNotFound):
		return nil, found, nil
	case errors.As(err, &several):
		return nil, meant{several.Candidates, several.Total}, nil
	case err != nil:
		return nil, found, err
	}
	return rec, meant{[]string{rec.ID}, 1}, nil
}

// findObject looks among the objects that records name and the objects in the store:
// each may lack objects that the other has.
func findObject(ctx context.Context, s *place.Site, id string) (recs []*manifest.Record, found meant, err error) {
	digits := strings.ToLower(strings.TrimPrefix(id, objectPrefix))
	if digits == "" || len(digits) > 64 || strings.Trim(digits, "0123456789abcdef") != "" {
		return nil, found, nil // no object id: a run id usually ends here, before anything is read
	}
	recs, err = s.Manifest.FindObject(ctx, digits)
	var several *manifest.AmbiguousError
	switch {
	case errors.Is(err, manifest.ErrNotFound):
	case errors.As(err, &several):
		found = meant{several.Candidates, several.Total}
	case err != nil:
		return nil, found, err
	default:
		found.add(namedLike(recs[0], digits))
	}
	return recs, found, addStored(s, digits, &found)
}

// addStored adds objects of the store that no record names. A whole id counts only if
// the store has that object.
func addStored(s *place.Site, digits string, found *meant) error {
	if len(digits) < minStored || len(digits) == 64 && found.Total > 0 {
		return nil
	}
	id, err := s.Objects.Resolve(digits)
	var several *objects.AmbiguousError
	var gone *objects.GoneError
	switch {
	case errors.As(err, &several):
		for _, c := range several.Candidates {
			found.add(c)
		}
		found.Total += several.Total - len(several.Candidates)
		return nil
	case errors.Is(err, objects.ErrNotFound):
		return nil
	case err != nil:
		return err
	}
	if len(digits) == 64 {
		if _, err := s.Objects.Stat(id); errors.Is(err, objects.ErrNotFound) && !errors.As(err, &gone) {
			return nil
		}
	}
	found.add(id.String())
	return nil
}

// minStored is the fewest digits for which the store looks up an object.
const minStored = 4

// meant is the list of what the beginning of an id may mean.
type meant struct {
	Candidates []string // the first few
	Total      int
}

func (m *meant) add(candidate string) {
	if !slices.Contains(m.Candidates, candidate) {
		m.Candidates = append(m.Candidates, candidate)
		m.Total++
	}
}

// namedLike is the object of a record whose id begins with digits.
func namedLike(rec *manifest.Record, digits string) string {
	for _, oid := range rec.Objects() {
		if strings.HasPrefix(oid, objectPrefix+digits) {
			return oid
		}
	}
	return ""
}

func outputOf(s *place.Site, rec *manifest.Record) (*Output, error) {
	out := &Output{Record: rec, ByRun: true, site: s}
	if rec.Raw == nil {
		return out, nil
	}
	id, err := objects.ParseID(rec.Raw.OID)
	if err != nil {
		return nil, fmt.Errorf("record %s: %w", rec.ID, err)
	}
	out.ID = id
	return out, nil
}

// aroundLines is how many lines before and after a finding Around shows.
const aroundLines = 5

// FindingOf is the finding of a capture whose fingerprint begins with the given hex digits.
func (o *Output) FindingOf(fingerprint string) (result.Finding, error) {
	id, err := hexDigits(fingerprint)
	if err != nil {
		return result.Finding{}, err
	}
	r, _, err := o.Result()
	if err != nil {
		return result.Finding{}, err
	}
	for _, f := range r.Findings {
		if strings.HasPrefix(f.Fingerprint, id) {
			return f, nil
		}
	}
	return result.Finding{}, fmt.Errorf("capture %s has no finding %s: %w", o.Record.ID, id, manifest.ErrNotFound)
}

// Around prints the lines of the output from which a finding was read, and some before
// and after, byte for byte. It finds them by the place that the parser noted, or else
// by the first line that contains the finding's message.
func (o *Output) Around(w io.Writer, f result.Finding) error {
	obj, err := o.Open()
	if err != nil {
		return err
	}
	defer obj.Close()
	from, to, err := PlaceOf(io.NewSectionReader(obj, 0, obj.Size()), f)
	if err != nil {
		return err
	}
	return Lines(w, io.NewSectionReader(obj, 0, obj.Size()), Range{From: max(from-aroundLines, 1), To: to + aroundLines})
}

// PlaceOf finds the first and the last line, counted from 1, from which a finding was read in an output.
func PlaceOf(r io.Reader, f result.Finding) (from, to int64, err error) {
	spanned := f.RawSpan != nil && (f.RawSpan.Stream == "" || f.RawSpan.Stream == "merged") && f.RawSpan.End > f.RawSpan.Start
	in := bufio.NewReaderSize(r, window)
	for line, at := int64(1), int64(0); ; {
		piece, err := in.ReadSlice('\n')
		end := at + int64(len(piece))
		switch {
		case spanned && from == 0 && end > f.RawSpan.Start:
			from = line
		case !spanned && f.Message != "" && bytes.Contains(piece, []byte(f.Message)):
			return line, line, nil
		}
		if spanned && end >= f.RawSpan.End {
			return from, line, nil
		}
		at = end
		switch {
		case err == nil:
			line++
		case errors.Is(err, io.EOF):
			return 0, 0, fmt.Errorf("the output does not show where finding %s was read: %w", f.Fingerprint, manifest.ErrNotFound)
		case !errors.Is(err, bufio.ErrBufferFull):
			return 0, 0, err
		}
	}
}

// hexDigits checks that f is a fingerprint or the beginning of one, and returns it in lower case.
func hexDigits(f string) (string, error) {
	if !filter.Hex(f, minPrefix, shownHex) {
		return "", fmt.Errorf("%q is not a fingerprint: give %d to %d hex digits", f, minPrefix, shownHex)
	}
	return strings.ToLower(f), nil
}
