package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

// Linters of the files that infrastructure is described in.

var _ = Room.Add(&tool.Parser{
	Tool: "actionlint", Kind: result.Lint, Version: 1, ColumnUnit: "char",
	About:   "actionlint 1.x: text, -oneline and -format json",
	Matches: tool.Runs("actionlint"), Programs: []string{"actionlint"},
	Exits: map[int]result.Meaning{2: result.MeansUsage, 3: result.MeansInternal},
	Formats: []tool.Format{
		{Name: "json", Parse: read.JSON{Clean: true, Items: map[string]func(*read.Sink, []byte) error{"/*": read.Item(func(s *read.Sink, v *struct {
			Message, Filepath, Kind string
			Line, Column            int
		}) {
			s.FindHere(result.Finding{Rule: v.Kind, Message: v.Message, At: &result.Location{Path: v.Filepath, Line: v.Line, Column: v.Column}})
		})}}.Parse},
		{Name: "text", Parse: read.Linter{Rule: read.Brackets, Below: actionlintFrame, Accept: func(d *read.Diagnostic) bool { return d.Rule != "" }}.Parse},
	},
})

// actionlintFrame: "  |", "4 |   a: [", "  |   ^~~".
func actionlintFrame(_ *read.Sink, l tool.Line) bool {
	return strings.HasPrefix(strings.TrimLeft(l.Text, " 0123456789"), "|")
}

var _ = Room.Add(&tool.Parser{
	Tool: "hadolint", Kind: result.Lint, Version: 1,
	About:   "hadolint 2.x: tty and json",
	Matches: tool.Runs("hadolint"), Programs: []string{"hadolint"},
	Formats: []tool.Format{
		{Name: "json", Parse: read.JSON{Clean: true, Items: map[string]func(*read.Sink, []byte) error{"/*": read.Item(func(s *read.Sink, v *struct {
			File, Code, Level, Message string
			Line, Column               int
		}) {
			s.FindHere(hadolintFinding(result.Location{Path: v.File, Line: v.Line}, v.Code, v.Level, v.Message))
		})}}.Parse},
		{Name: "tty", Parse: read.Text{Line: hadolintLine}.Parse},
	},
})

func hadolintFinding(at result.Location, rule, level, message string) result.Finding {
	f := result.Finding{Severity: read.SeverityOf(level), RawSeverity: level, Rule: rule, Message: message, At: &at}
	if strings.HasPrefix(rule, "DL") {
		f.RuleURL = "https://github.com/hadolint/hadolint/wiki/" + rule
	}
	if level == "style" {
		f.Severity = result.SevInfo
	}
	return f
}

// hadolintLine reads "Dockerfile:3 DL3008 warning: text" and "Dockerfile:4:1
// unexpected 'X'", a file that cannot be read.
func hadolintLine(s *read.Sink, l tool.Line) bool {
	at, rest, ok := place.Cut(l.Text)
	if !ok {
		if message, said := strings.CutPrefix(l.Text, "hadolint: "); said {
			s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
			return true
		}
		return false
	}
	rule, level, _ := strings.Cut(rest, " ")
	if word, message, ok := strings.Cut(level, ": "); ok && read.SeverityOf(word) != "" {
		s.Find(l, hadolintFinding(at, rule, word, message))
		return true
	}
	s.Find(l, result.Finding{Message: rest, At: &at})
	return true
}

var _ = Room.Add(&tool.Parser{
	Tool: "buf", Kind: result.Lint, Version: 1,
	About:   "buf 1.x lint, build, breaking and format: text, json and github-actions",
	Matches: tool.Runs("buf"), Programs: []string{"buf"},
	Exits: map[int]result.Meaning{1: result.MeansUsage, 100: result.MeansFindings},
	Formats: []tool.Format{
		{Name: "json", Parse: read.JSON{Items: map[string]func(*read.Sink, []byte) error{"": read.Item(func(s *read.Sink, v *struct {
			Path, Message string
			StartLine     int `json:"start_line"`
			StartColumn   int `json:"start_column"`
		}) {
			s.FindHere(result.Finding{Message: v.Message, At: &result.Location{Path: v.Path, Line: v.StartLine, Column: v.StartColumn}})
		})}}.Parse},
		{Name: "text", Parse: read.Linter{Other: func(s *read.Sink, l tool.Line) bool {
			message, ok := strings.CutPrefix(l.Text, "Failure: ")
			if ok {
				s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
			}
			return ok
		}}.Parse},
	},
})
