package golang

import (
	"strings"

	"cairn/parsers/text/jsontext"
	"cairn/parsers/tool"
	"cairn/result"
)

// goVetReader reads what go vet -json prints (go doc cmd/vet): for each package
// one object, which the go command writes with tabs, a member a line. Lines of
// the go command may stand between the objects, and in go before 1.26, which
// prints them to stderr, do.
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
// An edit has byte offsets only, from which no line follows: a fix is kept by
// what it is called.
type goVetReader struct {
	open  bool
	pkg   string
	rule  string
	now   *result.Finding
	all   []result.Finding
	notes *result.Related
	spans []result.Span
}

// line takes a line, or says that it belongs to no object.
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

func (v *goVetReader) member(depth int, s string, l tool.Line) {
	key, value := vetMember(s)
	switch depth {
	case 1:
		v.pkg = key
	case 2:
		v.rule = key
	case 3:
		v.element(key, value, s, l)
	case 4:
		v.diagnostic(key, value)
	case 5:
		if s == "{" {
			v.notes = &result.Related{}
		}
	case 6:
		v.note(key, value)
	}
	if v.now != nil {
		v.now.RawSpan.End = l.End
	}
}

// element begins or ends a diagnostic, or is the error of an analyzer.
func (v *goVetReader) element(key, value, s string, l tool.Line) {
	switch {
	case s == "{":
		v.now = &result.Finding{
			Kind: result.Diagnostic, Severity: result.SevError, Source: goVetTool, Rule: v.rule,
			RawSpan: &result.Span{Start: l.Start}, Extra: map[string]any{"package": v.pkg},
		}
	case strings.HasPrefix(s, "}") && v.now != nil:
		if len(v.all) < 2*tool.MaxFindings && v.now.Message != "" {
			v.all = append(v.all, *v.now)
		}
		v.now = nil
	case key == "error" || key == "err":
		v.all = append(v.all, result.Finding{
			Kind: result.Diagnostic, Severity: result.SevError, Source: goVetTool, Rule: v.rule, ID: v.pkg, Message: value,
			RawSpan: &result.Span{Start: l.Start, End: l.End},
		})
	}
}

func (v *goVetReader) diagnostic(key, value string) {
	f := v.now
	if f == nil {
		return
	}
	switch key {
	case "posn":
		if path, line, col, ok := cutPosition(value); ok {
			f.At = &result.Location{Path: path, Line: line, Column: col}
		}
	case "end":
		if _, line, col, ok := cutPosition(value); ok && f.At != nil {
			f.At.EndLine, f.At.EndColumn = line, col
		}
	case "message":
		f.Message, f.Detail, _ = strings.Cut(value, "\n")
	}
}

// note reads a member of a fix or of a related place.
func (v *goVetReader) note(key, value string) {
	if v.now == nil || v.notes == nil {
		return
	}
	switch key {
	case "posn":
		if path, line, col, ok := cutPosition(value); ok {
			v.notes.At = &result.Location{Path: path, Line: line, Column: col}
		}
	case "message":
		v.notes.Message = value
		if v.notes.At != nil {
			v.now.Related = append(v.now.Related, *v.notes)
			return
		}
		v.now.Fixable = true
		v.now.Suggestions = append(v.now.Suggestions, value)
	}
}

// vetMember splits `"key": "value",`; what has no string for a value has "".
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

// add gives what was read to the report.
func (v *goVetReader) add(r *goOutput) {
	for _, f := range v.all {
		r.add(f)
	}
	if len(v.all) > 0 {
		coverLate(r.report, v.spans)
	}
}
