package result

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxMessage bounds the message of one finding, in bytes. The fingerprint is made of
// the whole message before the cut, so it does not depend on this limit.
const MaxMessage = 4096

// Seal finishes a parser's result, after secrets were removed. Afterwards
//
//   - every text is safe to show (Clean), and messages, names and paths are one line;
//   - every path is in the form of Workspace.Path, and Location spells out At;
//   - no id is, or begins with, the absolute path of a file of the workspace;
//   - every finding has its Fingerprint, its Group and its Occurrence;
//   - texts are within the limits, and Truncated says what was cut;
//   - exact duplicates are one finding: tests with their Times, others counted in Suppressed;
//   - Extra holds no floating-point number, and Findings is not nil.
//
// A finding with a fingerprint is sealed already: its paths and identities stay as they
// are. So Seal(Seal(r)) is Seal(r), and the findings of a sealed part can be put into a
// larger result.
func Seal(r *ToolResult, w Workspace) {
	r.SchemaVersion = cmp.Or(r.SchemaVersion, SchemaVersion)
	if r.Findings == nil {
		r.Findings = []Finding{}
	}
	walker{text: Clean, line: CleanLine, name: CleanLine}.result(r)
	r.Extra = plainExtra(r.Extra)
	clampCounts(r.Counts)

	p := newPaths(w)
	for i := range r.Findings {
		f := &r.Findings[i]
		if !isIdentity(f.Fingerprint) {
			sealFinding(f, r.Tool, p)
		}
		r.Truncated.DetailBytesOmitted += limit(f)
	}
	r.Truncated.FindingsTotal = max(r.Truncated.FindingsTotal, len(r.Findings))
	collapse(r)
	r.Truncated.FindingsShown = len(r.Findings)
	limitParts(r)
	if r.ParserConfidence == Untyped && len(r.Findings) > 0 {
		r.ParserConfidence = Heuristic // "generic" promises that there are no findings
	}
}

// sealFinding sets the paths and the identities of a clean finding.
func sealFinding(f *Finding, tool string, p *paths) {
	knownSeverity(f)
	if f.Times < 2 {
		f.Times = 0
	}
	f.Extra = plainExtra(f.Extra)
	for at := range f.Places() {
		p.normalise(at)
	}
	if f.At != nil && f.At.Path == "" {
		f.At = nil // a line without a file is no place to look at
	}
	f.Location = ""
	if f.At != nil {
		f.Location = f.At.String()
	}
	for i := range f.Fixes {
		for j := range f.Fixes[i].Edits {
			e := &f.Fixes[i].Edits[j]
			e.Path, _ = p.path(e.Path)
		}
	}
	p.identify(f, tool)
	apply(p.shown, &f.ID, &f.Select, &f.Name)
	applyAll(p.shown, f.Suite)
}

// identify sets the fingerprint and the group of a finding whose paths are
// final.
func (p *paths) identify(f *Finding, tool string) {
	tool = cmp.Or(f.Source, tool)
	locator := p.locator(f)
	message := ""
	if !f.MessageTruncated { // where a tool cuts a message may depend on the width of a terminal
		message = p.message(f.Message)
	}
	f.Fingerprint = Fingerprint(tool, f.Rule, locator, message)
	class, rule := f.class(), f.Rule
	if class == "test" {
		rule = ""
	}
	f.Group = Group(tool, class, rule, locator)
}

// knownSeverity moves a severity that the schema does not know to RawSeverity, and
// counts it as an error: an unknown severity must not look harmless.
func knownSeverity(f *Finding) {
	switch f.Severity {
	case SevFailure, SevError, SevWarning, SevInfo:
		return
	}
	f.RawSeverity = cmp.Or(f.RawSeverity, string(f.Severity))
	f.Severity = SevError
}

// normalise brings a location into its canonical form.
func (p *paths) normalise(l *Location) {
	name, external := p.path(l.Path)
	if strings.HasPrefix(name, "<tmp>") && IsAbsolute(cleanPath(l.Path)) {
		name = cleanPath(l.Path) // a location must be openable; the identity masks it
	}
	l.Path, l.External = name, l.External || external
	if l.Line <= 0 {
		l.Line, l.Column, l.EndLine, l.EndColumn = 0, 0, 0, 0
	}
	l.Column = max(l.Column, 0)
	if l.EndLine < l.Line {
		l.EndLine = 0
	}
	if l.Column == 0 || l.EndColumn < 0 {
		l.EndColumn = 0
	}
}

func clampCounts(counts map[string]int) {
	delete(counts, "") // a count without a name
	for key, n := range counts {
		counts[key] = max(n, 0)
	}
}

// collapse joins findings that say the same at the same line and column, and numbers the
// findings that merely have equal fingerprints. Without a line nothing shows that two findings
// are one, so both stay. Tests of one name that failed alike are joined to one finding with its
// Times, as many as the counts allow; they are not alike if a value differs. Any other
// repetition is a duplicate and is dropped, as when one compiler runs for two targets. One test
// may fail in several ways, so each name uses at least one of the failures counted.
func collapse(r *ToolResult) {
	seen := make(map[told]int, len(r.Findings)) // index in kept
	count := make(map[string]int, len(r.Findings))
	room := map[Severity]int{SevFailure: r.Counts["failed"], SevError: r.Counts["error"]}
	counted := maps.Clone(room)
	named := map[string]bool{} // groups of tests
	var again []told           // of tests
	kept := r.Findings[:0]
	for _, f := range r.Findings {
		isTest := f.class() == "test"
		if f.At != nil && f.At.Line > 0 {
			here := tells(&f, isTest)
			if _, known := seen[here]; known {
				if isTest {
					again = append(again, here)
				}
				continue
			}
			seen[here] = len(kept)
		}
		if isTest && !named[f.Group] {
			named[f.Group] = true
			room[f.Severity] -= max(f.Times, 1)
		}
		count[f.Fingerprint]++
		f.Occurrence = 0
		if n := count[f.Fingerprint]; n > 1 {
			f.Occurrence = n
		}
		kept = append(kept, f)
	}
	dropped := len(r.Findings) - len(kept)
	clear(r.Findings[len(kept):])
	r.Findings = kept
	r.Truncated.FindingsTotal -= dropped
	for _, t := range again {
		if f := &kept[seen[t]]; room[f.Severity] > 0 || counted[f.Severity] == 0 {
			f.Times = max(f.Times, 1) + 1
			room[f.Severity]--
			dropped--
		}
	}
	suppress(r, "duplicates", dropped)
}

// told is the message and the place of a finding. The values and the whole message are set only for a test.
type told struct {
	fingerprint, message, expected, actual, diff string
	at                                           Location
}

func tells(f *Finding, isTest bool) told {
	t := told{fingerprint: f.Fingerprint, at: *f.At}
	if isTest || f.MessageTruncated { // the fingerprint does not include a cut message
		t.message = f.Message
	}
	if isTest {
		t.expected, t.actual, t.diff = f.Expected, f.Actual, f.Diff
	}
	return t
}

// suppress adds n to the findings of a kind that were left out.
func suppress(r *ToolResult, kind string, n int) {
	if n == 0 {
		return
	}
	i := slices.IndexFunc(r.Suppressed, func(s Suppressed) bool { return s.Kind == kind })
	if i < 0 {
		i = len(r.Suppressed)
		r.Suppressed = append(r.Suppressed, Suppressed{Kind: kind})
	}
	r.Suppressed[i].Count += n
}

// limit cuts the texts of a finding and returns how many bytes it omitted.
func limit(f *Finding) (omitted int) {
	cut := func(s *string, most int) {
		n := cutAt(*s, most)
		omitted += len(*s) - n
		*s = (*s)[:n]
	}
	cut(&f.Message, MaxMessage)
	cut(&f.Detail, MaxDetail)
	cut(&f.Diff, MaxDetail)
	cut(&f.Expected, MaxValue)
	cut(&f.Actual, MaxValue)
	if len(f.Suggestions) > MaxSuggestions {
		for _, s := range f.Suggestions[MaxSuggestions:] {
			omitted += len(s)
		}
		f.Suggestions = f.Suggestions[:MaxSuggestions:MaxSuggestions]
	}
	f.Frames = nearFrames(f.Frames)
	return omitted
}

// cutAt is the largest length up to most at which s can be cut between characters.
func cutAt(s string, most int) int {
	if len(s) <= most {
		return len(s)
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return most
}

// nearFrames keeps the MaxFrames most useful frames, in their order: those of the
// workspace before those of libraries.
func nearFrames(frames []Location) []Location {
	drop := len(frames) - MaxFrames
	if drop <= 0 {
		return frames
	}
	kept := make([]Location, 0, MaxFrames)
	for i := len(frames) - 1; i >= 0; i-- {
		if frames[i].External && drop > 0 {
			drop--
			continue
		}
		kept = append(kept, frames[i])
	}
	slices.Reverse(kept)
	return kept[:MaxFrames:MaxFrames]
}

// limitParts drops parts beyond MaxParts, first those that did not fail.
func limitParts(r *ToolResult) {
	drop := len(r.Parts) - MaxParts
	if drop <= 0 {
		return
	}
	suppress(r, "parts", drop)
	kept := make([]Part, 0, len(r.Parts))
	for i := len(r.Parts) - 1; i >= 0; i-- {
		good := r.Parts[i].Status == Passed || r.Parts[i].Status == OK
		if good && drop > 0 {
			drop--
			continue
		}
		kept = append(kept, r.Parts[i])
	}
	slices.Reverse(kept)
	r.Parts = kept[:MaxParts:MaxParts]
}
