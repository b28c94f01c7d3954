package attest

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cairn/capture"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/outcomes"
	"cairn/redact"
	"cairn/result"
)

// Difference is how the result of parsing again differs from the record's.
type Difference struct {
	Recorded   string               `json:"recorded_by,omitempty"` // name and version of the parser that made the record
	Parser     string               `json:"parser,omitempty"`      // name and version of the parser now
	Status     *Pair[result.Status] `json:"status,omitempty"`
	Confidence *Pair[string]        `json:"confidence,omitempty"`
	Counts     map[string]Pair[int] `json:"counts,omitempty"`
	Gone       []FindingName        `json:"findings_gone,omitempty"` // at most mostNamed, as in the lists below
	Come       []FindingName        `json:"findings_come,omitempty"`
	Tests      []TestDifference     `json:"tests,omitempty"`
	More       map[string]int       `json:"more,omitempty"`          // number of unnamed ones, by the keys above
	Kept       string               `json:"tests_unknown,omitempty"` // why the tests that differ cannot be named
}

// Pair is a value in the record, and the value now.
type Pair[T any] struct {
	Was T `json:"was"`
	Is  T `json:"is"`
}

// FindingName identifies a finding. A finding of which the record has only the fingerprint has nothing else.
type FindingName struct {
	Fingerprint string `json:"fingerprint"`
	Location    string `json:"location,omitempty"`
	ID          string `json:"id,omitempty"`
	Message     string `json:"message,omitempty"`
}

// TestDifference is a test that differs between two lists. An outcome is "" if that list lacks the test; if the
// outcomes are equal, Else names the other fields that differ.
type TestDifference struct {
	ID   string           `json:"id"`
	Tool string           `json:"tool,omitempty"`
	Was  outcomes.Outcome `json:"was,omitempty"`
	Is   outcomes.Outcome `json:"is,omitempty"`
	Else []string         `json:"else,omitempty"`
}

// mostNamed bounds each list of a Difference.
const mostNamed = 20

// verdict parses the output again and compares the result.
func (v *verifier) verdict(r *Report, rec *manifest.Record) {
	was, err := rec.Result()
	if err != nil || was == nil {
		r.add(OfVerdict, Unchecked, "the record holds no result")
		return
	}
	is, err := capture.Parse(v.site, rec)
	if err != nil {
		r.add(OfVerdict, Unchecked, "the output cannot be read again: %v", err)
		return
	}
	d := compare(rec, was, is)
	n, err := v.tests(rec, d)
	tests := ""
	switch {
	case err != nil:
		tests = "; what each test came to was not derived again: " + err.Error()
	case n > 0:
		tests = ", " + result.Count(int64(n), "test") + " with the same outcomes"
	}
	parser := ""
	if d.Parser != "" {
		parser = " by " + d.Parser
	}
	if differ := d.summary(); len(differ) > 0 {
		if d.Recorded == "" {
			parser += " (the record does not say which version read it)"
		} else if d.Recorded != d.Parser {
			parser += " (the record is of " + d.Recorded + ")"
		}
		r.add(OfVerdict, False, "derived again%s, it differs: %s", parser, strings.Join(differ, "; "))
		r.Findings[len(r.Findings)-1].Differs = d
		return
	}
	state := Holds
	if err != nil {
		state = Unchecked
	}
	r.add(OfVerdict, state, "derived again%s: %s, the same counts, %s with the same fingerprints%s", parser, is.Status, result.Count(int64(len(is.Findings)), "finding"), tests)
}

// compare compares everything except the tests.
func compare(rec *manifest.Record, was, is *result.ToolResult) *Difference {
	d := &Difference{Parser: versionOf(is), Counts: map[string]Pair[int]{}, More: map[string]int{}}
	if rec.Parser > 0 {
		d.Recorded = fmt.Sprintf("%s/%d", rec.Tool, rec.Parser)
	}
	if is.Status != rec.Status {
		d.Status = &Pair[result.Status]{rec.Status, is.Status}
	}
	if is.ParserConfidence != was.ParserConfidence {
		d.Confidence = &Pair[string]{string(was.ParserConfidence), string(is.ParserConfidence)}
	}
	for _, counts := range []map[string]int{rec.Counts, is.Counts} {
		for word := range counts {
			if a, b := rec.Counts[word], is.Counts[word]; a != b {
				d.Counts[word] = Pair[int]{a, b}
			}
		}
	}
	recorded := names(was, rec.More)
	d.Gone = d.only("findings_gone", recorded, names(is, nil))
	if len(recorded) >= was.Truncated.FindingsTotal { // else the record does not name all findings
		d.Come = d.only("findings_come", names(is, nil), recorded)
	}
	return d
}

func versionOf(r *result.ToolResult) string {
	if r.Parser == nil {
		return ""
	}
	return fmt.Sprintf("%s/%d", r.Parser.Name, r.Parser.Version)
}

// names are the findings of a result, and those of which only fingerprints are recorded.
func names(r *result.ToolResult, more []string) (all []FindingName) {
	for i := range r.Findings {
		f := &r.Findings[i]
		all = append(all, FindingName{f.Fingerprint, f.Location, f.ID, shortened(redact.Text(f.Message))})
	}
	for _, fingerprint := range more {
		all = append(all, FindingName{Fingerprint: fingerprint})
	}
	return all
}

// only returns the findings in have that other lacks, counting duplicates.
func (d *Difference) only(key string, have, other []FindingName) (some []FindingName) {
	count := map[string]int{}
	for _, f := range other {
		count[f.Fingerprint]++
	}
	for _, f := range have {
		if count[f.Fingerprint]--; count[f.Fingerprint] >= 0 {
			continue
		}
		if len(some) == mostNamed {
			d.More[key]++
			continue
		}
		some = append(some, f)
	}
	return some
}

// tests compares the stored list of all tests with the one from parsing again, and returns how many are equal. Without
// a stored list it compares nothing.
func (v *verifier) tests(rec *manifest.Record, d *Difference) (n int, err error) {
	if rec.Outcomes == nil || rec.Outcomes.OID == "" {
		return 0, nil
	}
	again := *rec
	again.Outcomes = nil
	is, _, err := capture.Tests(v.site, &again)
	if err != nil {
		return 0, err
	}
	sum := sha256.Sum256(is.Encode())
	if "sha256:"+hex.EncodeToString(sum[:]) == rec.Outcomes.OID {
		return len(is), nil
	}
	was, err := v.site.Tests(rec)
	if err != nil {
		d.Kept = err.Error()
		return 0, nil
	}
	d.compareTests(was, is)
	return 0, nil
}

// compareTests compares two sorted lists.
func (d *Difference) compareTests(was, is outcomes.List) {
	add := func(t TestDifference) {
		if len(d.Tests) == mostNamed {
			d.More["tests"]++
			return
		}
		d.Tests = append(d.Tests, t)
	}
	for len(was) > 0 || len(is) > 0 {
		order := cmp.Compare(len(is), len(was)) // if one list has ended, the other's test comes next
		if len(was) > 0 && len(is) > 0 {
			order = cmp.Or(cmp.Compare(was[0].ID, is[0].ID), cmp.Compare(was[0].Tool, is[0].Tool))
		}
		switch {
		case order < 0:
			add(TestDifference{ID: was[0].ID, Tool: was[0].Tool, Was: was[0].Outcome})
			was = was[1:]
		case order > 0:
			add(TestDifference{ID: is[0].ID, Tool: is[0].Tool, Is: is[0].Outcome})
			is = is[1:]
		default:
			if was[0] != is[0] {
				add(TestDifference{was[0].ID, was[0].Tool, was[0].Outcome, is[0].Outcome, fieldsThatDiffer(was[0], is[0])})
			}
			was, is = was[1:], is[1:]
		}
	}
}

func fieldsThatDiffer(a, b outcomes.Test) (fields []string) {
	for name, differs := range map[string]bool{"duration_ms": a.DurationMS != b.DurationMS, "at": a.At != b.At, "times": a.Times != b.Times, "came": a.Came != b.Came, "parent": a.Parent != b.Parent} {
		if differs {
			fields = append(fields, name)
		}
	}
	slices.Sort(fields)
	return fields
}

// summary names each difference in a few words; it is empty without differences.
func (d *Difference) summary() (all []string) {
	if p := d.Status; p != nil {
		all = append(all, fmt.Sprintf("status %s, now %s", p.Was, p.Is))
	}
	for _, word := range slices.Sorted(maps.Keys(d.Counts)) {
		all = append(all, fmt.Sprintf("%s %d, now %d", word, d.Counts[word].Was, d.Counts[word].Is))
	}
	if p := d.Confidence; p != nil {
		all = append(all, fmt.Sprintf("read as %s, now as %s", p.Was, p.Is))
	}
	for _, l := range []struct {
		key, what string
		n         int
	}{{"findings_gone", "finding of the record that the bytes do not give", len(d.Gone)}, {"findings_come", "finding that the record does not have", len(d.Come)}, {"tests", "test that came to something else", len(d.Tests)}} {
		if n := l.n + d.More[l.key]; n > 0 {
			noun, rest, _ := strings.Cut(l.what, " ")
			all = append(all, result.Count(int64(n), noun)+" "+rest)
		}
	}
	if d.Kept != "" {
		all = append(all, "the tests, or what they came to; which cannot be said: "+d.Kept)
	}
	return all
}

// lines names the differences, one per line.
func (d *Difference) lines() (all []string) {
	if d == nil {
		return nil
	}
	list := func(word string, findings []FindingName, key string) {
		for _, f := range findings {
			all = append(all, strings.Join(strings.Fields(strings.Join([]string{word, f.Fingerprint, f.Location, f.ID, f.Message}, " ")), " "))
		}
		if n := d.More[key]; n > 0 {
			all = append(all, fmt.Sprintf("%s and %d more", word, n))
		}
	}
	list("gone", d.Gone, "findings_gone")
	list("come", d.Come, "findings_come")
	for _, t := range d.Tests {
		text := fmt.Sprintf("test %s: %s, now %s", t.ID, cmp.Or(string(t.Was), "not there"), cmp.Or(string(t.Is), "not there"))
		if len(t.Else) > 0 {
			text += " (" + strings.Join(t.Else, ", ") + ")"
		}
		all = append(all, text)
	}
	if n := d.More["tests"]; n > 0 {
		all = append(all, fmt.Sprintf("test and %d more", n))
	}
	for i := range all {
		all[i] = result.CleanLine(all[i])
	}
	return all
}

// attestations are the envelopes recorded for a run, oldest first.
func attestations(ctx context.Context, s *place.Site, run string) (all []json.RawMessage, err error) {
	for rec, err := range s.Manifest.Records(ctx, manifest.Query{Contains: [][]byte{manifest.Literal("target", run)}}) {
		if err != nil {
			return nil, err
		}
		if rec.Type == manifest.TypeAttestation && rec.Target == run && len(rec.Envelope) > 0 {
			all = append(all, rec.Envelope)
		}
	}
	return all, nil
}

// keep records an envelope.
func keep(ctx context.Context, s *place.Site, run, why string, e *Envelope) error {
	text, err := result.Marshal(e)
	if err != nil {
		return err
	}
	return s.Manifest.Append(ctx, &manifest.Record{Type: manifest.TypeAttestation, Target: run, Reason: why, Envelope: text})
}

// commitTree is the tree of a record's commit; "" if git does not have the commit.
func commitTree(ctx context.Context, s *place.Site, rec *manifest.Record) string {
	if s.Repo == nil || rec.Git == nil || rec.Git.Commit == "" {
		return ""
	}
	if s.Repo.Commit == rec.Git.Commit {
		return s.Repo.Tree
	}
	tree, err := s.Repo.TreeNamed(ctx, rec.Git.Commit)
	if err != nil {
		return ""
	}
	return tree
}
