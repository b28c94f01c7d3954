package prose

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("vale", func(p *tool.Parser) {
	p.Is("vale", result.Lint, 1, "vale 2 and 3: CLI, line and JSON output")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Clean: true, Items: map[string]func(*read.Sink, []byte) error{"": valeFiles}}.Parse})
	p.Reads(tool.Format{Name: "line", Parse: read.Linter{Rule: read.Colon, Default: result.SevWarning, Accept: func(d *read.Diagnostic) bool {
		return strings.Contains(d.Rule, ".") && d.At.Column > 0
	}}.Parse})
	p.Reads(tool.Format{Name: "cli", Parse: read.Grouped{
		Row: read.RowForm{LastColumn: true}, Other: valeOther,
		Head: func(text string) (string, bool) {
			path := strings.TrimSpace(text)
			return path, path != "" && !strings.Contains(path, "  ") && strings.ContainsAny(path, "./")
		},
	}.Parse})
})

// valeAlert is a message of the JSON format.
type valeAlert struct {
	Check, Message, Severity, Link string
	Line                           int
	Span                           []int
}

// valeFiles reads the whole document: the alerts of each file, or, if it has a Code, the reason why vale could not run.
func valeFiles(s *read.Sink, item []byte) error {
	var trouble struct{ Code, Text, Path string }
	if json.Unmarshal(item, &trouble) == nil && trouble.Code != "" {
		s.FindHere(result.Finding{Kind: result.GenericFinding, Rule: trouble.Code, Message: trouble.Text, At: &result.Location{Path: trouble.Path}})
		s.Meaning = result.MeansUsage
		return nil
	}
	var files map[string][]valeAlert
	if err := json.Unmarshal(item, &files); err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		for _, a := range files[path] {
			at := result.Location{Path: path, Line: a.Line}
			if len(a.Span) == 2 {
				at.Column = a.Span[0]
			}
			s.FindHere(result.Finding{Severity: read.SeverityOf(a.Severity), RawSeverity: a.Severity, Rule: a.Check, RuleURL: a.Link, Message: a.Message, At: &at})
		}
	}
	return nil
}

// valeOther reads the rest of a wrapped message, the closing count, and the reason why vale could not run: "E100
// [.vale.ini not found] Runtime error".
func valeOther(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	switch {
	case strings.HasPrefix(text, "✖ "), strings.HasPrefix(text, "✔ "):
		counts := read.Counts(text)
		s.Claim(counts["errors"] + counts["error"])
		s.Close(l)
	case strings.HasPrefix(text, "E1") || strings.HasPrefix(text, "E2"):
		rule, message, ok := strings.Cut(text, " [")
		if !ok || len(rule) != 4 {
			return false
		}
		s.Find(l, result.Finding{Kind: result.GenericFinding, Rule: rule, Message: "[" + message})
		s.Meaning = result.MeansUsage
	case text != "" && strings.HasPrefix(l.Text, "        ") && s.Last() != nil:
		message, _, _ := strings.Cut(text, "   ")
		s.Last().Message += " " + message
		s.Cover(l)
	default:
		return false
	}
	return true
}
