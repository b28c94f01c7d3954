package attest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/objects"
	"cairn/result"
)

// Outcomes of what was checked.
const (
	Holds     = "holds"
	False     = "false"
	Unchecked = "unchecked"
)

// The checks, in this order.
const (
	OfSignature = "signature" // made by a key that is trusted here
	OfStatement = "statement" // the signed statement agrees with the record
	OfHistory   = "history"   // the record on its branch is unchanged since it was written
	OfBytes     = "bytes"     // the output has the digest in the record
	OfVerdict   = "verdict"   // parsing the output again gives the same result
)

// Finding is the outcome of one check.
type Finding struct {
	Of    string `json:"of"`
	State string `json:"state"`
	Text  string `json:"text"`

	Differs *Difference `json:"differs,omitempty"` // for a verdict that is false
}

// Report is the result of verifying a run.
type Report struct {
	Run      string    `json:"run"`
	Says     string    `json:"says,omitempty"` // what the record says about it
	Findings []Finding `json:"findings"`
}

// Is says whether a finding has this state.
func (r *Report) Is(state string) bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.State == state })
}

// add adds a finding, unless an equal one exists, as for a run that was attested twice.
func (r *Report) add(of, state, text string, args ...any) {
	f := Finding{Of: of, State: state, Text: result.CleanLine(fmt.Sprintf(text, args...))}
	if !slices.Contains(r.Findings, f) {
		r.Findings = append(r.Findings, f)
	}
}

// verifier checks runs of one store.
type verifier struct {
	site *place.Site
	keys []trusted
}

// run verifies a run with the envelopes recorded for it.
func (v *verifier) run(ctx context.Context, rec *manifest.Record) (*Report, error) {
	envelopes, err := attestations(ctx, v.site, rec.ID)
	if err != nil {
		return nil, err
	}
	r := &Report{Run: rec.ID, Says: saysOf(rec)}
	if len(envelopes) == 0 {
		r.add(OfSignature, Unchecked, "the run was never attested")
		r.add(OfStatement, Unchecked, "there is no statement")
	}
	var all []*Envelope
	for _, text := range envelopes {
		e, err := DecodeEnvelope(text)
		if err != nil {
			r.add(OfSignature, False, "%v", err)
			continue
		}
		all = append(all, e)
	}
	all, strangers := v.counting(all, rec)
	for _, e := range all {
		v.envelope(ctx, r, e, rec)
	}
	if strangers > 0 {
		r.add(OfSignature, Holds, "not counted: envelopes of keys that are not trusted here: %d", strangers)
	}
	return r, v.record(ctx, r, rec)
}

// counting drops envelopes of strangers if a trusted key signed one, too: a signature of another key, perhaps no longer
// trusted, does not reduce the value of a trusted one.
func (v *verifier) counting(all []*Envelope, rec *manifest.Record) (some []*Envelope, strangers int) {
	trusted := false
	for _, e := range all {
		_, err := e.signedBy(v.keys, rec.Time)
		if trusted = trusted || err == nil; errors.Is(err, errStranger) {
			strangers++
		} else {
			some = append(some, e)
		}
	}
	if !trusted {
		return all, 0
	}
	return some, strangers
}

// given verifies an envelope that was passed in, and the run that it is about.
func (v *verifier) given(ctx context.Context, e *Envelope) (*Report, error) {
	payload, err := e.payload()
	if err != nil {
		return nil, err
	}
	_, run, err := readStatement(payload)
	if err != nil {
		return nil, err
	}
	r := &Report{Run: run.ID}
	rec, err := v.site.Manifest.Find(ctx, run.ID)
	if errors.Is(err, manifest.ErrNotFound) {
		v.signature(r, e, nil)
		r.add(OfStatement, Unchecked, "the record has no run %s: it may be in another clone, see cairn sync", run.ID)
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	r.Says = saysOf(rec)
	v.envelope(ctx, r, e, rec)
	return r, v.record(ctx, r, rec)
}

func (v *verifier) signature(r *Report, e *Envelope, rec *manifest.Record) {
	if len(v.keys) == 0 {
		r.add(OfSignature, Unchecked, "no keys are trusted here: set gpg.ssh.allowedSignersFile, or name a key with --key")
		return
	}
	at := time.Now()
	if rec != nil {
		at = rec.Time
	}
	who, err := e.signedBy(v.keys, at)
	if err != nil {
		r.add(OfSignature, False, "%v", err)
		return
	}
	r.add(OfSignature, Holds, "signed by %s", who)
}

// envelope compares the signed statement with the record as it is now.
func (v *verifier) envelope(ctx context.Context, r *Report, e *Envelope, rec *manifest.Record) {
	v.signature(r, e, rec)
	payload, err := e.payload()
	if err != nil {
		r.add(OfStatement, False, "%v", err)
		return
	}
	s, _, err := readStatement(payload)
	if err != nil {
		r.add(OfStatement, False, "%v", err)
		return
	}
	want, err := newStatement(rec, s.PredicateType, commitTree(ctx, v.site, rec))
	if err != nil {
		r.add(OfStatement, False, "%v", err)
		return
	}
	if differ := differences(s, want); len(differ) > 0 {
		r.add(OfStatement, False, "it says otherwise than the record: %s", strings.Join(differ, ", "))
		return
	}
	r.add(OfStatement, Holds, "it says what the record says")
}

// differences are the names of the fields in which a statement differs from the record's. The parser's version is
// ignored, since it may have changed.
func differences(s, want *Statement) (names []string) {
	members := func(s *Statement) map[string]string {
		all := map[string]any{}
		var p map[string]any
		if decode(s.Predicate, &p, maxObjects) == nil {
			if cairn, ok := p["cairn"].(map[string]any); ok {
				delete(cairn, "parser")
				for key, value := range cairn {
					all["cairn."+key] = value
				}
			}
			delete(p, "cairn")
			maps.Copy(all, p)
		}
		all["subject"] = s.Subject
		texts := map[string]string{}
		for key, value := range all {
			b, _ := result.Marshal(value) // a decoded value can always be encoded
			texts[key] = string(b)
		}
		return texts
	}
	a, b := members(s), members(want)
	for key := range a {
		if a[key] != b[key] {
			names = append(names, key)
		}
	}
	for key := range b {
		if _, ok := a[key]; !ok {
			names = append(names, key)
		}
	}
	slices.Sort(names)
	return names
}

// record checks what needs no envelope.
func (v *verifier) record(ctx context.Context, r *Report, rec *manifest.Record) error {
	if err := v.history(ctx, r, rec); err != nil {
		return err
	}
	if v.bytes(r, rec) {
		v.verdict(r, rec)
	} else {
		r.add(OfVerdict, Unchecked, "it is derived from the bytes")
	}
	return nil
}

// history compares all versions of the run's record on the branch.
func (v *verifier) history(ctx context.Context, r *Report, rec *manifest.Record) error {
	b := v.site.Branch
	if b == nil {
		r.add(OfHistory, Unchecked, "this record goes to no branch")
		return nil
	}
	line, err := rec.Encode()
	if err != nil {
		return err
	}
	h, err := b.History(ctx, manifest.DayDir(rec.Time))
	if err != nil {
		return err
	}
	id := manifest.Literal("id", rec.ID)
	seen, now, other := 0, false, false
	err = b.ReadBlobs(ctx, slices.Collect(maps.Keys(h)), func(oid string, text []byte) error {
		for l := range bytes.Lines(text) {
			if l = bytes.TrimRight(l, "\r\n"); !bytes.Contains(l, id) || idOf(l) != rec.ID {
				continue
			}
			if seen++; !bytes.Equal(l, line) {
				other = true
			} else if h[oid] {
				now = true
			}
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case other:
		r.add(OfHistory, False, "the branch %s has said something else of this run", b.Name())
	case seen > 0 && !now:
		r.add(OfHistory, False, "the branch %s had this record, and has it no more", b.Name())
	case seen == 0:
		r.add(OfHistory, Unchecked, "the record is not on the branch %s yet", b.Name())
	default:
		r.add(OfHistory, Holds, "the branch %s has never said anything else of this run", b.Name())
	}
	return nil
}

func idOf(line []byte) string {
	rec, err := manifest.Decode(bytes.Clone(line))
	if err != nil || rec.Type != manifest.TypeCapture {
		return ""
	}
	return rec.ID
}

// bytes reads the whole output, which the store compares with its digest.
func (v *verifier) bytes(r *Report, rec *manifest.Record) (here bool) {
	if rec.Raw == nil {
		r.add(OfBytes, Unchecked, "the run kept no output")
		return false
	}
	id, err := objects.ParseID(rec.Raw.OID)
	if err != nil {
		r.add(OfBytes, False, "%v", err)
		return false
	}
	obj, err := v.site.Objects.OpenObject(id)
	if err == nil {
		sum := sha256.New()
		_, err = io.Copy(sum, io.NewSectionReader(obj, 0, obj.Size()))
		obj.Close()
		if got := "sha256:" + hex.EncodeToString(sum.Sum(nil)); err == nil && got != rec.Raw.OID {
			err = fmt.Errorf("they have the digest %s", got)
		}
	}
	var gone *objects.GoneError
	switch {
	case errors.Is(err, objects.ErrNotFound) || errors.As(err, &gone):
		r.add(OfBytes, Unchecked, "the bytes are not here; cairn objects pull brings what a remote has: %v", err)
	case err != nil:
		r.add(OfBytes, False, "%v", err)
	default:
		r.add(OfBytes, Holds, "%s of output have their digest", result.Count(rec.Raw.Size, "byte"))
		return true
	}
	return false
}

func saysOf(rec *manifest.Record) string {
	if rec.Says != "" {
		return rec.Says
	}
	r, err := rec.Result()
	if err != nil || r == nil {
		return ""
	}
	return fmt.Sprintf("%s %s: %s", r.Tool, r.Status, result.Summarise(r))
}
