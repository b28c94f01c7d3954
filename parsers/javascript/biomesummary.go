package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
	"cairn/result"
)

// biomeSummary reads the number of violations in each file and of each rule; the summary has no places.
//
//	i The following files have violations:
//
//	- src/cart.js (8 errors, 7 warnings, 2 infos)
//
//	lint/suspicious/noFallthroughSwitchClause    1 (1 error)
//
// Files that the formatter would change are listed without counts. The totals come from the last lines only, since
// each violation is counted both in the row of its file and in the row of its rule.
func biomeSummary(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	row, isFile := strings.CutPrefix(text, "- ")
	head, counted, ok := strings.Cut(row, " (")
	counted, closed := strings.CutSuffix(counted, ")")
	counts := read.Counts(counted)
	f := result.Finding{Message: counted, Severity: result.SevInfo}
	switch {
	case lex.HasAnyPrefix(text, "i The following ", "ℹ The following ", "reporter/violations ", "reporter/format "):
		s.Path = "summary"
		if strings.Contains(text, "format") {
			s.Path = "format"
		}
		return s.Sign(l)
	case s.Path != "" && strings.HasPrefix(text, "Found "):
		for kind, n := range read.Counts(strings.TrimSuffix(text[len("Found "):], ".")) {
			s.Count(strings.TrimSuffix(kind, "s"), n)
		}
		return s.Close(l)
	case s.Path == "format" && isFile && !ok:
		f = result.Finding{Severity: result.SevError, Rule: "format", Message: biomeUnformatted, At: &result.Location{Path: row}}
		return s.Find(l, f)
	case s.Path == "" || !ok || !closed || len(counts) == 0:
		return s.Path != "" && strings.HasPrefix(text, "Rule Name ")
	case counts["error"]+counts["errors"] > 0:
		f.Severity = result.SevError
	case counts["warning"]+counts["warnings"] > 0:
		f.Severity = result.SevWarning
	}
	if isFile {
		f.At = &result.Location{Path: head}
	} else {
		f.Rule, _, _ = strings.Cut(head, " ")
	}
	return s.Find(l, f)
}

// parseBiomeJUnit reads a test case for each violation:
//
//	<testsuite name="src/a.js" …>
//	    <testcase name="org.biome.lint.style.useConst" line="2" column="15">
//	        <failure message="This let …">line 2, col 15, This let …</failure>
func parseBiomeJUnit(in *tool.Input) *tool.Report {
	b := &biome{}
	return read.Text{Closes: true, Line: func(s *read.Sink, l tool.Line) bool {
		text := strings.TrimSpace(l.Text)
		if strings.HasPrefix(text, `<testsuites name="Biome"`) {
			s.Sign(l)
		}
		if !s.Signed || s.Closed() || !strings.HasPrefix(text, "<") {
			return b.line(s, l) || strings.HasPrefix(text, "<?xml ")
		}
		for x := xmltext.NewScanner(strings.NewReader(text)); ; {
			switch x.Next() {
			case xmltext.End:
				return true
			case xmltext.Close:
				if string(x.Name) == "testsuites" {
					s.Close(l)
				}
			case xmltext.Open:
				biomeCase(s, l, x)
			}
		}
	}}.Parse(in)
}

func biomeCase(s *read.Sink, l tool.Line, x *xmltext.Scanner) {
	switch string(x.Name) {
	case "testsuite":
		s.Path = x.Attr("name")
	case "testcase":
		rule := strings.ReplaceAll(strings.TrimPrefix(x.Attr("name"), "org.biome."), ".", "/")
		s.Find(l, result.Finding{Rule: rule, At: &result.Location{Path: s.Path, Line: x.Number("line"), Column: x.Number("column")}})
	case "failure":
		if f := s.Last(); f != nil {
			f.Message = x.Attr("message")
			s.Reach(l)
		}
	}
}
