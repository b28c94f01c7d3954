package golang

import (
	"encoding/json"
	"strings"

	"cairn/parsers/text/jsontext"
	"cairn/parsers/tool"
	"cairn/result"
)

// goVetReader reads what go vet -json prints (go doc cmd/vet): for each package one object, which the go command writes
// with tabs, one member per line. Lines of the go command may come between the objects; before Go 1.26, which
// printed the objects to stderr, they always do.
//
//	{
//		"example.com/m/p": {
//			"printf": [
//				{
//					"posn": "/src/m/p/p.go:15:14",
//					"end": "/src/m/p/p.go:15:16",
//					"message": "…",
//					"suggested_fixes": [ {"message": "…", "edits": […]} ],
//					"related": [ {"posn": "…", "message": "…"} ]
//				}
//			]
//		}
//	}
//
// An edit has byte offsets only, from which no line follows, so only a fix's message is kept.
type goVetReader struct {
	open  bool
	pkg   string
	rule  string
	text  strings.Builder // of the current diagnostic
	span  *result.Span    // of that diagnostic; nil outside of one
	all   []result.Finding
	spans []result.Span
}

// line takes a line, or returns false if it belongs to no object.
func (v *goVetReader) line(l tool.Line) bool {
	s := strings.TrimLeft(l.Text, "\t")
	depth := len(l.Text) - len(s)
	switch {
	case depth == 0 && s == "{":
		v.open = true
	case depth == 0 && s == "{}":
	case depth == 0 && s == "}" && v.open:
		v.open = false
	case !v.open || depth == 0 || s == "" || !strings.ContainsRune(`"{}[]`, rune(s[0])):
		return false
	default:
		v.member(depth, s, l)
	}
	v.spans = append(v.spans, result.Span{Start: l.Start, End: l.End})
	return true
}

// member takes a line inside of an object.
func (v *goVetReader) member(depth int, s string, l tool.Line) {
	if v.span != nil {
		v.text.WriteString(s)
		if depth > 3 {
			v.span.End = max(v.span.End, l.End)
		}
	}
	key, value := vetMember(s)
	switch {
	case depth == 1:
		v.pkg = key
	case depth == 2:
		v.rule = key
	case depth == 3 && s == "{":
		v.span = &result.Span{Start: l.Start, End: l.End}
		v.text.Reset()
		v.text.WriteString(s)
	case depth == 3 && strings.HasPrefix(s, "}") && v.span != nil:
		v.diagnostic(strings.TrimSuffix(v.text.String(), ","))
		v.span = nil
	case depth == 3 && (key == "error" || key == "err"): // of an analyzer
		v.keep(result.Finding{ID: v.pkg, Message: value, RawSpan: &result.Span{Start: l.Start, End: l.End}})
	}
}

// diagnostic turns a complete object into a finding.
func (v *goVetReader) diagnostic(object string) {
	var d struct {
		Posn, End, Message string
		Fixes              []struct{ Message string } `json:"suggested_fixes"`
		Related            []struct{ Posn, Message string }
	}
	if json.Unmarshal([]byte(object), &d) != nil || d.Message == "" || len(v.all) >= 2*tool.MaxFindings {
		return
	}
	f := result.Finding{At: vetPlace(d.Posn), RawSpan: v.span, Extra: map[string]any{"package": v.pkg}, Fixable: len(d.Fixes) > 0}
	f.Message, f.Detail, _ = strings.Cut(d.Message, "\n")
	if end := vetPlace(d.End); end != nil && f.At != nil {
		f.At.EndLine, f.At.EndColumn = end.Line, end.Column
	}
	for _, fix := range d.Fixes {
		f.Suggestions = append(f.Suggestions, fix.Message)
	}
	for _, r := range d.Related {
		f.Related = append(f.Related, result.Related{Message: r.Message, At: vetPlace(r.Posn)})
	}
	v.keep(f)
}

func (v *goVetReader) keep(f result.Finding) {
	f.Kind, f.Severity, f.Source, f.Rule = result.Diagnostic, result.SevError, goVetTool, v.rule
	v.all = append(v.all, f)
}

func vetPlace(s string) *result.Location {
	path, line, col, ok := cutPosition(s)
	if !ok {
		return nil
	}
	return &result.Location{Path: path, Line: line, Column: col}
}

// vetMember splits `"key": "value",`. The value is "" if it is not a string.
func vetMember(s string) (key, value string) {
	rest, ok := strings.CutPrefix(s, `"`)
	if !ok {
		return "", ""
	}
	key, value, _ = strings.Cut(rest, `": `)
	value = strings.TrimSuffix(value, ",")
	if len(value) < 2 || value[0] != '"' {
		return jsontext.Unescape(key), ""
	}
	return jsontext.Unescape(key), jsontext.Unescape(value[1 : len(value)-1])
}

// add adds all findings to the report.
func (v *goVetReader) add(r *goOutput) {
	for _, f := range v.all {
		r.add(f)
	}
	if len(v.all) > 0 {
		r.report.Covered = append(r.report.Covered, v.spans...)
	}
}
