package ruff

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"cairn/parsers/text/jsontext"
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

func parseRuffJSON(toolName string) func(*tool.Input) *tool.Report {
	return parseRuffDoc(toolName, func(in *tool.Input, o *ruffOutput) *ruffDoc {
		return readRuffItems(in, o, "", []string{"", "/*"}, func(d *ruffDoc, item jsontext.Item) {
			var r ruffDiagnostic
			err := json.Unmarshal([]byte(item.Text), &r)
			own := strings.Contains(item.Text, `"noqa_row"`)
			switch {
			case err == nil && r.placed() && (r.Location != nil || own):
				d.add(r.finding(), item.Start, item.End)
			case err == nil && r.Count > 0 && r.Fixable != nil && r.Filename == "" && r.known():
				d.add(r.counted(), item.Start, item.End)
			default: // perhaps another tool's
				d.lost += lex.Btoi(own || strings.Contains(item.Text, `"end_location"`))
			}
		})
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

func parseRuffGitLab(toolName string) func(*tool.Input) *tool.Report {
	return parseRuffDoc(toolName, func(in *tool.Input, o *ruffOutput) *ruffDoc {
		d := readRuffItems(in, o, "", []string{"/*"}, func(d *ruffDoc, item jsontext.Item) {
			f, ok := readRuffIssue(item.Text, o.named)
			if !ok {
				d.lost += lex.Btoi(strings.Contains(item.Text, `"fingerprint"`)) // else another tool's
				return
			}
			d.add(f, item.Start, item.End)
		})
		d.seen = d.seen && (o.named || slices.ContainsFunc(d.findings, isRuffOwn))
		return d
	})
}

// readRuffIssue reads an issue. The fingerprints of ruff have 16 digits or less:
// where it is not certain that ruff was run, others are no issue of its.
func readRuffIssue(text string, named bool) (f result.Finding, ok bool) {
	var r ruffIssue
	if json.Unmarshal([]byte(text), &r) != nil || r.Description == nil || r.Location == nil || !named && len(r.Fingerprint) > 16 {
		return f, false
	}
	return r.finding()
}

// isRuffOwn: the rule is one that only ruff has. Those of ty, which reports in
// the same words, are names without a code.
func isRuffOwn(f result.Finding) bool {
	return isRuffCode(f.Rule) || f.Rule == unformatted || f.Rule == ruffIO
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
	return parseRuffDoc(toolName, func(in *tool.Input, o *ruffOutput) *ruffDoc {
		named := false
		d := readRuffItems(in, o, "/runs", []string{"/diagnostics/*", "/source/name"}, func(d *ruffDoc, item jsontext.Item) {
			if item.Path == "/source/name" {
				named = item.Text == `"ruff"`
				return
			}
			var r ruffRD
			if json.Unmarshal([]byte(item.Text), &r) != nil || r.Message == nil || r.Location.Path == "" {
				d.lost++
				return
			}
			d.add(r.finding(), item.Start, item.End)
		})
		d.seen = named
		return d
	})
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
