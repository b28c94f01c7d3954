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

// ruffDiagnostic is a member of --output-format json and a line of json-lines.
type ruffDiagnostic struct {
	Cell        *int
	Code, URL   *string
	Name        string
	Filename    string
	Message     *string
	Severity    string
	Location    *ruffPoint
	EndLocation ruffPoint `json:"end_location"`

	Count   int // of --statistics, which names no places
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

// ruffItems reads the values of a document of JSON at the paths, each into a T, which
// says what is found; other values are another tool's, or lost.
func ruffItems[T any](o *ruffOutput, find func(v *T, item string) (f result.Finding, ok, lost bool), paths ...string) read.JSON {
	take := func(s *read.Sink, item []byte) error {
		text := string(item)
		if s.Crowded() {
			o.sure = true
			s.Drop(ruffMild(text), 1)
			return nil
		}
		v := new(T)
		if json.Unmarshal(item, v) != nil {
			v = nil
		}
		f, ok, lost := find(v, text)
		if ok {
			o.sure = true
			s.FindHere(f)
		} else if !lost {
			s.Decline()
		}
		o.lost += lex.Btoi(lost)
		return nil
	}
	items := map[string]func(s *read.Sink, item []byte) error{}
	for _, path := range paths {
		items[path] = take
	}
	return read.JSON{Items: items}
}

// ruffMild is the severity that an item has, which is not read: quotes within a string
// are escaped, so the member is not text.
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

func parseRuffJSON(toolName string) func(*tool.Input) *tool.Report {
	return ruffDocument(toolName, func(o *ruffOutput) func(in *tool.Input) *tool.Report {
		return ruffItems(o, func(r *ruffDiagnostic, item string) (f result.Finding, ok, lost bool) {
			own := strings.Contains(item, `"noqa_row"`)
			switch {
			case r != nil && r.URL != nil && !strings.Contains(*r.URL, "ruff"): // fortitude prints the same of Fortran
				return f, false, false
			case r != nil && r.placed() && (r.Location != nil || own):
				return r.finding(), true, false
			case r != nil && r.Count > 0 && r.Fixable != nil && r.Filename == "" && r.known():
				return r.counted(), true, false
			}
			return f, false, own || strings.Contains(item, `"end_location"`) // else perhaps another tool's
		}, "", "/*").Parse
	})
}

// known: the code is one of ruff's, or there is not one.
func (r *ruffDiagnostic) known() bool {
	code := lex.Deref(r.Code)
	return code == "" || isRuffCode(code) || isRuffName(code)
}

func (r *ruffDiagnostic) placed() bool { return r.Message != nil && r.Filename != "" && r.known() }

func (r *ruffDiagnostic) finding() result.Finding {
	at := result.Location{Path: r.Filename, EndLine: r.EndLocation.line(), EndColumn: r.EndLocation.Column}
	if r.Location != nil { // null where a file could not be read
		at.Line, at.Column = r.Location.line(), r.Location.Column
	}
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

// counted is a rule of --statistics, as its text has it: by its name or, until
// 0.6, by the first of its messages.
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
		fix.Edits = append(fix.Edits, result.Edit{
			Path: r.Filename, Text: e.Content,
			Start: fmt.Sprintf("%d:%d", e.Location.line(), e.Location.Column),
			End:   fmt.Sprintf("%d:%d", e.EndLocation.line(), e.EndLocation.Column),
		})
	}
	f.Fixes = append(f.Fixes, fix)
}

// ruffIssue is a member of --output-format gitlab. Until 0.11 the rule stands
// in the description, and the lines without columns.
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

// parseRuffGitLab: the fingerprints of ruff have 16 digits or less; where it is not certain
// that ruff was run, others are no issue of its.
func parseRuffGitLab(toolName string) func(*tool.Input) *tool.Report {
	return ruffDocument(toolName, func(o *ruffOutput) func(in *tool.Input) *tool.Report {
		parse := ruffItems(o, func(r *ruffIssue, item string) (f result.Finding, ok, lost bool) {
			if r != nil && r.Description != nil && r.Location != nil && (o.named || len(r.Fingerprint) <= 16) {
				f, ok = r.finding()
			}
			return f, ok, !ok && strings.Contains(item, `"fingerprint"`) // else another tool's
		}, "/*").Parse
		return func(in *tool.Input) *tool.Report {
			rep := parse(in)
			o.sure = o.sure && (o.named || slices.ContainsFunc(rep.Findings, isRuffOwn))
			return rep
		}
	})
}

// isRuffOwn: the rule is one that only ruff has. Those of ty, which reports in
// the same words, are names without a code.
func isRuffOwn(f result.Finding) bool {
	return isRuffCode(f.Rule) || f.Rule == ruffUnformatted || f.Rule == ruffIO
}

// finding declines what another tool's report of the same format holds.
func (r *ruffIssue) finding() (f result.Finding, ok bool) {
	p := r.Location.Positions
	at := result.Location{Path: r.Location.Path, Line: p.Begin.line(), Column: p.Begin.Column, EndLine: p.End.line(), EndColumn: p.End.Column}
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

// ruffRD is a member of --output-format rdjson, the Reviewdog diagnostic format.
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

func parseRuffRDJSON(toolName string) func(*tool.Input) *tool.Report {
	return ruffDocument(toolName, func(o *ruffOutput) func(in *tool.Input) *tool.Report {
		j := ruffItems(o, func(r *ruffRD, _ string) (f result.Finding, ok, lost bool) {
			if r == nil || r.Message == nil || r.Location.Path == "" {
				return f, false, true
			}
			return r.finding(), true, false
		}, "/diagnostics/*")
		return o.ruffNames(j, "/source/name", "/runs")
	})
}

func parseRuffSARIF(toolName string) func(*tool.Input) *tool.Report {
	return ruffDocument(toolName, func(o *ruffOutput) func(in *tool.Input) *tool.Report {
		j := ruffItems(o, func(_ *struct{}, item string) (f result.Finding, ok, lost bool) {
			r, ok := sarif.Read(item)
			if !ok {
				return f, false, true
			}
			f = ruffFinding(lex.Deref(r.RuleID), r.Message.Text, r.Locations[0].At())
			f.Severity, f.Fixes = r.Severity(), r.AllFixes()
			for _, p := range r.RelatedLocations {
				f.Locations = append(f.Locations, p.At())
			}
			return f, true, false
		}, sarif.Result)
		j.Items[sarif.Version] = read.Item(func(s *read.Sink, version *string) { s.Version = *version })
		return o.ruffNames(j, sarif.Name, "/diagnostics")
	})
}

// ruffNames makes the reader of a document that names the program at a path; foreign is
// what only another format has.
func (o *ruffOutput) ruffNames(j read.JSON, path, foreign string) func(in *tool.Input) *tool.Report {
	named := false
	j.Items[path] = func(_ *read.Sink, item []byte) error {
		named = string(item) == `"ruff"`
		return nil
	}
	j.Foreign = foreign
	return func(in *tool.Input) *tool.Report {
		rep := j.Parse(in)
		o.sure = named
		return rep
	}
}

func (r *ruffRD) finding() result.Finding {
	from, to := r.Location.Range.Start, r.Location.Range.End
	f := ruffFinding(lex.Deref(r.Code.Value), *r.Message, result.Location{
		Path: r.Location.Path, Line: from.line(), Column: from.Column, EndLine: to.line(), EndColumn: to.Column,
	})
	f.RuleURL = lex.Deref(r.Code.URL)
	if len(r.Suggestions) > 0 {
		fix := result.Fix{Applicability: "unknown"} // the format does not tell
		for _, s := range r.Suggestions {
			fix.Edits = append(fix.Edits, result.Edit{
				Path: r.Location.Path, Text: s.Text,
				Start: fmt.Sprintf("%d:%d", s.Range.Start.line(), s.Range.Start.Column),
				End:   fmt.Sprintf("%d:%d", s.Range.End.line(), s.Range.End.Column),
			})
		}
		f.Fixes = append(f.Fixes, fix)
	}
	return f
}
