package manifest

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"cairn/result"
)

// A result in a line leaves out what the line says elsewhere and what parsing the raw
// object again restores: texts around a finding, stack frames, spans. A missing field
// has the value that other fields imply, and a writer leaves a field out only if they
// do imply its value; so a reader restores every kept field exactly.

// maxBody is how many bytes are kept of the text that belongs to no finding: its last
// lines, which say most.
const maxBody = 1 << 10

// leanResult is the value of "result". A pointer is a field whose value is implied if it is missing.
type leanResult struct {
	SchemaVersion *int                 `json:"schema_version,omitempty"`
	Tool          *string              `json:"tool,omitempty"`
	ToolFamily    string               `json:"tool_family,omitempty"`
	Kind          *result.Kind         `json:"kind,omitempty"`
	Status        *result.Status       `json:"status,omitempty"`
	StatusSource  *result.StatusSource `json:"status_source,omitempty"`
	ExitCode      *int                 `json:"exit_code,omitempty"` // if the record has none
	ExitMeaning   *result.Meaning      `json:"exit_meaning,omitempty"`
	Counts        *map[string]int      `json:"counts,omitempty"` // in version 2, if they are not in says
	Summary       *string              `json:"summary,omitempty"`
	Confidence    *result.Confidence   `json:"parser_confidence,omitempty"`
	RawOID        string               `json:"raw_oid,omitempty"` // if the record names no output
	Binary        bool                 `json:"binary,omitempty"`
	Artifacts     []result.Artifact    `json:"artifacts,omitempty"` // artifacts that the record does not name
	CasesOID      string               `json:"cases_oid,omitempty"`
	Findings      []leanFinding        `json:"findings,omitempty"`
	Parts         []result.Part        `json:"parts,omitempty"`
	Truncated     *result.Truncated    `json:"truncated,omitempty"`
	Suppressed    []result.Suppressed  `json:"suppressed,omitempty"`
	Body          string               `json:"body,omitempty"`
	Extra         map[string]any       `json:"extra,omitempty"`
}

// leanFinding is one element of "findings".
type leanFinding struct {
	At          *leanPlace          `json:"at,omitempty"`
	Kind        *result.FindingKind `json:"kind,omitempty"`
	Severity    *result.Severity    `json:"severity,omitempty"`
	Source      string              `json:"source,omitempty"`
	ID          string              `json:"id,omitempty"`
	Select      any                 `json:"select,omitempty"` // a number: the id without that many bytes at its beginning
	Name        *string             `json:"name,omitempty"`
	Rule        *string             `json:"rule,omitempty"`
	RuleName    string              `json:"rule_name,omitempty"`
	Message     string              `json:"message"`
	Cut         bool                `json:"message_truncated,omitempty"`
	Expected    string              `json:"expected,omitempty"`
	Actual      string              `json:"actual,omitempty"`
	See         []leanPlace         `json:"see,omitempty"` // other places in the workspace, restored as Locations
	Related     []result.Related    `json:"related,omitempty"`
	Package     *result.PackageRef  `json:"package,omitempty"`
	Attempts    int                 `json:"attempts,omitempty"`
	Fingerprint string              `json:"fingerprint"`
	Group       string              `json:"group,omitempty"`
	Occurrence  int                 `json:"occurrence,omitempty"`
	Times       int                 `json:"times,omitempty"`
	Artifact    any                 `json:"artifact,omitempty"`
}

// keptExtra are the keys of Extra that are kept in a line: those from which the verdict
// is made, and those that say what the absence of a finding proves.
var keptExtra = []string{"doubt", "exit_of", "swallowed", "open_pipes", "output_in", "no_tests", "stopped", "artifacts_missed"}

// implied is the result that the other keys of a line imply.
func (r *Record) implied() *result.ToolResult {
	tr := &result.ToolResult{SchemaVersion: result.SchemaVersion, Tool: r.Tool, Status: r.Status, Counts: maps.Clone(r.Counts), Findings: []result.Finding{}}
	tr.ExitCode, tr.Signal, tr.TimedOut, tr.Partial = r.Exit, r.Signal, r.TimedOut, r.Partial
	tr.StatusSource = result.FromExit
	switch {
	case r.TimedOut:
		tr.StatusSource = result.FromTimeout
	case r.Signal != "":
		tr.StatusSource = result.FromSignal
	case r.Exit == nil:
		tr.StatusSource = result.FromNothing
	}
	if r.Dir != "." {
		tr.Dir = r.Dir
	}
	if r.Raw != nil {
		tr.RawOID, tr.Raw = r.Raw.OID, &result.Raw{Bytes: r.Raw.Size, Lines: r.Raw.Lines}
	}
	for _, a := range r.Artifacts {
		tr.Artifacts = append(tr.Artifacts, result.Artifact{Path: a.Path, OID: a.OID, Size: a.Size, Role: a.Role})
	}
	if r.Outcomes != nil {
		o := *r.Outcomes
		if o.Counts == nil {
			o.Counts = maps.Clone(r.Counts)
		}
		tr.Outcomes, tr.CasesOID = &o, o.OID
	}
	return tr
}

// leanOutcomes is what a line says about the list of all tests; nil if there is no list.
func leanOutcomes(r *Record, said *result.Outcomes) *result.Outcomes {
	if said == nil || said.OID == "" {
		return nil
	}
	o := *said
	if maps.Equal(o.Counts, r.Counts) {
		o.Counts = nil
	}
	return &o
}

// implyMore fills in the fields that are implied by fields of the result itself.
func implyMore(tr *result.ToolResult) {
	if tr.Kind == "" {
		tr.Kind = result.Test
		if len(tr.Counts) == 0 {
			tr.Kind = result.Generic
		}
	}
	if tr.ParserConfidence == "" {
		tr.ParserConfidence = result.Parsed
		if tr.Kind == result.Generic {
			tr.ParserConfidence = result.Untyped
		}
	}
	if tr.ExitMeaning == "" && tr.Status == result.Failed && tr.Kind != result.Generic {
		tr.ExitMeaning = result.MeansFindings
	}
}

// lean is tr in the form in which the line of r stores it.
func (r *Record) lean(tr *result.ToolResult) leanResult {
	base := r.implied()
	l := leanResult{
		SchemaVersion: differs(tr.SchemaVersion, base.SchemaVersion), Tool: differs(tr.Tool, base.Tool), ToolFamily: tr.ToolFamily,
		Status: differs(tr.Status, base.Status), StatusSource: differs(tr.StatusSource, base.StatusSource),
		Binary: tr.Raw != nil && tr.Raw.Binary, Suppressed: tr.Suppressed, Body: leanBody(tr),
	}
	if strings.HasPrefix(tr.Tool, tr.ToolFamily+"-") {
		l.ToolFamily = ""
	}
	if tr.CasesOID != base.CasesOID {
		l.CasesOID = tr.CasesOID
	}
	if r.Exit == nil {
		l.ExitCode = tr.ExitCode
	}
	if r.Raw == nil {
		l.RawOID = tr.RawOID
	}
	base.Status = tr.Status
	implyMore(base)
	if l.Kind = differs(tr.Kind, base.Kind); l.Kind != nil {
		base.Kind, base.ParserConfidence, base.ExitMeaning = tr.Kind, "", ""
		implyMore(base)
	}
	l.Confidence, l.ExitMeaning = differs(tr.ParserConfidence, base.ParserConfidence), differs(tr.ExitMeaning, base.ExitMeaning)
	for i := range tr.Findings {
		l.Findings = append(l.Findings, leanOf(&tr.Findings[i], tr.Kind))
	}
	for _, a := range tr.Artifacts {
		if !slices.ContainsFunc(r.Artifacts, func(b Artifact) bool { return a.OID == b.OID }) {
			l.Artifacts = append(l.Artifacts, a)
		}
	}
	for _, p := range tr.Parts {
		p.RawSpan = nil
		l.Parts = append(l.Parts, p)
	}
	if n := len(tr.Findings); tr.Truncated.FindingsTotal != n || tr.Truncated.Raw {
		l.Truncated = &result.Truncated{FindingsTotal: tr.Truncated.FindingsTotal, FindingsShown: n, Raw: tr.Truncated.Raw}
	}
	for _, key := range keptExtra {
		if v, ok := tr.Extra[key]; ok {
			if l.Extra == nil {
				l.Extra = map[string]any{}
			}
			l.Extra[key] = v
		}
	}
	l.Summary = differs(tr.Summary, r.full(&l).Summary)
	return l
}

// full is the result of a line: the implied values, and the values of l.
func (r *Record) full(l *leanResult) *result.ToolResult {
	tr := r.implied()
	take(&tr.SchemaVersion, l.SchemaVersion)
	take(&tr.Tool, l.Tool)
	take(&tr.Status, l.Status)
	take(&tr.StatusSource, l.StatusSource)
	take(&tr.Counts, l.Counts) // only in version 2
	take(&tr.Kind, l.Kind)
	implyMore(tr)
	take(&tr.Kind, l.Kind)
	take(&tr.ParserConfidence, l.Confidence)
	take(&tr.ExitMeaning, l.ExitMeaning)
	tr.ExitCode = cmp.Or(l.ExitCode, tr.ExitCode)
	tr.RawOID = cmp.Or(l.RawOID, tr.RawOID)
	if tr.Raw != nil {
		tr.Raw.Binary = l.Binary
	}
	tr.CasesOID = cmp.Or(l.CasesOID, tr.CasesOID)
	tr.ToolFamily, tr.Parts, tr.Suppressed, tr.Body, tr.Extra = l.ToolFamily, l.Parts, l.Suppressed, l.Body, l.Extra
	tr.Artifacts = append(tr.Artifacts, l.Artifacts...)
	for i := range l.Findings {
		tr.Findings = append(tr.Findings, l.Findings[i].full(tr.Kind))
		if r.V == 2 {
			l.Findings[i].read2(&tr.Findings[i])
		}
	}
	tr.Truncated = result.Truncated{FindingsTotal: len(tr.Findings), FindingsShown: len(tr.Findings)}
	take(&tr.Truncated, l.Truncated)
	if tr.Summary = r.summary2(); r.V != 2 {
		tr.Summary = result.Summarise(tr)
	}
	take(&tr.Summary, l.Summary)
	return tr
}

// differs returns a pointer to a value that has to be written, and nil for a value that
// the line implies.
func differs[T comparable](is, implied T) *T {
	if is == implied {
		return nil
	}
	return &is
}

func take[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}

// leanBody is the end of the text of a run that did not go well. The text of a run that
// went well is only in its raw object.
func leanBody(tr *result.ToolResult) string {
	if tr.Status == result.Passed || tr.Status == result.OK {
		return ""
	}
	text := strings.TrimRight(tr.Body, "\n")
	if len(text) <= maxBody {
		return text
	}
	from := len(text) - maxBody
	if i := strings.IndexByte(text[from:], '\n'); i >= 0 && i < maxBody/2 {
		from += i + 1
	}
	for from < len(text) && !utf8.RuneStart(text[from]) {
		from++
	}
	return fmt.Sprintf("[… %d bytes]\n%s", from, text[from:])
}

// impliedKind is the kind and the severity of a finding that does not say them.
func impliedKind(kind result.Kind) (result.FindingKind, result.Severity) {
	if kind == result.Test {
		return result.TestFailure, result.SevFailure
	}
	return result.Diagnostic, result.SevError
}

func leanOf(f *result.Finding, of result.Kind) leanFinding {
	kind, severity := impliedKind(of)
	l := leanFinding{
		Kind: differs(f.Kind, kind), Severity: differs(f.Severity, severity), Source: f.Source, ID: f.ID, Select: leanSelect(f.ID, f.Select),
		Rule: differs(f.Rule, ""), RuleName: f.RuleName, Message: f.Message, Cut: f.MessageTruncated,
		Expected: f.Expected, Actual: f.Actual, Package: f.Package, Attempts: f.Attempts,
		Fingerprint: f.Fingerprint, Group: f.Group, Occurrence: f.Occurrence, Times: f.Times, Artifact: f.Extra["artifact"],
	}
	if f.Severity == result.SevError && f.Kind == result.TestFailure {
		l.Name = differs(f.Name, impliedName(f.ID)) // kept, since only with a name a finding is about that one test
	}
	if f.At != nil {
		l.At = &leanPlace{*f.At}
	} else {
		l.Related = f.Related
	}
	l.See = otherPlaces(f)
	if strings.Contains(f.Message, f.Expected) && strings.Contains(f.Message, f.Actual) {
		l.Expected, l.Actual = "", ""
	}
	return l
}

func (l *leanFinding) full(of result.Kind) result.Finding {
	f := result.Finding{
		Source: l.Source, ID: l.ID, RuleName: l.RuleName, Message: l.Message, MessageTruncated: l.Cut, Expected: l.Expected, Actual: l.Actual,
		Related: l.Related, Package: l.Package, Attempts: l.Attempts, Fingerprint: l.Fingerprint, Group: l.Group, Occurrence: l.Occurrence, Times: l.Times,
	}
	f.Select = fullSelect(l.ID, l.Select)
	f.Kind, f.Severity = impliedKind(of)
	take(&f.Kind, l.Kind)
	take(&f.Severity, l.Severity)
	take(&f.Rule, l.Rule)
	if f.Kind == result.TestFailure {
		f.Name = impliedName(f.ID)
	}
	take(&f.Name, l.Name)
	if l.At != nil {
		at := l.At.Location
		f.At, f.Location = &at, at.String()
	}
	for _, p := range l.See {
		f.Locations = append(f.Locations, p.Location)
	}
	if l.Artifact != nil {
		f.Extra = map[string]any{"artifact": l.Artifact}
	}
	return f
}

// leanSelect is how the test is written for its tool's filter. That is mostly the end
// of its id, and then a number: how many bytes to cut off.
func leanSelect(id, spelling string) any {
	switch cut := len(id) - len(spelling); {
	case spelling == "":
		return nil
	case strings.HasSuffix(id, spelling) && cut > 0:
		return cut
	}
	return spelling
}

func fullSelect(id string, lean any) string {
	switch v := lean.(type) {
	case string:
		return v
	case float64:
		if cut := int(v); cut > 0 && cut < len(id) {
			return id[cut:]
		}
	}
	return ""
}

// impliedName is the part of a test's id after the last "::".
func impliedName(id string) string {
	if i := strings.LastIndex(id, "::"); i >= 0 {
		return id[i+2:]
	}
	return ""
}

// isEmpty says whether all values are implied, so that nothing has to be written.
func (l leanResult) isEmpty() bool { return reflect.ValueOf(l).IsZero() }
