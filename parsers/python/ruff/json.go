package ruff

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/sarif"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

type ruffPoint struct{ Row, Line, Column int }

func (p ruffPoint) line() int { return max(p.Row, p.Line) }

func (p ruffPoint) String() string { return fmt.Sprintf("%d:%d", p.line(), p.Column) }

// between is the place from p to end.
func (p ruffPoint) between(path string, end ruffPoint) result.Location {
	return result.Location{Path: path, Line: p.line(), Column: p.Column, EndLine: end.line(), EndColumn: end.Column}
}

// ruffDiagnostic is an element of --output-format json, and a line of json-lines.
type ruffDiagnostic struct {
	Cell        *int
	Code, URL   *string
	Name        string
	Filename    string
	Message     *string
	Severity    string
	Location    *ruffPoint
	EndLocation ruffPoint `json:"end_location"`

	Count   int // from --statistics, whose elements have no places
	Fixable *bool

	Fix *struct {
		Applicability string
		Message       *string
		Edits         []struct {
			Content     string
			Location    ruffPoint
			EndLocation ruffPoint `json:"end_location"`
		}
	}
}

// ruffItems returns a reader of the JSON values at the paths. find returns the finding of a value, which it gets
// decoded, or nil if that failed, and as text. ok is false for another tool's value, lost is set for a value of
// ruff's that could not be read.
func ruffItems[T any](r *ruff, find func(v *T, item string) (f result.Finding, ok, lost bool), paths ...string) read.JSON {
	take := func(s *read.Sink, item []byte) error {
		text := string(item)
		if s.Crowded() {
			r.sure = true
			s.Drop(ruffMild(text), 1)
			return nil
		}
		v := new(T)
		if json.Unmarshal(item, v) != nil {
			v = nil
		}
		f, ok, lost := find(v, text)
		if ok {
			r.sure = true
			s.FindHere(f)
		} else if !lost {
			s.Decline()
		}
		r.lost += lex.Btoi(lost)
		return nil
	}
	items := map[string]func(s *read.Sink, item []byte) error{}
	for _, path := range paths {
		items[path] = take
	}
	return read.JSON{Items: items}
}

// ruffMild returns the severity of a JSON item without decoding it. Quotes in a string are escaped, so
// the text of a message cannot look like the member "severity" or "level".
func ruffMild(item string) result.Severity {
	for _, member := range [...]string{`"severity":`, `"level":`} {
		_, value, ok := strings.Cut(item, member)
		if value = strings.TrimLeft(value, " "); !ok || value == "" {
			continue
		}
		word, _, _ := strings.Cut(value[1:], `"`)
		if mild := result.Severity(word); mild == result.SevWarning || mild == result.SevInfo {
			return mild
		}
	}
	return result.SevError
}

func readRuffJSON(r *ruff) func(in *tool.Input) *tool.Report {
	return ruffItems(r, func(v *ruffDiagnostic, item string) (f result.Finding, ok, lost bool) {
		own := strings.Contains(item, `"noqa_row"`)
		switch {
		case v != nil && v.URL != nil && !strings.Contains(*v.URL, "ruff"): // fortitude's JSON about Fortran has the same form
			return f, false, false
		case v != nil && v.known() && v.Message != nil && v.Filename != "" && (v.Location != nil || own):
			return v.finding(), true, false
		case v != nil && v.known() && v.Count > 0 && v.Fixable != nil && v.Filename == "":
			return v.counted(), true, false
		}
		return f, false, own || strings.Contains(item, `"end_location"`) // otherwise perhaps another tool's
	}, "", "/*").Parse
}

// known reports whether the code looks like ruff's, or there is no code.
func (r *ruffDiagnostic) known() bool {
	code := lex.Deref(r.Code)
	return code == "" || isRuffCode(code) || isRuffName(code)
}

func (r *ruffDiagnostic) finding() result.Finding {
	from := ruffPoint{}
	if r.Location != nil { // null if a file could not be read
		from = *r.Location
	}
	at := from.between(r.Filename, r.EndLocation)
	if r.Cell != nil {
		at.Label = fmt.Sprint("cell ", *r.Cell)
	}
	f := ruffFinding(lex.Deref(r.Code), *r.Message, at)
	if f.RuleName == "" && r.Name != f.Rule {
		f.RuleName = r.Name
	}
	f.RuleURL = lex.Deref(r.URL)
	if r.Severity == "warning" || r.Severity == "info" {
		f.Severity = result.Severity(r.Severity)
	}
	r.fix(&f)
	return f
}

// counted returns the finding of a rule counted by --statistics. The message is the rule's name or, until
// 0.6, the first of the rule's messages.
func (r *ruffDiagnostic) counted() result.Finding {
	f := ruffFinding(lex.Deref(r.Code), fmt.Sprintf("%s (%d)", cmp.Or(r.Name, lex.Deref(r.Message)), r.Count), result.Location{})
	f.At, f.Fixable, f.Extra = nil, *r.Fixable, map[string]any{"count": r.Count}
	return f
}

func (r *ruffDiagnostic) fix(f *result.Finding) {
	if r.Fix == nil {
		return
	}
	f.Fixable = r.Fix.Applicability == "safe"
	ruffHelp(f, lex.Deref(r.Fix.Message))
	fix := result.Fix{Description: lex.Deref(r.Fix.Message), Applicability: r.Fix.Applicability}
	for _, e := range r.Fix.Edits {
		fix.Edits = append(fix.Edits, result.Edit{Path: r.Filename, Text: e.Content, Start: e.Location.String(), End: e.EndLocation.String()})
	}
	f.Fixes = append(f.Fixes, fix)
}

// ruffIssue is an element of --output-format gitlab. Until 0.11, the rule is in the description, "(F401) text",
// and there are lines without columns.
type ruffIssue struct {
	CheckName   string `json:"check_name"`
	Description *string
	Fingerprint string
	Location    *struct {
		Path      string
		Lines     struct{ Begin, End int }
		Positions struct{ Begin, End ruffPoint }
	}
}

// readRuffGitLab reads --output-format gitlab. If "ruff" is not in the command, an issue counts only if its
// fingerprint has 16 digits or less, as ruff's have.
func readRuffGitLab(r *ruff) func(in *tool.Input) *tool.Report {
	parse := ruffItems(r, func(v *ruffIssue, item string) (f result.Finding, ok, lost bool) {
		if v != nil && v.Description != nil && v.Location != nil && (r.named || len(v.Fingerprint) <= 16) {
			f, ok = v.finding()
		}
		return f, ok, !ok && strings.Contains(item, `"fingerprint"`) // otherwise another tool's
	}, "/*").Parse
	return func(in *tool.Input) *tool.Report {
		rep := parse(in)
		r.sure = r.sure && (r.named || slices.ContainsFunc(rep.Findings, isRuffOwn))
		return rep
	}
}

// isRuffOwn reports whether the finding's rule is one that only ruff has. ty's reports in this format have
// names in place of codes.
func isRuffOwn(f result.Finding) bool {
	return isRuffCode(f.Rule) || f.Rule == ruffUnformatted || f.Rule == ruffIO
}

// finding returns the issue's finding; ok is false for an issue of another tool.
func (r *ruffIssue) finding() (f result.Finding, ok bool) {
	p := r.Location.Positions
	at := p.Begin.between(r.Location.Path, p.End)
	if at.Line == 0 {
		at.Line, at.EndLine = r.Location.Lines.Begin, r.Location.Lines.End
	}
	code, message := r.CheckName, *r.Description
	if code == "" {
		if rest, old := strings.CutPrefix(message, "("); old {
			code, message, _ = strings.Cut(rest, ") ")
		}
	}
	message = strings.TrimPrefix(message, code+": ")
	known := isRuffCode(code) || isRuffName(code) || strings.HasPrefix(message, "SyntaxError: ") || isNotebookTrouble(at, message)
	return ruffFinding(code, message, at), known && at.Path != ""
}

// ruffRD is a diagnostic of --output-format rdjson, the Reviewdog diagnostic format.
type ruffRD struct {
	Code struct {
		Value, URL *string
	}
	Location struct {
		Path  string
		Range struct{ Start, End ruffPoint }
	}
	Message     *string
	Suggestions []struct {
		Range struct{ Start, End ruffPoint }
		Text  string
	}
}

func readRuffRDJSON(r *ruff) func(in *tool.Input) *tool.Report {
	return r.ruffNames(ruffItems(r, func(v *ruffRD, _ string) (f result.Finding, ok, lost bool) {
		if v == nil || v.Message == nil || v.Location.Path == "" {
			return f, false, true
		}
		return v.finding(), true, false
	}, "/diagnostics/*"), "/source/name", "/runs")
}

func readRuffSARIF(r *ruff) func(in *tool.Input) *tool.Report {
	j := ruffItems(r, func(v *sarif.Record, _ string) (f result.Finding, ok, lost bool) {
		if v == nil || len(v.Locations) == 0 {
			return f, false, true
		}
		f = ruffFinding(lex.Deref(v.RuleID), v.Message.Text, v.Locations[0].At())
		f.Severity, f.Fixes = v.Severity(), v.AllFixes()
		for _, p := range v.RelatedLocations {
			f.Locations = append(f.Locations, p.At())
		}
		return f, true, false
	}, sarif.Result)
	j.Items[sarif.Version] = read.Item(func(s *read.Sink, version *string) { s.Version = *version })
	return r.ruffNames(j, sarif.Name, "/diagnostics")
}

// ruffNames returns a reader of a document that has the program's name at a path. foreign is the path of a
// member that only another format has.
func (r *ruff) ruffNames(j read.JSON, path, foreign string) func(in *tool.Input) *tool.Report {
	named := false
	j.Items[path] = func(_ *read.Sink, item []byte) error {
		named = string(item) == `"ruff"`
		return nil
	}
	j.Foreign = foreign
	return func(in *tool.Input) *tool.Report {
		rep := j.Parse(in)
		r.sure = named
		return rep
	}
}

func (r *ruffRD) finding() result.Finding {
	f := ruffFinding(lex.Deref(r.Code.Value), *r.Message, r.Location.Range.Start.between(r.Location.Path, r.Location.Range.End))
	f.RuleURL = lex.Deref(r.Code.URL)
	if len(r.Suggestions) > 0 {
		fix := result.Fix{Applicability: "unknown"} // the format does not have it
		for _, s := range r.Suggestions {
			fix.Edits = append(fix.Edits, result.Edit{Path: r.Location.Path, Text: s.Text, Start: s.Range.Start.String(), End: s.Range.End.String()})
		}
		f.Fixes = append(f.Fixes, fix)
	}
	return f
}
